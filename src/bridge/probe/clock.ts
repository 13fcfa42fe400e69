import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatInstant } from '../../model/clock.ts';
import type { Finding } from '../../model/finding.ts';

const MINUTE_MS = 60_000;
/** No program of ours ran before. */
const FIRST_YEAR = 2026;
const LAST_YEAR = 2099;
/** File systems and servers round, and answers take their time. */
const TOLERATED_MS = 2 * MINUTE_MS;
/** From here on access tokens, certificates and consents are judged by a wrong time. */
const FAR_OFF_MS = 60 * MINUTE_MS;

/** What else tells the time. ms since 1970. */
export interface Witnesses {
  /** The newest file of the data folder. */
  newestFile?: number | undefined;
  lastLead?: number | undefined;
  /** What servers said with their answers, and who they are. */
  servers: readonly { name: string; time: number }[];
}

/** Whether the clock of this machine can be right. Pure. */
export function clockFindings(now: number, { newestFile, lastLead, servers }: Witnesses): Finding[] {
  const key = 'clock';
  const remedy = 'Set the clock of this machine, and let the system keep it right (NTP; on Windows: w32tm).';
  const year = new Date(now).getUTCFullYear();
  if (!(year >= FIRST_YEAR && year <= LAST_YEAR)) {
    return [{ key, status: 'fail', text: `The clock of this machine says the year ${year}.`, remedy }];
  }
  const past = Math.max(newestFile ?? 0, lastLead ?? 0);
  if (past > now + TOLERATED_MS) {
    const what = past === lastLead ? 'the last lead came in' : 'a file of the data folder was written';
    const text = `The clock says ${formatInstant(now)}, but ${what} at ${formatInstant(past)}: it was set back, or ran ahead before.`;
    return [{ key, status: past > now + FAR_OFF_MS ? 'fail' : 'warn', text, remedy }];
  }
  const [worst] = servers
    .map(({ name, time }) => ({ name, offMs: now - time }))
    .sort((one, other) => Math.abs(other.offMs) - Math.abs(one.offMs));
  if (worst !== undefined && Math.abs(worst.offMs) > TOLERATED_MS) {
    const off = Math.round(Math.abs(worst.offMs) / MINUTE_MS);
    const text = `The clock is ${off} minutes ${worst.offMs > 0 ? 'ahead of' : 'behind'} that of ${worst.name}.`;
    return [{ key, status: Math.abs(worst.offMs) > FAR_OFF_MS ? 'fail' : 'warn', text, remedy }];
  }
  const compared = servers.length === 0 ? '' : `, as ${servers.map(({ name }) => name).join(', ')} says`;
  return [{ key, status: 'ok', text: `The clock says ${formatInstant(now)}${compared}.` }];
}

/** When the newest file directly in the folder was written; undefined when there is none. */
export async function newestFileIn(folder: string): Promise<number | undefined> {
  const names = await readdir(folder).catch(() => []);
  const times = await Promise.all(
    names.map((name) =>
      stat(join(folder, name)).then(
        (facts) => (facts.isFile() ? facts.mtimeMs : 0),
        () => 0,
      ),
    ),
  );
  const newest = Math.max(0, ...times);
  return newest === 0 ? undefined : newest;
}
