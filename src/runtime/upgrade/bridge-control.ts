import { setTimeout as wait } from 'node:timers/promises';
import { OperatorFault } from '../../model/operator-fault.ts';
import { isBridgeRunning, lockDataFolder } from '../data-folder-lock.ts';
import { askToStop, forgetStopFile } from '../stop-file.ts';
import { actingAs } from './owner.ts';
import { waitUntilReady } from './readiness-wait.ts';
import type { UpgradeWork } from './upgrade-work.ts';
import { VersionProcess } from './version-process.ts';

/** A bridge answers what was asked and ends its delivery; the service managers give it 30 seconds. */
const STOP_LIMIT_MS = 60_000;
const LOOK_MS = 200;

/** `service`: it is started again; `by hand`: somebody started it, and must do so again; `nobody`: it did not run. */
export type Runner = 'service' | 'by hand' | 'nobody';

export function runnerOf({ dataFolder, service }: UpgradeWork): Runner {
  if (!isBridgeRunning(dataFolder)) return 'nobody';
  return service === undefined ? 'by hand' : 'service';
}

/**
 * Stops the bridge and keeps others from starting one, such as a supervisor that we do not know of, until what is
 * returned is called.
 */
export async function stopAndLock(work: UpgradeWork, runner: Runner): Promise<() => void> {
  const { dataFolder, owner, service } = work;
  if (runner === 'service') await service?.stop();
  if (runner === 'by hand' && isBridgeRunning(dataFolder)) {
    await actingAs(owner, () => askToStop(dataFolder));
  }
  const end = Date.now() + STOP_LIMIT_MS;
  while (isBridgeRunning(dataFolder)) {
    if (Date.now() >= end) {
      forgetStopFile(dataFolder);
      throw new OperatorFault('The bridge does not stop. Stop it by hand, then run the upgrade again.');
    }
    await wait(LOOK_MS);
  }
  return actingAs(owner, () => lockDataFolder(dataFolder));
}

/** Starts the service and waits until it serves; answers why it does not. */
export async function startService(work: UpgradeWork, version: string): Promise<string | undefined> {
  const { adminOrigin: origin, readyLimitMs: limitMs, service } = work;
  // Told to start, systemd waits until the bridge serves, for far longer than we do.
  const refused = new Promise<string>((resolve) => {
    service?.start().catch((fault: unknown) => {
      resolve(`the service does not start: ${fault instanceof Error ? fault.message : String(fault)}`);
    });
  });
  return waitUntilReady({ origin, version, limitMs }, refused);
}

/**
 * Runs a version on the real data until it is ready, and stops it again: a terminal that ran the bridge is not ours to
 * start it in, and whoever does so shall find that it works. Answers why it does not. Leads that come meanwhile are
 * kept, as always.
 */
export async function proveStart(work: UpgradeWork, version: string): Promise<string | undefined> {
  const { installation, dataFolder, settings, adminOrigin: origin, readyLimitMs: limitMs, owner } = work;
  const words = ['start', ...settings, '--data', dataFolder];
  const running = new VersionProcess({ installation, version, words, owner });
  const ended = running.ended.then(
    ({ code, said }) => `it ended with code ${String(code)}${said === '' ? '' : `:\n${lastLines(said)}`}`,
  );
  const fault = await waitUntilReady({ origin, version, limitMs }, ended);
  const timer = setTimeout(() => running.end('SIGKILL'), STOP_LIMIT_MS);
  if (running.isRunning) await actingAs(owner, () => askToStop(dataFolder));
  await ended;
  clearTimeout(timer);
  // Nobody takes it away where the process had ended already.
  forgetStopFile(dataFolder);
  return fault;
}

function lastLines(text: string): string {
  return text.split('\n').slice(-12).join('\n');
}
