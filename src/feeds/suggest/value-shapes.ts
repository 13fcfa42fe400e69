import { cleanVin, isSoundVin } from '../mapping/fields/vin-text.ts';
import type { ListSpec } from '../profile/feed-profile.ts';
import type { ColumnSketch } from './column-sketch.ts';

/** Rarer inside of an item, so more telling, first. */
const SEPARATORS = ['|', '~', ';', ','] as const;

/** How the items of a list column are told apart, by what most of its values hold. */
export function listFormat(column: ColumnSketch): Pick<ListSpec, 'separator' | 'after'> {
  if (column.repeated > 0) return {};
  const values = column.values().map(({ value }) => value);
  const holding = (text: string): number => values.filter((value) => value.includes(text)).length;
  let best: (typeof SEPARATORS)[number] = ',';
  for (const separator of SEPARATORS.toReversed())
    if (holding(separator) >= Math.max(holding(best), 1)) best = separator;
  const hasHeadings = best === '~' && values.every((value) => value.includes('@'));
  return { separator: best, ...(hasHeadings ? { after: '@' } : {}) };
}

/** A German word of seventeen letters is written like a VIN, so a few digits must stand in it. */
export function looksLikeVin(text: string): boolean {
  const vin = cleanVin(text);
  return isSoundVin(vin) && (vin.match(/\d/g)?.length ?? 0) >= 3;
}

export function looksLikeYear(text: string): boolean {
  return /^(19[5-9]|20[0-4])\d$/.test(text);
}

export function looksLikePhoto(text: string): boolean {
  return /^https?:\/\/[^\s,|;]+\.(jpe?g|png|webp|gif)\b/i.test(text);
}

/** `2019 Honda Accord`: three fields in one, as some price lists have it. */
export function looksLikeWholeName(text: string): boolean {
  return /^(19|20)\d\d [a-z][\w-]+ \S/i.test(text);
}

/** `21.995,00`, `21 995,50`, `45.210`: a comma before the decimals, points or blanks between the thousands. */
export function usesDecimalComma(columns: readonly ColumnSketch[]): boolean {
  const values = columns.flatMap((column) => column.values().map(({ value }) => value));
  const numbers = values.flatMap((value) => /\d[\d.,\s\u00a0\u202f]*/.exec(value)?.[0].trim() ?? []);
  const shows = (pattern: RegExp): boolean => numbers.some((number) => pattern.test(number));
  const isAmerican = shows(/\d,\d{3}(?!\d)/) || shows(/\.\d{1,2}$/);
  return !isAmerican && (shows(/\d,\d{1,2}$/) || shows(/^\d{1,3}(\.\d{3})+$/));
}
