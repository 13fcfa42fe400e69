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

/** A format for dates that put the day first; undefined where nothing shows it, which is read the American way. */
export function dayFirstFormat(column: ColumnSketch): string | undefined {
  const dates = column
    .values()
    .map(({ value }) => /^(\d{1,2})([/.-])(\d{1,2})\2\d{4}\b/.exec(value))
    .filter((match) => match !== null);
  const shows = dates.find(([, day]) => Number(day) > 12);
  const isClear = shows !== undefined && dates.every(([, , , month]) => Number(month) <= 12);
  const mark = shows?.[2];
  return isClear && mark !== undefined ? `DD${mark}MM${mark}YYYY` : undefined;
}
