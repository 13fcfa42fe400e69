import { normaliseColumn } from '../../../src/adapters/index.ts';

/** The columns of a file and where they stand. */
export interface Header {
  /** As the file spells them, blanks at the ends aside; unnamed and doubled ones left out. */
  readonly names: readonly string[];
  /** Normalised name → place, from 0. Of two columns with one name the first counts. */
  readonly places: ReadonlyMap<string, number>;
  /** All columns, the unnamed ones included. */
  readonly width: number;
  /** Up to and with the last named column: a row this long lacks nothing. */
  readonly namedWidth: number;
  readonly doubled: readonly string[];
  readonly unnamed: number;
  /** The header line's values, to know it again where exports were glued together. */
  readonly values: readonly string[];
}

export function makeHeader(values: readonly string[]): Header {
  const names: string[] = [];
  const doubled: string[] = [];
  const places = new Map<string, number>();
  let unnamed = 0;
  let namedWidth = 0;
  for (const [place, value] of values.entries()) {
    const name = value.trim();
    const normalised = normaliseColumn(name);
    if (normalised === '') {
      unnamed += 1;
      continue;
    }
    namedWidth = place + 1;
    if (places.has(normalised)) {
      doubled.push(name);
      continue;
    }
    places.set(normalised, place);
    names.push(name);
  }
  return { names, places, width: values.length, namedWidth, doubled, unnamed, values };
}
