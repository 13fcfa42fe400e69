import { spawn } from 'node:child_process';

/** Tells the service manager some `NAME=value` lines. Never throws; a fault is told to `onFault`. */
export type Notify = (...lines: string[]) => Promise<void>;

/**
 * How to tell systemd what becomes of the service (sd_notify), or undefined where no systemd waits for it.
 *
 * systemd listens on a Unix datagram socket, which Node cannot send to, and native code of our own would be one more
 * binary for each platform. So systemd's own `systemd-notify` sends it: a child of a millisecond, three times in each
 * watchdog interval. It belongs to the unit's control group and is not the main process, hence NotifyAccess=all in the
 * unit; it waits until systemd has read the message (without --no-block), so that it is still there to be recognised.
 */
export function systemdNotify(
  environment: NodeJS.ProcessEnv,
  onFault: (fault: string) => void,
): Notify | undefined {
  const socket = environment.NOTIFY_SOCKET;
  if (socket === undefined || socket === '') return undefined;
  let last: Promise<void> = Promise.resolve();
  // One after the other, so that STOPPING never overtakes READY.
  return (...lines) =>
    (last = last
      .then(() => send(lines, environment))
      .catch((fault: unknown) => {
        onFault(fault instanceof Error ? fault.message : String(fault));
      }));
}

function send(lines: readonly string[], environment: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('systemd-notify', lines, { env: environment, stdio: ['ignore', 'ignore', 'pipe'] });
    let complaint = '';
    child.stderr.on(
      'data',
      (chunk: Buffer) => (complaint = `${complaint}${chunk.toString('utf8')}`.slice(-500)),
    );
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new Error(`systemd-notify answered ${String(code)}: ${complaint.trim()}`));
    });
  });
}

/** The interval in which systemd wants to hear of us, in ms; undefined where it does not watch this process. */
export function watchdogIntervalMs(environment: NodeJS.ProcessEnv, pid: number): number | undefined {
  const { WATCHDOG_USEC: microseconds, WATCHDOG_PID: watched } = environment;
  if (watched !== undefined && watched !== String(pid)) return undefined;
  const ms = Number(microseconds) / 1000;
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
