import type { AdfElement } from './element.ts';
import type { PrologForm } from './options.ts';

/**
 * Pure ASCII, one element a line, so that a mail can carry it as it is: 7bit needs lines of at most 76 characters
 * (adf-1.0 section 2.2).
 *
 * A line that would be too long first loses its indent, and is then broken between the attributes of a tag, before
 * or after the text of comments, and within them at a blank. What is too long only because it is escaped stays as
 * the buyer wrote it: such a line, and a word without end, is the business of the mail's transfer encoding.
 */
const LONGEST_LINE = 75;

const PROLOGS: Readonly<Record<PrologForm, string>> = {
  'xml-utf8': '<?xml version="1.0" encoding="UTF-8"?>\n<?adf version="1.0"?>\n',
  xml: '<?xml version="1.0"?>\n<?adf version="1.0"?>\n',
  'upper-case': '<?xml version="1.0"?>\n<?ADF VERSION="1.0"?>\n',
  declaration: '<?xml version="1.0" encoding="UTF-8"?>\n',
};

/** The document, from the first byte `<` to the line end after the root's end tag. */
export function writeDocument(root: AdfElement, prolog: PrologForm): string {
  const lines: string[] = [];
  writeElement(root, '', lines);
  return `${PROLOGS[prolog]}${lines.join('\n')}\n`;
}

function writeElement(element: AdfElement, indent: string, lines: string[]): void {
  if (typeof element.content === 'string') {
    writeLeaf(element, element.content, indent, lines);
    return;
  }
  lines.push(...startTag(element, '>', indent));
  for (const child of element.content) writeElement(child, `${indent} `, lines);
  lines.push(`${indent}</${element.name}>`);
}

function writeLeaf(element: AdfElement, content: string, indent: string, lines: string[]): void {
  const endTag = `</${element.name}>`;
  if (!hasLinesOfItsOwn(element)) {
    const ending = `>${escapeText(content)}${endTag}`;
    const indented = startTag(element, ending, indent);
    lines.push(...(indented.every(fits) ? indented : startTag(element, ending, '')));
    return;
  }
  const tag = `<${element.name}>`;
  const [opening = '', ...rest] = content
    .split('\n')
    .flatMap((line, index) => wrapLine(line, index === 0 ? tag : ''));
  const bare = opening.slice(tag.length);
  if (fits(indent + opening)) lines.push(indent + opening);
  else if (!fits(opening) && fits(bare)) lines.push(tag, bare);
  else lines.push(opening);
  lines.push(...rest);
  const last = lines.pop() ?? '';
  if (fits(last + endTag) || !fits(last)) lines.push(last + endTag);
  else lines.push(last, endTag);
}

/** One line of comments, escaped, with the tag before it, as lines that fit. Each break stands for one blank. */
function wrapLine(text: string, tag: string): string[] {
  if (fits(text)) return [tag + escapeText(text)];
  const [first = '', ...words] = text.split(' ').map(escapeText);
  const lines = [tag + first];
  for (const word of words) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** Comments are read by people: a line break in place of a blank, before or after them does no harm. */
function hasLinesOfItsOwn({ name }: AdfElement): boolean {
  return name === 'comments' || name === 'pricecomments';
}

/** The start tag with what must follow on its last line, broken between attributes where needed. */
function startTag(element: AdfElement, ending: string, indent: string): string[] {
  const attributes = Object.entries(element.attributes).map(
    ([name, value]) => `${name}="${escapeText(value)}"`,
  );
  const pieces = [`<${element.name}`, ...attributes];
  pieces.push((pieces.pop() ?? '') + ending);
  const lines: string[] = [];
  let line = indent + (pieces.shift() ?? '');
  for (const piece of pieces) {
    if (fits(`${line} ${piece}`)) {
      line = `${line} ${piece}`;
    } else {
      lines.push(line);
      line = `${indent}  ${piece}`;
    }
  }
  return [...lines, line];
}

function fits(line: string): boolean {
  return line.length <= LONGEST_LINE;
}

const NAMED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/**
 * Everything beyond printable ASCII becomes a numeric reference. A carriage return must: a parser would otherwise
 * read it as a line feed.
 */
function escapeText(text: string): string {
  return text.replace(
    /[&<>"]|[^\t\n\x20-\x7e]/gu,
    (character) => NAMED[character] ?? `&#${String(character.codePointAt(0))};`,
  );
}
