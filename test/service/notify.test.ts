import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startServiceReports } from '../../src/runtime/service/service-reports.ts';
import { systemdNotify, watchdogIntervalMs } from '../../src/runtime/service/systemd-notify.ts';
import { BridgeProcess, eventually } from '../e2e/bridge-process.ts';
import { canListen, type NotifySocket, openNotifySocket } from './notify-socket.ts';

let folder: string;
let socket: NotifySocket;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'notify-'));
  if (canListen) socket = await openNotifySocket(folder);
});
afterEach(() => {
  if (canListen) socket.close();
  rmSync(folder, { recursive: true, force: true });
});

const heard = (message: string): Promise<true> =>
  eventually(`systemd hears ${message}`, () => (socket.messages.includes(message) ? true : undefined));

describe('the watchdog', () => {
  it.each([
    [{ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '7' }, 60_000],
    [{ WATCHDOG_USEC: '60000000' }, 60_000],
    [{ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '8' }, undefined],
    [{ WATCHDOG_USEC: '0' }, undefined],
    [{ WATCHDOG_USEC: 'soon' }, undefined],
    [{}, undefined],
  ])('of %j is fed every so many ms: %s', (environment, ms) =>
    expect(watchdogIntervalMs(environment, 7)).toBe(ms),
  );

  it('hears nothing while a database does not answer, and again when it does', async () => {
    let answer: { ready: boolean; reason?: string } = { ready: true };
    const told: string[] = [];
    const stopping = Promise.withResolvers<undefined>();
    const end = startServiceReports(
      { readiness: () => Promise.resolve(answer), stopping: stopping.promise },
      (...lines) => Promise.resolve(void told.push(lines.join(' '))),
      30,
    );
    await eventually('it is fed', () => (told.includes('WATCHDOG=1') ? true : undefined));
    expect(told[0]).toBe('READY=1 STATUS=serving');
    answer = { ready: false, reason: 'the leads database\ndoes not answer' };
    const complaint = 'STATUS=the leads database does not answer';
    await eventually('it is told why', () => (told.includes(complaint) ? true : undefined));
    answer = { ready: true };
    await eventually('it serves again', () =>
      told.includes('WATCHDOG=1 STATUS=serving') ? true : undefined,
    );
    const silent = told.slice(told.indexOf(complaint), told.indexOf('WATCHDOG=1 STATUS=serving'));
    expect(silent).toEqual([complaint]);
    stopping.resolve(undefined);
    await eventually('it is told of the end', () =>
      told.at(-1)?.startsWith('STOPPING=1') ? true : undefined,
    );
    end();
  });
});

it('is told to nobody where nobody listens', () => {
  expect(systemdNotify({}, () => undefined)).toBeUndefined();
  expect(systemdNotify({ NOTIFY_SOCKET: '' }, () => undefined)).toBeUndefined();
});

it.skipIf(!canListen)('a message that does not arrive is told, and hurts nobody', async () => {
  const faults: string[] = [];
  const notify = systemdNotify({ ...process.env, NOTIFY_SOCKET: join(folder, 'nobody') }, (fault) =>
    faults.push(fault),
  );
  await notify?.('READY=1');
  expect(faults).toEqual([expect.stringMatching(/^systemd-notify answered 1: /)]);
  await systemdNotify({ PATH: '', NOTIFY_SOCKET: socket.path }, (fault) => faults.push(fault))?.('READY=1');
  expect(faults[1]).toContain('ENOENT');
});

it.skipIf(!canListen)('the real program says when it serves, that it lives, and when it stops', async () => {
  const bridge = new BridgeProcess({
    environment: { NOTIFY_SOCKET: socket.path, WATCHDOG_USEC: '900000' },
  });
  try {
    await bridge.start();
    await heard('READY=1 STATUS=serving');
    await heard('WATCHDOG=1');
    expect(await bridge.stop('SIGTERM')).toBe(0);
    await heard('STOPPING=1 STATUS=stopping: answers what was asked, ends the delivery under way');
    expect(socket.messages[0]).toBe('READY=1 STATUS=serving');
  } finally {
    await bridge.dispose();
  }
});
