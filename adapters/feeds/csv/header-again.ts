import { normaliseColumn } from '../../../src/adapters/index.ts';
import { isBlank, type Header } from './header.ts';

/**
 * Exports that were glued together bring their header lines along, with their byte order marks, in another case, with
 * a delimiter more at the end. `same`: it names the columns that the header names. `other`: it names others, or in
 * another order, so that the rows below it cannot be read by the header. Undefined: it is a row.
 */
export function judgeAsHeader(values: readonly string[], header: Header): 'same' | 'other' | undefined {
  if (!mayBeHeader(values[header.firstNamed] ?? '', header)) return undefined;
  const names = values.map((value) => normaliseColumn(withoutMarks(value)));
  const length = Math.max(names.length, header.values.length);
  const own = header.values.map((value) => normaliseColumn(value.trim()));
  if (Array.from({ length }, (_, place) => (names[place] ?? '') === (own[place] ?? '')).every(Boolean))
    return 'same';
  // Another vehicle has much in common with the first one.
  if (header.isVehicle) return undefined;
  const named = names.filter((name) => name !== '');
  const known = named.filter((name) => header.places.has(name)).length;
  const isHeader = (known >= 2 && known === named.length) || (known >= 3 && known * 4 >= named.length * 3);
  return isHeader ? 'other' : undefined;
}

/** A byte order mark counts as white space. */
const MARKS = /^[\s"]+|[\s"]+$/g;
const CTRL_Z = '\x1a';

/** The quotes of a first value that a byte order mark has made an unquoted one, too. */
function withoutMarks(value: string): string {
  return value.replaceAll(CTRL_Z, '').replace(MARKS, '');
}

/** Cheap, because it is asked of every row: only what begins like the header or is a column's name. */
function mayBeHeader(first: string, { values, firstNamed, spelled, places }: Header): boolean {
  const own = values[firstNamed] ?? '';
  if (first === own) return true;
  if (isBlank(first) || first.length > LONGEST_NAME) return false;
  const code = first.charCodeAt(0);
  if (code > 0x7f || code < 0x21) return places.has(normaliseColumn(withoutMarks(first)));
  const isAlike = isSameLetter(first, own, 0) && isSameLetter(first, own, 1);
  return isAlike ? places.has(normaliseColumn(first)) : spelled.has(first);
}

function isSameLetter(one: string, other: string, at: number): boolean {
  return (one.charCodeAt(at) | CASE) === (other.charCodeAt(at) | CASE);
}

const LONGEST_NAME = 200;
/** The bit in which a small letter differs from its capital. */
const CASE = 0x20;
