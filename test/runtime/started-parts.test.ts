import { expect, it } from 'vitest';
import { StartedParts } from '../../src/runtime/started-parts.ts';

it('ends the parts in the opposite order, each once, and tells the first fault only afterwards', async () => {
  const ended: string[] = [];
  const parts = new StartedParts();
  parts.add(() => ended.push('first'));
  parts.add(async () => {
    await Promise.resolve();
    throw new Error('second fails');
  });
  parts.add(() => ended.push('third'));
  await expect(parts.end()).rejects.toThrow('second fails');
  expect(ended).toEqual(['third', 'first']);
  await parts.end();
  expect(ended).toEqual(['third', 'first']);
});
