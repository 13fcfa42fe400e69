import { normaliseColumn } from '../../../model/column.ts';
import { isNeverPublished } from '../../profile/never-published.ts';

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

/**
 * Whether a cell holds an object, or a list of them, in JSON or nearly so: a record of its own, in which anything may
 * stand, and no text for buyers.
 */
export function holdsRecord(cell: string): boolean {
  const first = cell.charCodeAt(0);
  if (first !== BRACE && first !== BRACKET && first > BLANK) return false;
  return /^\s*(?:\[\s*)?\{\s*(?:["']|\}\s*\]?\s*$)/.test(cell);
}

const BLANK = 0x20;
const BRACE = '{'.charCodeAt(0);
const BRACKET = '['.charCodeAt(0);

/** The items of a cell that holds a JSON list; undefined for a cell that holds anything else. */
function jsonItems(cell: string): unknown[] | undefined {
  if (!cell.trimStart().startsWith('[')) return undefined;
  let list: unknown;
  try {
    list = JSON.parse(cell);
  } catch {
    return undefined;
  }
  return Array.isArray(list) ? list : undefined;
}

/** Members that say what an item is, in the order of preference; a code beside them is none for buyers. */
const ITEM_NAMES = ['name', 'label', 'title', 'description', 'text', 'value', 'feature', 'option'];

/** The same as texts: numbers too, and of objects the text that names them (`{"code": "53T", "name": "ABS"}`). */
export function jsonList(cell: string): string[] | undefined {
  return jsonItems(cell)
    ?.flat()
    .flatMap((item: unknown) => (isScalar(item) ? [String(item)] : nameOfItem(item)));
}

function nameOfItem(item: unknown): string[] {
  if (typeof item !== 'object' || item === null) return [];
  const texts = Object.entries(item).flatMap(([name, text]) =>
    typeof text === 'string' && text.trim() !== '' && !isNeverPublished(name)
      ? [{ name: normaliseColumn(name), text }]
      : [],
  );
  if (texts.some(({ text }) => isNeverPublished(text))) return [];
  const named = ITEM_NAMES.map((name) => texts.find((each) => each.name === name)).find(
    (each) => each !== undefined,
  );
  return [named?.text ?? texts[0]?.text].filter((text) => text !== undefined);
}

function membersNamed(value: unknown, step: string): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const found = Object.entries(value).find(([name]) => normaliseColumn(name) === step);
  return found === undefined ? [] : [found[1]];
}

function isScalar(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
