import type { FeedConfig } from '../../config/config.ts';
import type { IngestServices } from '../ingest-services.ts';
import { limitsOf } from '../limits.ts';
import { prepareFeed } from '../prepare-feed.ts';
import { decode } from '../reading/decode.ts';
import { inspectFile } from '../reading/plain-file.ts';
import { readRows } from '../reading/read.ts';
import { unpack } from '../reading/unpack.ts';
import type { CheckedRow } from '../records.ts';
import type { SoughtVehicle } from './sought-vehicle.ts';

/** Larger ones are not read through again only to answer a question. */
const LARGEST_FILE_BYTES = 512 * 1024 * 1024;
const MOST_ROWS_FOUND = 20;

/** A row of the vehicle in a file that was taken in or held. */
export interface FoundRow {
  row: number;
  line: number;
  /** What the profile, as it is today, makes of it. */
  kind: CheckedRow['kind'];
  /** Why it is refused. */
  code?: string;
}

/**
 * Reads a stored file through once more and finds the rows of the vehicle. Undefined when it can no longer be read:
 * taken away, too large, or its profile has changed.
 */
export async function findInFile(
  file: string,
  feed: FeedConfig,
  services: Pick<IngestServices, 'dataFolder' | 'rooftops'>,
  sought: SoughtVehicle,
): Promise<FoundRow[] | undefined> {
  const inspected = await inspectFile(file);
  if (!inspected.ok || inspected.value.size > LARGEST_FILE_BYTES) return undefined;
  const prepared = await prepareFeed(feed, services);
  if (!prepared.ok) return undefined;
  const limits = limitsOf(feed);
  const unpacked = await unpack(file, limits.unpack);
  if (!unpacked.ok) return undefined;
  const decoded = await decode(unpacked.value);
  if (!decoded.ok) return undefined;
  const { reader, readerOptions, mapper, check } = prepared.value;
  const reading = readRows(decoded.value, reader, readerOptions, limits.read);
  const found: FoundRow[] = [];
  for await (const raw of reading.rows) {
    const mapped = mapper.mapRow(raw);
    const { vin, stock, vehicle_id } = mapped.vehicle;
    if (![mapped.key, vin, stock, vehicle_id].some((text) => sought.is(text))) continue;
    const checked = check(mapped);
    const reason = checked.kind === 'rejected' ? { code: checked.rejection.code } : {};
    found.push({ row: raw.row, line: raw.line, kind: checked.kind, ...reason });
    if (found.length === MOST_ROWS_FOUND) break;
  }
  return found;
}
