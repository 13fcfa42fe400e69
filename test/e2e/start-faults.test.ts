import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBridge } from '../cli/bridge-command.ts';
import { BridgeProcess, PROJECT } from './bridge-process.ts';
import { writeDealership } from './dealership.ts';

let folder: string;
let configFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'start-'));
  configFile = writeDealership('    - { id: crm, adapter: adf-file, options: { folder: out } }');
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
  rmSync(join(configFile, '..'), { recursive: true, force: true });
});

function start(...words: string[]): ReturnType<typeof runBridge> {
  return runBridge(['start', '--config', configFile, '--data', folder, ...words]);
}

describe('a start that can not succeed ends with one line that says what to do', () => {
  it.each(['port', 'admin-port'])('when --%s is in use', async (option) => {
    const holder = createServer().listen(0, '127.0.0.1');
    await once(holder, 'listening');
    const port = String((holder.address() as AddressInfo).port);
    const other = option === 'port' ? '--admin-port' : '--port';
    const finished = await start(`--${option}`, port, other, '0');
    holder.close();
    expect(finished).toEqual({
      code: 3,
      out: '',
      err: `dealer-bridge: Port ${port} (server.${option.replace('-', '_')}) is already in use. Is another dealer-bridge running? Stop it or choose another port.\n`,
    });
  });

  it.each([
    ['inventory.db', 'Move it away'],
    ['leads.db', 'restore it from a backup'],
  ])('when %s is damaged', async (name, remedy) => {
    writeFileSync(join(folder, name), 'no database at all '.repeat(1000));
    const finished = await start('--port', '0', '--admin-port', '0');
    expect(finished).toMatchObject({ code: 3, out: '' });
    expect(finished.err).toContain(`dealer-bridge: ${join(folder, name)} is damaged`);
    expect(finished.err).toContain(remedy);
    expect(finished.err.trimEnd().split('\n')).toHaveLength(1);
  });

  it('when another bridge runs on the data folder, until that one is killed', async () => {
    const first = new BridgeProcess({ configFile, dataFolder: folder });
    await first.start();
    const finished = await start('--port', '0', '--admin-port', '0');
    expect(finished).toMatchObject({ code: 3, out: '' });
    expect(finished.err).toContain(`Another dealer-bridge is running on the data folder ${folder}.`);
    await first.stop('SIGKILL');
    await first.start();
    expect(await first.stop()).toBe(0);
  });
});

it('stops in good order when the process is killed that started it with a newer Node', async () => {
  const program = join(PROJECT, 'bin', 'dealer-bridge.mjs');
  const words = ['start', '--config', configFile, '--data', folder, '--port', '0', '--admin-port', '0'];
  const bridge = spawn(process.execPath, [program, ...words], {
    env: { ...process.env, DEALER_BRIDGE_STARTED_BY_ITSELF: '1' },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const printed = bridge.stdout;
  if (printed === null) throw new Error('its output is piped');
  let text = '';
  for await (const chunk of printed) {
    text += String(chunk);
    if (text.includes('Stop with Ctrl+C') && bridge.connected) bridge.disconnect();
  }
  const code = bridge.exitCode ?? (await once(bridge, 'exit'))[0];
  expect(code).toBe(0);
  const restarted = new BridgeProcess({ configFile, dataFolder: folder });
  await restarted.start();
  expect(await restarted.stop()).toBe(0);
});
