import { normaliseColumn } from '../../../model/column.ts';

const YES = new Set(['1', 'y', 'yes', 'true', 't', 'x', 'on', 'c', 'cpo', 'certified', 'certifiedpreowned']);
const NO = new Set(['', '0', 'n', 'no', 'false', 'f', 'off', 'none', 'null', 'n/a', 'notcertified', '-']);

/** A yes or no in the spellings that exports use; undefined for anything else. */
export function parseFlag(raw: string): boolean | undefined {
  const word = normaliseColumn(raw);
  if (YES.has(word)) return true;
  return NO.has(word) ? false : undefined;
}
