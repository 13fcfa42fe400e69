import type { KnownRecords } from '../model/intake.ts';

/** Other ones are of another release of the program. */
export const BYTES_OF_HASH = 16;
const FIRST_SLOTS = 1024;
/** Of the slots; with more, looking one up takes many steps. */
const FULL = 0.6;

/** In place of a row id; those count from 1. */
const FREE = 0;
const TWINS = -1;

/**
 * Hashes of 16 bytes and the row id that each stands for, in two flat arrays: 30 to 60 bytes a vehicle, a third of
 * what a map of texts takes. A hash is evenly spread by nature, so its first word is where it is looked for first.
 */
export class RecordHashes implements KnownRecords {
  #hashes = new Uint8Array(FIRST_SLOTS * BYTES_OF_HASH);
  #rowIds = new Float64Array(FIRST_SLOTS);
  #count = 0;

  /** Of two vehicles with the same hash none is known: which one is meant, the record alone does not tell. */
  constructor(records: Iterable<[hash: Uint8Array, rowId: number]>) {
    for (const [hash, rowId] of records) if (hash.length === BYTES_OF_HASH) this.#add(hash, 0, rowId);
  }

  static fromLists(lists: Iterable<HashList>): RecordHashes {
    const known = new RecordHashes([]);
    for (const { hashes, rowIds } of lists) {
      const bytes = Buffer.from(hashes, 'hex');
      for (const [index, rowId] of (JSON.parse(rowIds) as number[]).entries()) {
        known.#add(bytes, index * BYTES_OF_HASH, rowId);
      }
    }
    return known;
  }

  find(hash: Uint8Array): number | undefined {
    const rowId = hash.length === BYTES_OF_HASH ? (this.#rowIds[this.#slotOf(hash, 0)] ?? 0) : 0;
    return rowId > 0 ? rowId : undefined;
  }

  /** The hash that begins at `from`; likewise below, since a view of each would take longer than all the rest. */
  #add(bytes: Uint8Array, from: number, rowId: number): void {
    if (this.#count >= this.#rowIds.length * FULL) this.#grow();
    const slot = this.#slotOf(bytes, from);
    if (this.#rowIds[slot] === FREE) this.#fill(slot, bytes, from, rowId);
    else this.#rowIds[slot] = TWINS;
  }

  #fill(slot: number, bytes: Uint8Array, from: number, rowId: number): void {
    const start = slot * BYTES_OF_HASH;
    for (let byte = 0; byte < BYTES_OF_HASH; byte++) this.#hashes[start + byte] = bytes[from + byte] ?? 0;
    this.#rowIds[slot] = rowId;
    this.#count += 1;
  }

  /** Where the hash stands, or the free slot where it would. */
  #slotOf(bytes: Uint8Array, from: number): number {
    const last = this.#rowIds.length - 1;
    let slot = firstWord(bytes, from) & last;
    while (this.#rowIds[slot] !== FREE && !this.#standsAt(slot, bytes, from)) slot = (slot + 1) & last;
    return slot;
  }

  #standsAt(slot: number, bytes: Uint8Array, from: number): boolean {
    const start = slot * BYTES_OF_HASH;
    for (let byte = 0; byte < BYTES_OF_HASH; byte++) {
      if (this.#hashes[start + byte] !== bytes[from + byte]) return false;
    }
    return true;
  }

  #grow(): void {
    const [hashes, rowIds] = [this.#hashes, this.#rowIds];
    this.#hashes = new Uint8Array(hashes.length * 2);
    this.#rowIds = new Float64Array(rowIds.length * 2);
    this.#count = 0;
    for (const [old, rowId] of rowIds.entries()) {
      if (rowId === FREE) continue;
      const from = old * BYTES_OF_HASH;
      this.#fill(this.#slotOf(hashes, from), hashes, from, rowId);
    }
  }
}

/** Many hashes in one text, one behind the other in hex, and a JSON list of the row ids that they stand for. */
export interface HashList {
  hashes: string;
  rowIds: string;
}

function firstWord(bytes: Uint8Array, from: number): number {
  return (
    (bytes[from] ?? 0) |
    ((bytes[from + 1] ?? 0) << 8) |
    ((bytes[from + 2] ?? 0) << 16) |
    ((bytes[from + 3] ?? 0) << 24)
  );
}
