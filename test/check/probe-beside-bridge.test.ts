import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { tryFolder } from '../../src/bridge/probe/try-folder.ts';
import { runCommand } from '../cli/run-command.ts';
import { BridgeProcess, eventually, filesIn } from '../e2e/bridge-process.ts';
import { writeDealership } from '../e2e/dealership.ts';

const GOOD = `vin,stock,year,make,model,condition,list_price
1FTFW5L82TFA90101,HP2601,2026,Ford,F-150,new,56345
`;

it('a running bridge takes nothing in that a probe writes for a moment, nor what a broken one left', async () => {
  const configFile = writeDealership('    - { id: crm, adapter: adf-file, options: { folder: out } }');
  const bridge = new BridgeProcess({ configFile });
  onTestFinished(() => bridge.dispose());
  const left = '.dealer-bridge-check-4711.tmp';
  const folders = [bridge.path('inbox', 'stock'), bridge.path('work', 'stock')];
  for (const folder of folders) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(`${folder}/${left}`, 'a probe that was killed\n');
  }
  await bridge.start();
  // All day long, so to say, while the inbox is looked at for the files of the day.
  const over = new AbortController();
  const probing = (async () => {
    for (;;) {
      for (const folder of folders) expect(await tryFolder(folder)).toMatchObject({ ok: true });
      if (over.signal.aborted) return;
    }
  })();
  for (const day of [1, 2]) {
    const name = `day-${day}.csv`;
    writeFileSync(bridge.path('inbox', 'stock', name), GOOD.replace('56345', `5634${day}`));
    await eventually(`${name} is taken in`, async () =>
      (await filesIn(bridge.path('done', 'stock'))).some((entry) => entry.endsWith(name)) ? true : undefined,
    );
  }
  await runCommand(['check', '--probe', '--config', configFile, '--data', bridge.dataFolder]);
  over.abort();
  await probing;
  await bridge.stop();
  expect(await bridge.log()).not.toContain('an unfinished file is taken in again');
  expect(await filesIn(bridge.path('failed', 'stock'))).toEqual([]);
  for (const folder of folders)
    expect(readdirSync(folder).filter((name) => name.includes('.'))).toEqual([left]);
});
