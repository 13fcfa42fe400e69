import { htmlToText } from './html-text.ts';
import { holdsRecord, jsonList } from './json-cell.ts';
import { lineText } from './text.ts';

/** Longer pieces are advertising prose that vendors put into option lists, not features. */
const LONGEST_FEATURE = 100;
const MOST_FEATURES = 300;

/** Elements that stand on lines of their own; an `&lt;` is one that was written as a text. */
const HTML_LIST = /(?:<|&lt;)(?:li|br|p|div|tr|ul|ol)[\s/>&]/i;

export interface ListFormat {
  /** Between the items; line breaks always separate too. Without one, a cell is one item. */
  separator?: string | undefined;
  /** What stands before this text in an item is a heading: with `@`, `Audio@Bose` gives `Bose`. */
  after?: string | undefined;
  /** So many items at the beginning are none, such as a code that stands before the list. */
  skip?: number | undefined;
}

/** The items of one cell, in order, blanks gone, empty ones left out. A list in JSON is told by itself. */
export function splitList(
  cell: string,
  { separator, after, skip = 0 }: ListFormat,
  itemText = lineText,
): string[] {
  const items: string[] = [];
  let toSkip = skip;
  const add = (piece: string): void => {
    if (toSkip-- > 0) return;
    const item = itemText(withoutHeading(piece, after));
    if (item !== undefined) items.push(item);
  };
  const listed = jsonList(cell);
  if (listed !== undefined) {
    for (const piece of listed) add(piece);
    return items;
  }
  // A record, or a list that is broken: nobody knows what stands in it.
  if (holdsRecord(cell)) return items;
  const text = HTML_LIST.test(cell) ? htmlToText(cell) : cell;
  for (const line of text.includes('\n') ? text.split(/[\r\n]+/) : [text]) {
    for (const piece of separator === undefined ? [line] : line.split(separator)) add(piece);
  }
  return items;
}

function withoutHeading(item: string, after: string | undefined): string {
  const place = after === undefined ? -1 : item.indexOf(after);
  return after === undefined || place < 0 ? item : item.slice(place + after.length);
}

/**
 * Adds a cell's features to those found so far, each once whatever its letters' case. `itemText` is lineText, perhaps
 * one that remembers: a file has thousands of cells and a few hundred features.
 */
export function addFeatures(
  found: Map<string, string>,
  cell: string,
  format: ListFormat,
  itemText = lineText,
): void {
  for (const feature of splitList(cell, format, itemText)) {
    if (feature.length > LONGEST_FEATURE || found.size >= MOST_FEATURES) continue;
    const key = feature.toLowerCase();
    if (!found.has(key)) found.set(key, feature);
  }
}
