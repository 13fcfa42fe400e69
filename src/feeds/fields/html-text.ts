import { decodeEntities } from './html-entities.ts';

/** Tags that end a line of text. Others, such as `<b>` or `<a>`, stand inside of one. */
const BLOCK_TAGS = new Set([
  ...['address', 'article', 'aside', 'blockquote', 'br', 'dd', 'div', 'dl', 'dt', 'footer', 'form', 'h1', 'h2'],
  ...['h3', 'h4', 'h5', 'h6', 'header', 'hr', 'li', 'main', 'nav', 'ol', 'p', 'pre', 'section', 'table', 'tr'],
  ...['ul'],
]);

/** Tags whose content is no text at all. */
const HIDDEN_TAGS = new Set(['script', 'style', 'template', 'noscript', 'iframe', 'object', 'svg', 'head', 'title']);

const TAG_NAME = /<(\/?)([a-z][a-z0-9]*)/iy;

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
  let position = 0;
  while (position < text.length) {
    const start = text.indexOf('<', position);
    if (start < 0) break;
    const tag = tagAt(text, start);
    if (tag === 'unclosed') break;
    if (tag === undefined) {
      result += text.slice(position, start + 1);
      position = start + 1;
      continue;
    }
    result += text.slice(position, start) + tag.replacement;
    position = tag.end;
  }
  return result + text.slice(position);
}

/** The tag or comment at `start`, undefined when it is text, `unclosed` when no `>` follows in the whole text. */
function tagAt(text: string, start: number): { end: number; replacement: string } | 'unclosed' | undefined {
  if (text.startsWith('<!--', start)) {
    const end = text.indexOf('-->', start + 4);
    return { end: end < 0 ? text.length : end + 3, replacement: '' };
  }
  TAG_NAME.lastIndex = start;
  const match = TAG_NAME.exec(text);
  if (match === null) return undefined;
  const close = text.indexOf('>', start);
  if (close < 0) return 'unclosed';
  const name = (match[2] ?? '').toLowerCase();
  if (match[1] === '' && HIDDEN_TAGS.has(name) && text.charAt(close - 1) !== '/') {
    return { end: endOfElement(text, name, close), replacement: '' };
  }
  return { end: close + 1, replacement: BLOCK_TAGS.has(name) ? '\n' : name === 'td' || name === 'th' ? ' ' : '' };
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
