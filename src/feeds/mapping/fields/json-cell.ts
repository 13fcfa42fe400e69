import { normaliseColumn } from '../../../model/column.ts';

const MAIN_VALUES: ReadonlySet<string> = new Set(['value', 'url']);

/**
 * The texts at a path within a cell that holds a JSON object or list, as automotive catalogs for advertisers write
 * nested values. Names are compared as column names are; a list on the way stands for each of its items. A plain text
 * stands for the `value` or `url` that is all there is to say. Empty for a cell that holds anything else.
 */
export function jsonTexts(cell: string, steps: readonly string[]): string[] {
  const text = cell.trim();
  if (!text.startsWith('{') && !text.startsWith('['))
    return steps.length === 1 && MAIN_VALUES.has(steps[0] ?? '') && text !== '' ? [text] : [];
  let values: unknown[];
  try {
    values = [JSON.parse(text)];
  } catch {
    return [];
  }
  for (const step of steps) values = values.flat().flatMap((value) => membersNamed(value, step));
  return values.flat().flatMap((value) => (isScalar(value) ? [String(value)] : []));
}

/** The items of a cell that holds a JSON list; undefined for a cell that holds anything else. */
export function jsonItems(cell: string): unknown[] | undefined {
  if (!cell.trimStart().startsWith('[')) return undefined;
  let list: unknown;
  try {
    list = JSON.parse(cell);
  } catch {
    return undefined;
  }
  return Array.isArray(list) ? list : undefined;
}

/** The same as texts: numbers too, and of objects the first text (`{"name": "ABS"}`). */
export function jsonList(cell: string): string[] | undefined {
  return jsonItems(cell)
    ?.flat()
    .flatMap((item: unknown) => {
      if (isScalar(item)) return [String(item)];
      const texts = typeof item === 'object' && item !== null ? Object.values(item) : [];
      return texts.filter((text) => typeof text === 'string').slice(0, 1);
    });
}

function membersNamed(value: unknown, step: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).find(([name]) => normaliseColumn(name) === step);
  return found === undefined ? [] : [found[1]];
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
