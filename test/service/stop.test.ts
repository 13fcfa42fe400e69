import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { runBridge } from '../cli/bridge-command.ts';
import { BridgeProcess, eventually } from '../e2e/bridge-process.ts';
import { leadRequest, writeDealership } from '../e2e/dealership.ts';
import { startHttp } from '../leads/crm-servers.ts';

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

it('answers on the admin port that it stops for as long as a lead is on its way', async () => {
  const arrived = Promise.withResolvers<undefined>();
  const answer = Promise.withResolvers<undefined>();
  const crm = await startHttp((_request, response) => {
    arrived.resolve(undefined);
    void answer.promise.then(() => response.end('taken'));
  });
  bridge = new BridgeProcess({
    configFile: writeDealership(
      `    - { id: crm, adapter: adf-http, options: { url: "${crm.url}/leads", timeout_seconds: 60 } }`,
    ),
  });
  await bridge.start();
  await bridge.ask(leadRequest());
  await arrived.promise;
  const ended = bridge.stop();
  await eventually('the public port is closed', async () =>
    fetch(`${bridge.url}/health/ready`).then(
      () => undefined,
      () => true,
    ),
  );
  const ready = await fetch(`${bridge.adminUrl}/health/ready`);
  expect([ready.status, await ready.json()]).toEqual([503, { ready: false, reason: 'stopping' }]);
  expect((await fetch(`${bridge.adminUrl}/health/live`)).status).toBe(200);
  expect(await (await fetch(`${bridge.adminUrl}/health`)).json()).toMatchObject({ ready: false });
  answer.resolve(undefined);
  expect(await ended).toBe(0);
});
