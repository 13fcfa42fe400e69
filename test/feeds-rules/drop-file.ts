import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { FeedConfig } from '../../src/config/config.ts';
import { ingestFile } from '../../src/feeds/ingest.ts';
import type { RunReport } from '../../src/feeds/reporting/report.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';
import type { Dealership } from '../feeds-intake/dealership.ts';

/** Takes a file of this text in through the inbox of the feed. `at`: when it was written, ms since 1970. */
export async function takeIn(
  text: string,
  feed: FeedConfig,
  dealership: Dealership,
  {
    name = 'lot.csv',
    at = dealership.now,
    rooftops,
  }: { name?: string; at?: number; rooftops?: readonly Rooftop[] } = {},
): Promise<RunReport> {
  await mkdir(feed.folder, { recursive: true });
  const file = path.join(feed.folder, name);
  await writeFile(file, text);
  await utimes(file, at / 1000, at / 1000);
  const report = await ingestFile(file, feed, dealership.services(rooftops && { rooftops }));
  if (report === undefined) throw new Error('the file was not taken');
  return report;
}

/** Names in done, failed or held of the feed. */
export async function filesIn(place: string, feed: FeedConfig, dealership: Dealership): Promise<string[]> {
  const names = await readdir(path.join(dealership.folder, place, feed.id)).catch(() => []);
  return names.sort();
}

/** The only table of refused rows in that place, without its byte order mark; undefined when there is none. */
export async function rejectsIn(
  place: string,
  feed: FeedConfig,
  dealership: Dealership,
): Promise<string | undefined> {
  const names = await filesIn(place, feed, dealership);
  const tables = names.filter((name) => name.endsWith('.rejects.csv'));
  if (tables.length > 1) throw new Error(`more than one table: ${tables.join(', ')}`);
  const [table] = tables;
  if (table === undefined) return undefined;
  const text = await readFile(path.join(dealership.folder, place, feed.id, table), 'utf8');
  if (!text.startsWith('\uFEFF')) throw new Error('no byte order mark');
  return text.slice(1);
}
