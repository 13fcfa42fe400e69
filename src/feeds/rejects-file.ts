import type { FeedConfig } from '../config/config.ts';
import type { IngestServices } from './ingest-services.ts';
import { limitsOf } from './limits.ts';
import { prepareFeed } from './prepare-feed.ts';
import { decode } from './reading/decode.ts';
import { readRows } from './reading/read.ts';
import { unpack } from './reading/unpack.ts';
import { RejectsTable } from './reporting/rejects-table.ts';
import type { RunReport } from './reporting/report.ts';

/** Spreadsheets take a file without this mark for Windows-1252. */
const BYTE_ORDER_MARK = '\uFEFF';

/** Hostile rows may be large; ten thousand ordinary ones take a quarter of this. In UTF-16 units. */
const LONGEST_TABLE = 64 * 1024 * 1024;

/**
 * The rows that the report lists as refused, as the text of a CSV in pieces. The file is read a second time, as
 * far as its last refused row: which of two rows of one vehicle loses is known only at the end of the first
 * reading, and no row may stay in memory until then.
 */
export async function* rejectsText(
  file: string,
  report: RunReport,
  feed: FeedConfig,
  services: IngestServices,
): AsyncGenerator<string> {
  const missing = new Map(report.rejections.map((rejected) => [rejected.row, rejected]));
  const prepared = await prepareFeed(feed, services);
  const limits = limitsOf(feed);
  const unpacked = await unpack(file, limits.unpack);
  const decoded = unpacked.ok ? await decode(unpacked.value) : unpacked;
  // All three were sound a moment ago; a profile or a file that is changed meanwhile ends the table, not the run.
  if (!prepared.ok || !decoded.ok) return;
  const { reader, readerOptions, isSecret } = prepared.value;
  const table = new RejectsTable(report.file.columns ?? [], isSecret);
  yield BYTE_ORDER_MARK + table.header();
  let length = 0;
  for await (const row of readRows(decoded.value, reader, readerOptions, limits.read).rows) {
    services.signal?.throwIfAborted();
    const rejected = missing.get(row.row);
    if (rejected === undefined) continue;
    missing.delete(row.row);
    const line = table.line(rejected, row.cells, row.rejection !== undefined);
    length += line.length;
    if (length > LONGEST_TABLE) return;
    yield line;
    if (missing.size === 0) return;
  }
}
