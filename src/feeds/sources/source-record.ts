import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig, SourceConfig } from '../../config/config.ts';
import { formatInstant } from '../../model/clock.ts';
import { writeWhole } from '../../files/patient-files.ts';
import { identityOf } from './source-memory.ts';

/** How the looks at a feed's source went. Times are RFC 3339. */
export interface SourceRecord {
  last_success?: string;
  last_failure?: { at: string; reason: string };
  /** The last look failed. */
  is_failing: boolean;
  /** Looks that failed since the last that went well. */
  failures: number;
  /** When a look last found the source with a file that counts: a new one, or the one that is here already. */
  confirmed_at?: string;
  /** When the running bridge looks again. */
  next_look?: string;
}

const NEVER: SourceRecord = { is_failing: false, failures: 0 };

/**
 * Kept in `<data>/sources/<feed>.looks.json`: the health page, the watch over overdue feeds and `feed fetch`, which
 * is another process, all go by it. Of a source with other settings, or of a damaged file, nothing is known.
 */
export async function readSourceRecord(
  dataFolder: string,
  feedId: string,
  source: SourceConfig,
): Promise<SourceRecord> {
  try {
    const text = await readFile(recordFile(dataFolder, feedId), 'utf8');
    const written = JSON.parse(text) as { source?: unknown; record?: SourceRecord } | null;
    return written?.source === identityOf(source) ? (written.record ?? NEVER) : NEVER;
  } catch {
    return NEVER;
  }
}

/** Changes what `change` names and leaves the rest. */
export async function noteInSourceRecord(
  dataFolder: string,
  feed: FeedConfig & { source: SourceConfig },
  change: (record: SourceRecord) => Partial<SourceRecord>,
): Promise<SourceRecord> {
  const before = await readSourceRecord(dataFolder, feed.id, feed.source);
  const record: SourceRecord = { ...before, ...change(before) };
  const file = recordFile(dataFolder, feed.id);
  await mkdir(path.dirname(file), { recursive: true });
  await writeWhole(file, `${JSON.stringify({ source: identityOf(feed.source), record }, null, 1)}\n`);
  return record;
}

export function successAt(now: number, isConfirmed: boolean): Partial<SourceRecord> {
  const at = formatInstant(now);
  return { last_success: at, is_failing: false, failures: 0, ...(isConfirmed ? { confirmed_at: at } : {}) };
}

export function failureAt(now: number, reason: string, { failures }: SourceRecord): Partial<SourceRecord> {
  return { last_failure: { at: formatInstant(now), reason }, is_failing: true, failures: failures + 1 };
}

function recordFile(dataFolder: string, feedId: string): string {
  return path.join(dataFolder, 'sources', `${feedId}.looks.json`);
}
