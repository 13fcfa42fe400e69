import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { runBridge } from '../cli/bridge-command.ts';
import { BridgeProcess } from '../e2e/bridge-process.ts';
import { writeDealership } from '../e2e/dealership.ts';

let bridge: BridgeProcess;
afterEach(() => bridge.dispose());

function newBridge(): BridgeProcess {
  bridge = new BridgeProcess({
    configFile: writeDealership('    - { id: crm, adapter: adf-file, options: { folder: out } }'),
  });
  return bridge;
}

describe('dealer-bridge stop', () => {
  it('ends the bridge of the folder in good order, and leaves no stop file', async () => {
    await newBridge().start();
    const stopped = await runBridge(['stop', '--data', bridge.dataFolder]);
    expect(stopped).toEqual({ code: 0, out: 'The bridge has stopped.\n', err: '' });
    expect(await bridge.ended()).toBe(0);
    expect(await bridge.log()).toContain('"reason":"stop file"');
    expect(existsSync(bridge.path('stop'))).toBe(false);
  });

  it('says so where none runs, and asks nobody who comes later', async () => {
    newBridge();
    expect(await runBridge(['stop', '--data', bridge.dataFolder])).toEqual({
      code: 0,
      out: `No bridge runs on ${bridge.dataFolder}.\n`,
      err: '',
    });
    expect(existsSync(bridge.path('stop'))).toBe(false);
  });
});

it('a stop file that was left behind stops nobody', async () => {
  newBridge();
  writeFileSync(bridge.path('stop'), '');
  await bridge.start();
  expect(existsSync(bridge.path('stop'))).toBe(false);
  expect(await bridge.stop('SIGTERM')).toBe(0);
  expect(await bridge.log()).toContain('"reason":"SIGTERM"');
});

it.each(['SIGINT', 'SIGHUP'] as const)('%s ends the bridge in good order', async (signal) => {
  await newBridge().start();
  expect(await bridge.stop(signal)).toBe(0);
  expect(await bridge.log()).toContain('the bridge has stopped');
});
