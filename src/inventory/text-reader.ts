import type { Database } from 'better-sqlite3';
import { foreignCommits } from '../model/foreign-commits.ts';
import { KeptReads } from './kept-reads.ts';
import { publishedText } from './listing-text.ts';

/** The feed's own text, or the one with what companion feeds add to it. */
export const PUBLISHED_JSON = 'COALESCE(supplemented.json, listing.json)';

/** Ready JSON texts in the order of the row ids; undefined = no longer there. */
export type TextReader = (rowIds: readonly number[]) => (string | undefined)[];

/** Some thousand vehicles: all of most dealer groups. */
const MOST_KEPT_CHARACTERS = 8 * 1024 * 1024;

/** Reads each text once where only others write. */
export function textReader(database: Database): TextReader {
  const read = pageReader(database);
  return database.readonly ? keeping(read, foreignCommits(database)) : read;
}

/** One statement for the whole page: a tenth of the time of twenty single reads. */
function pageReader(database: Database): TextReader {
  const read = database
    .prepare<[string], [place: number, json: string, updatedAt: number]>(
      `SELECT wanted.key, ${PUBLISHED_JSON}, vehicle.updated_at FROM json_each(?) AS wanted
       CROSS JOIN listing ON listing.row_id = wanted.value
       CROSS JOIN vehicle ON vehicle.row_id = wanted.value
       LEFT JOIN supplemented ON supplemented.row_id = wanted.value`,
    )
    .raw();
  return (rowIds) => {
    const texts = rowIds.map((): string | undefined => undefined);
    for (const [place, json, updatedAt] of read.all(JSON.stringify(rowIds))) {
      texts[place] = publishedText(json, updatedAt);
    }
    return texts;
  };
}

function keeping(read: TextReader, version: () => number): TextReader {
  const kept = new KeptReads<number, string>(version, MOST_KEPT_CHARACTERS, (text) => text.length);
  return (rowIds) => {
    kept.refresh();
    const unknown = rowIds.filter((rowId) => kept.get(rowId) === undefined);
    if (unknown.length === 0) return rowIds.map((rowId) => kept.get(rowId));
    const found = read(unknown);
    const fresh = new Map(unknown.map((rowId, place) => [rowId, found[place]]));
    const texts = rowIds.map((rowId) => kept.get(rowId) ?? fresh.get(rowId));
    // Only now: what is kept may push out what this page still needs.
    for (const [rowId, text] of fresh) if (text !== undefined) kept.keep(rowId, text);
    return texts;
  };
}
