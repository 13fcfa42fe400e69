import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '../../files/patience.ts';
import { replaceText } from '../backup/durable-files.ts';
import type { Installation } from './installation.ts';

/** What an upgrade is about to do, in this order; `going back` follows a step that failed. */
export type UpgradeStep =
  'unpacking' | 'trying' | 'backing up' | 'stopping' | 'switching' | 'starting' | 'going back';

interface UpgradeUnderWay {
  from: string;
  to: string;
  step: UpgradeStep;
}

interface DoneUpgrade {
  from: string;
  to: string;
  /** RFC 3339. */
  at: string;
}

/** upgrade.json in the installation: what was under way when a process died, and from where each version came. */
export interface UpgradeRecord {
  under_way?: UpgradeUnderWay;
  done: DoneUpgrade[];
}

const FILE = 'upgrade.json';
const LOG = 'upgrade.log';
const REMEMBERED = 20;

export async function readRecord({ folder }: Pick<Installation, 'folder'>): Promise<UpgradeRecord> {
  try {
    const record = JSON.parse(await readFile(join(folder, FILE), 'utf8')) as Partial<UpgradeRecord>;
    return { ...record, done: Array.isArray(record.done) ? record.done : [] };
  } catch (error) {
    // Without it nothing is lost but a convenience: `--rollback` then takes the next older version.
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError) return { done: [] };
    throw error;
  }
}

export async function writeRecord(
  { folder }: Pick<Installation, 'folder'>,
  { under_way, done }: UpgradeRecord,
): Promise<void> {
  const record = { ...(under_way && { under_way }), done: done.slice(-REMEMBERED) };
  await replaceText(join(folder, FILE), `${JSON.stringify(record, null, 2)}\n`);
}

/** One line a step in upgrade.log, for whoever wants to know later what happened. */
export async function noteStep({ folder }: Pick<Installation, 'folder'>, text: string): Promise<void> {
  const line = `${new Date().toISOString()} ${text.replaceAll(/\s*\n\s*/g, ' | ')}\n`;
  await appendFile(join(folder, LOG), line);
}

/** The version that was there before this one; by its number where nobody has noted it. */
export function versionBefore(
  version: string,
  { done }: UpgradeRecord,
  installed: readonly string[],
): string | undefined {
  const noted = done.findLast(({ to }) => to === version)?.from;
  if (noted !== undefined && installed.includes(noted)) return noted;
  return installed[installed.indexOf(version) + 1];
}
