import { parse } from 'csv-parse/sync';
import type { Dialect } from './dialect.ts';

/**
 * The values of lines that are known to be sound records, one record a line. `relax_quotes` because a quote inside
 * of an unquoted value is a letter here; whether a quoted value is closed properly has been checked before.
 */
export function parseSoundLines(lines: readonly string[], dialect: Dialect): string[][] {
  if (lines.length === 0) return [];
  const records = parse(lines.join('\n'), {
    delimiter: dialect.delimiter,
    record_delimiter: '\n',
    relax_quotes: true,
    relax_column_count: true,
  });
  if (records.length !== lines.length) {
    throw new Error(`${lines.length} sound lines were parsed into ${records.length} records`);
  }
  return records;
}
