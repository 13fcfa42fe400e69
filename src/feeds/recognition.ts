import { hash } from 'node:crypto';
import type { RecordMark } from '../adapters/feed-reader.ts';
import type { KnownRecords } from '../model/intake.ts';

/** Enough of the SHA-1 that no two records of one lot share it. */
const BYTES_OF_HASH = 16;

/**
 * A record of the file and whether it is, character by character, the one that a vehicle on the lot came from. Such
 * a row is not mapped and checked again, because both depend on nothing but the record and the feed's settings, which
 * are part of the hash (prepare-feed.ts). What a whole file decides (duplicates, removals, counts) is decided over
 * recognised rows as over any other. Rows about which there was anything to tell are never recognised, so that it is
 * told each time.
 */
export class Recognition implements RecordMark {
  readonly hash: Uint8Array;
  /** The vehicle's row id in the store. */
  readonly rowId: number | undefined;

  constructor(recordHash: Uint8Array, rowId: number | undefined) {
    this.hash = recordHash;
    this.rowId = rowId;
  }

  get isKnown(): boolean {
    return this.rowId !== undefined;
  }
}

/** `settings` names everything that decides what a record means and stands outside of its file. */
export function recogniserOf(
  known: KnownRecords,
  settings: string,
): (setting: string) => (record: string) => Recognition {
  return (setting) => {
    const before = hash('sha1', `${settings}\n${setting}`);
    return (record) => {
      // By way of a text, because handing over a buffer takes longer than hashing.
      const recordHash = Buffer.from(
        hash('sha1', before + record, 'binary').slice(0, BYTES_OF_HASH),
        'latin1',
      );
      return new Recognition(recordHash, known.find(recordHash));
    };
  };
}
