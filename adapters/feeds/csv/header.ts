import { looksLikeVin, normaliseColumn } from '../../../src/adapters/index.ts';

/** How many values a row should have. */
export interface RowWidths {
  /** All columns, the unnamed ones included. */
  readonly width: number;
  /** Up to and with the last named column: a row this long lacks nothing. */
  readonly namedWidth: number;
}

/** Whether nothing is missing and nothing too much: unnamed columns may be left out, and blank values may follow. */
export function fillsRow(values: readonly string[], { width, namedWidth }: RowWidths): boolean {
  if (values.length <= width) return values.length >= namedWidth;
  return values.every((value, place) => place < width || isBlank(value));
}

/** The first letter tells of nearly every value; only a blank one needs to be looked through. */
export function isBlank(value: string): boolean {
  if (value === '') return true;
  const first = value.charCodeAt(0);
  return (first <= BLANK || first > LAST_ASCII) && value.trim() === '';
}

const BLANK = 0x20;
const LAST_ASCII = 0x7f;

/** The columns of a file and where they stand. */
export interface Header extends RowWidths {
  /** As the file spells them, blanks at the ends aside; unnamed and doubled ones left out. */
  readonly names: readonly string[];
  readonly spelled: ReadonlySet<string>;
  /** Normalised name → place, from 0. Of two columns with one name the first counts. */
  readonly places: ReadonlyMap<string, number>;
  /** Place of the first column that has a name. */
  readonly firstNamed: number;
  readonly doubled: readonly string[];
  readonly unnamed: number;
  /** The header line's values, to know it again where exports were glued together. */
  readonly values: readonly string[];
  /** It holds a VIN: the file has no header, and this is its first vehicle. */
  readonly isVehicle: boolean;
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
  return {
    names,
    spelled: new Set(names),
    places,
    width: values.length,
    namedWidth,
    firstNamed: places.values().next().value ?? 0,
    doubled,
    unnamed,
    values,
    isVehicle: values.some(looksLikeVin),
  };
}
