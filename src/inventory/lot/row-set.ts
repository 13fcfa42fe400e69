/**
 * A set of rows as one bit each, 32 to a word: 12.5 KB for 100,000 vehicles. Meeting two sets costs one AND a
 * word (2 µs for 100,000 rows), counting about twice that. Bits past the last row are always 0.
 *
 * The loops take four words at a step, of which every set has a whole number, and read the length once: whatever the
 * engine does at each step, such as looking whether the length is still the same, takes longer than the words.
 */
export type RowSet = Uint32Array;

const ROWS_A_STEP = 128;
const WORDS_A_STEP = 4;

export function rowSetWords(rowCount: number): number {
  return Math.ceil(rowCount / ROWS_A_STEP) * WORDS_A_STEP;
}

export function addRow(set: RowSet, row: number): void {
  const word = row >>> 5;
  set[word] = (set[word] ?? 0) | (1 << (row & 31));
}

export function dropRow(set: RowSet, row: number): void {
  const word = row >>> 5;
  set[word] = (set[word] ?? 0) & ~(1 << (row & 31));
}

export function hasRow(set: RowSet, row: number): boolean {
  return (((set[row >>> 5] ?? 0) >>> (row & 31)) & 1) === 1;
}

export function hasAnyRow(set: RowSet): boolean {
  return nextOccupiedStep(set, 0) < set.length;
}

export function keepCommonRows(set: RowSet, other: RowSet): void {
  const words = set.length | 0;
  for (let word = 0; word < words; word += WORDS_A_STEP) {
    set[word] = (set[word] ?? 0) & (other[word] ?? 0);
    set[word + 1] = (set[word + 1] ?? 0) & (other[word + 1] ?? 0);
    set[word + 2] = (set[word + 2] ?? 0) & (other[word + 2] ?? 0);
    set[word + 3] = (set[word + 3] ?? 0) & (other[word + 3] ?? 0);
  }
}

export function addRows(set: RowSet, other: RowSet): void {
  const words = set.length | 0;
  for (let word = 0; word < words; word += WORDS_A_STEP) {
    set[word] = (set[word] ?? 0) | (other[word] ?? 0);
    set[word + 1] = (set[word + 1] ?? 0) | (other[word + 1] ?? 0);
    set[word + 2] = (set[word + 2] ?? 0) | (other[word + 2] ?? 0);
    set[word + 3] = (set[word + 3] ?? 0) | (other[word + 3] ?? 0);
  }
}

export function dropRows(set: RowSet, other: RowSet): void {
  const words = set.length | 0;
  for (let word = 0; word < words; word += WORDS_A_STEP) {
    set[word] = (set[word] ?? 0) & ~(other[word] ?? 0);
    set[word + 1] = (set[word + 1] ?? 0) & ~(other[word + 1] ?? 0);
    set[word + 2] = (set[word + 2] ?? 0) & ~(other[word + 2] ?? 0);
    set[word + 3] = (set[word + 3] ?? 0) & ~(other[word + 3] ?? 0);
  }
}

/** Population count by halves: no table, no branch, and no call, which would take four times as long. */
export function countRows(set: RowSet): number {
  const words = set.length | 0;
  let count = 0;
  for (let place = 0; place < words; place += 2) {
    // Signed, since the engine computes with words of 31 bits and a sign, and with anything larger in floating point.
    const first = (set[place] ?? 0) | 0;
    const second = (set[place + 1] ?? 0) | 0;
    const firstPairs = first - ((first >>> 1) & 0x5555_5555);
    const secondPairs = second - ((second >>> 1) & 0x5555_5555);
    const nibbles =
      ((firstPairs & 0x3333_3333) +
        ((firstPairs >>> 2) & 0x3333_3333) +
        (secondPairs & 0x3333_3333) +
        ((secondPairs >>> 2) & 0x3333_3333)) |
      0;
    // A byte holds the bits of two bytes each, 16 at most, and all four together 64.
    const bytes = (nibbles & 0x0f0f_0f0f) + ((nibbles >>> 4) & 0x0f0f_0f0f);
    count += Math.imul(bytes, 0x0101_0101) >>> 24;
  }
  return count;
}

/** Writes the rows of the set, or with `inverted` those outside it, into `rows`, ascending. Returns how many. */
export function collectRows(set: RowSet, rows: Uint32Array, rowCount: number, inverted: boolean): number {
  const words = set.length | 0;
  let found = 0;
  for (let word = 0; word < words; word++) {
    if (!inverted && (word & (WORDS_A_STEP - 1)) === 0) word = nextOccupiedStep(set, word);
    let bits = inverted ? ~(set[word] ?? 0) : (set[word] ?? 0);
    while (bits !== 0) {
      const row = (word << 5) + (31 - Math.clz32(bits & -bits));
      // Only an inverted set can name rows that do not exist.
      if (row >= rowCount) return found;
      rows[found++] = row;
      bits &= bits - 1;
    }
  }
  return found;
}

/** Most sets that are asked for their rows have few: their empty words are passed four at a time. */
function nextOccupiedStep(set: RowSet, from: number): number {
  const words = set.length | 0;
  let word = from;
  while (
    word < words &&
    ((set[word] ?? 0) | (set[word + 1] ?? 0) | (set[word + 2] ?? 0) | (set[word + 3] ?? 0)) === 0
  ) {
    word += WORDS_A_STEP;
  }
  return word;
}
