import { normaliseColumn } from '../../../model/column.ts';

/**
 * The texts at a path within a cell that holds a JSON object or list, as automotive catalogs for advertisers write
 * nested values. Names are compared as column names are; a list on the way stands for each of its items. Empty for
 * a cell that holds anything else.
 */
export function jsonTexts(cell: string, steps: readonly string[]): string[] {
  const text = cell.trim();
  if (!text.startsWith('{') && !text.startsWith('[')) return [];
  let values: unknown[];
  try {
    values = [JSON.parse(text)];
  } catch {
    return [];
  }
  for (const step of steps) values = values.flat().flatMap((value) => membersNamed(value, step));
  return values.flat().flatMap((value) => (isScalar(value) ? [String(value)] : []));
}

function membersNamed(value: unknown, step: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).find(([name]) => normaliseColumn(name) === step);
  return found === undefined ? [] : [found[1]];
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
