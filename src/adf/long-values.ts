import { cutText } from './comments.ts';
import type { AdfElement } from './element.ts';

/**
 * The protocol sets names, places and most other lines no limit but that of the whole request, and a CRM that stores
 * some hundred characters refuses the lead or cuts it in silence. No honest value is as long.
 */
const LONGEST_VALUE = 500;

/** Texts with a limit of their own (`comments_limit`), and what is worth nothing when a part of it is missing. */
const NEVER_CUT: ReadonlySet<string> = new Set([
  'comments',
  'pricecomments',
  'id',
  'vin',
  'email',
  'url',
  'imagetag',
]);

/** The same tree, with lines that are too long cut and marked as cut. */
export function withShortValues<Name extends AdfElement['name']>(
  element: AdfElement<Name>,
  leadId: string,
): AdfElement<Name> {
  const { name, content } = element;
  if (typeof content !== 'string') {
    return { ...element, content: content.map((child) => withShortValues(child, leadId)) };
  }
  if (content.length <= LONGEST_VALUE || NEVER_CUT.has(name)) return element;
  return { ...element, content: cutText(content, LONGEST_VALUE, leadId) };
}
