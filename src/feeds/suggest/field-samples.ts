import type { RawRow } from '../../adapters/feed-reader.ts';
import type { FeedMapper } from '../mapping/map.ts';
import { compileSource } from '../mapping/mappers/cell-source.ts';
import { columnsOf, type ProfileMap } from '../profile/feed-profile.ts';
import type { MappedRow } from '../records.ts';
import { visibleText } from '../reporting/visible-text.ts';

const SAMPLES_A_FIELD = 3;

/** What the mapping makes of one value. */
export interface FieldSample {
  row: number;
  /** As the file has it. */
  value: string;
  /** As it would be published; absent where nothing would be. */
  result?: unknown;
  /** Why the whole row would be refused. */
  refused?: string;
}

export interface FieldProposal {
  field: string;
  columns: string[];
  /** Up to three different values. */
  samples: FieldSample[];
}

/** Each mapped field with its columns and what becomes of the first values: the real mapping is asked. */
export function sampleFields(map: ProfileMap, mapper: FeedMapper, rows: readonly RawRow[]): FieldProposal[] {
  const mapped = rows.map((row) => mapper.mapRow(row));
  return Object.entries(map).map(([field, source]) => {
    const columns = columnsIn(source);
    return { field, columns, samples: samplesOf(field, columns, rows, mapped) };
  });
}

function columnsIn(source: unknown): string[] {
  const sources = Array.isArray(source) ? (source as unknown[]) : [source];
  return sources.flatMap((each) => columnsOf(each as Parameters<typeof columnsOf>[0]));
}

function samplesOf(
  field: string,
  columns: string[],
  rows: readonly RawRow[],
  mapped: readonly MappedRow[],
): FieldSample[] {
  const cells = compileSource(columns);
  const samples = new Map<string, FieldSample>();
  for (const [index, row] of rows.entries()) {
    const value = cells.first(row.cells)?.trim();
    const outcome = mapped[index];
    if (value === undefined || outcome === undefined || samples.has(value)) continue;
    const published = field === 'sale_price' ? 'list_price' : field;
    const result = field === 'dealer_id' ? outcome.dealer?.name : outcome.vehicle[published as 'vin'];
    samples.set(value, {
      row: row.row,
      value: visibleText(value),
      ...(result === undefined ? {} : { result }),
      ...(outcome.rejection === undefined ? {} : { refused: outcome.rejection.code }),
    });
    if (samples.size === SAMPLES_A_FIELD) break;
  }
  return [...samples.values()];
}
