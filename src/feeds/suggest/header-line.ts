import { looksLikeVin } from './value-shapes.ts';

/** Whether a table's first line is a vehicle rather than the names of the columns. */
export function looksLikeData(names: readonly string[]): boolean {
  const certain = names.some((name) => looksLikeVin(name) || /^https?:\/\//i.test(name));
  const numbers = names.filter((name) => /^[$ ]*[\d.,:/ -]+$/.test(name)).length;
  return certain || numbers * 3 >= names.length;
}
