import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect, it } from 'vitest';

it('serves 5,000 calls and keeps nothing of them', async () => {
  const child = fork(new URL('./heap-process.ts', import.meta.url), { execArgv: ['--expose-gc'] });
  const [told] = (await once(child, 'message')) as [{ good: number; before: number; after: number }];
  await once(child, 'exit');
  expect(told.good).toBe(6000);
  // A server that stayed behind would be some 20 kilobytes, 100 MB in all.
  expect(told.after - told.before).toBeLessThan(4_000_000);
});
