import { decodeEntities } from './html-entities.ts';
import { BLOCK_TAGS, HIDDEN_TAGS, tagAt } from './html-tag.ts';

/**
 * Plain text of a description: entities decoded, tags taken out, line breaks kept as `\n`, blanks put in order.
 * Vendors encode twice, so there is a second pass; text that only looks like a tag (`2 < 3`) stays. Time grows
 * with the length only, whatever the text is.
 */
export function htmlToText(raw: string): string {
  let text = raw;
  for (let pass = 0; pass < 2 && /[<&]/.test(text); pass++) text = withoutTags(decodeEntities(text));
  return tidyLines(text);
}

/** A description as published: as htmlToText; undefined when nothing is left. */
export function descriptionText(raw: string): string | undefined {
  const text = /[<&]/.test(raw) ? htmlToText(raw) : tidyLines(raw);
  return text === '' ? undefined : text;
}

function withoutTags(text: string): string {
  let result = '';
  const line = { isFresh: true };
  const append = (piece: string): void => {
    if (piece === '') return;
    const blanks = piece.slice(piece.trimEnd().length);
    line.isFresh = blanks.includes('\n') || (blanks === piece && line.isFresh);
    result += piece;
  };
  let position = 0;
  while (position < text.length) {
    const start = text.indexOf('<', position);
    if (start < 0) break;
    const tag = breakAt(text, start);
    if (tag === 'unclosed') break;
    append(text.slice(position, tag === undefined ? start + 1 : start));
    position = tag?.end ?? start + 1;
    if (tag?.break === 'line' || (tag?.break === 'block' && !line.isFresh)) append('\n');
    else if (tag?.break === 'cell') append(' ');
  }
  append(text.slice(position));
  return result;
}

interface Break {
  end: number;
  /** `line` always breaks the line; `block` only where a line has begun, so that `</p><p>` is one break. */
  break?: 'line' | 'block' | 'cell';
}

/** What the tag or comment at `start` does to the text; see tagAt for what is none. */
function breakAt(text: string, start: number): Break | 'unclosed' | undefined {
  if (text.startsWith('<!--', start)) {
    const end = text.indexOf('-->', start + 4);
    return { end: end < 0 ? text.length : end + 3 };
  }
  const tag = tagAt(text, start);
  if (tag === undefined || tag === 'unclosed') return tag;
  const { name, opens, end } = tag;
  if (opens && HIDDEN_TAGS.has(name)) return { end: endOfElement(text, name, end - 1) };
  if (name === 'br') return { end, break: 'line' };
  if (BLOCK_TAGS.has(name)) return { end, break: 'block' };
  return name === 'td' || name === 'th' ? { end, break: 'cell' } : { end };
}

function endOfElement(text: string, name: string, from: number): number {
  const endTag = new RegExp(`</${name}`, 'ig');
  endTag.lastIndex = from;
  const close = endTag.exec(text) === null ? -1 : text.indexOf('>', endTag.lastIndex);
  return close < 0 ? text.length : close + 1;
}

/** Line ends as `\n`, no blanks at the ends of lines, at most one empty line in a row, no control characters. */
function tidyLines(text: string): string {
  if (/^[\x21-\x7e]+( [\x21-\x7e]+)*$/.test(text)) return text;
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[^\S\n]+/g, ' ')
    .replace(/[^\P{Cc}\n]+/gu, '')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
