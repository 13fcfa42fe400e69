import type { AttributeValue } from '../../../model/vehicle.ts';
import { splitList, type ListFormat } from './features.ts';
import { doubtAboutNumber } from './numbers.ts';
import { lineText } from './text.ts';

export const LONGEST_TEXT = 500;
const MOST_ITEMS = 50;

/** Keys of other_attributes. */
const ATTRIBUTE_NAME = /^[a-z][a-z0-9_]{0,49}$/;

/**
 * A value of other_attributes. A number that can be written back exactly as it came becomes one (`62`, not
 * `0062`), `true` and `false` become booleans, all else stays text (`1.255` too, which may be thousands); with a separator
 * it is a list of texts.
 */
export function attributeValue(raw: string, format: ListFormat): AttributeValue | undefined {
  if (format.separator !== undefined) {
    const items = splitList(raw, format).filter((item) => item.length <= LONGEST_TEXT);
    return items.length === 0 ? undefined : items.slice(0, MOST_ITEMS);
  }
  const text = lineText(raw);
  if (text === undefined || text.length > LONGEST_TEXT) return undefined;
  if (/^(true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const isPlain = /^-?\d{1,12}(\.\d{1,6})?$/.test(text) && doubtAboutNumber(text) === undefined;
  const number = isPlain ? Number(text) : undefined;
  return number !== undefined && String(number) === text ? number : text;
}

/** `wheel_count=2|final_drive=belt`: the pairs in order, and the items that are no pair. */
export function attributePairs(
  cell: string,
  separator: string,
): { pairs: { name: string; value: string }[]; invalid: string[] } {
  const pairs: { name: string; value: string }[] = [];
  const invalid: string[] = [];
  for (const item of splitList(cell, { separator }).slice(0, MOST_ITEMS)) {
    const equals = item.indexOf('=');
    const name = item.slice(0, Math.max(equals, 0)).trim().toLowerCase();
    if (ATTRIBUTE_NAME.test(name)) pairs.push({ name, value: item.slice(equals + 1) });
    else invalid.push(item);
  }
  return { pairs, invalid };
}
