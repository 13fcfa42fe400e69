import type { RowNote } from '../../../src/adapters/index.ts';
import { spanOf, type Span } from './characters.ts';
import { characterOf } from './html-characters.ts';

/** Why no text is let through any more. Lines and columns count from 1. */
export interface Stop extends RowNote {
  readonly line: number;
  readonly column: number;
}

/**
 * Goes through the text before the parser does. Outside of CDATA, comments and processing instructions it looks at
 * each `&` (`Bluetooth & CarPlay`, `One&nbsp;owner`), and either mends it or stops there: the parser itself would
 * take everything up to the next semicolon, perhaps megabytes on, for a name and tell a wrong place. A DOCTYPE stops
 * it as well: without one there are no entities that could grow.
 */
export class TextGate {
  /** How many places have been mended. */
  repairs = 0;
  stop: Stop | undefined;
  readonly #mends: boolean;
  #rest = '';
  #sectionEnd: string | undefined;
  #line = 1;
  #column = 1;

  constructor(mends: boolean) {
    this.#mends = mends;
  }

  /** Whether all text has gone on to the parser, and no CDATA section, comment or instruction is open. */
  get isClear(): boolean {
    return this.#rest === '' && this.#sectionEnd === undefined;
  }

  /** A text goes by that needs no mending. */
  skip({ lines, columns }: Span): void {
    this.#line += lines;
    this.#column = lines === 0 ? this.#column + columns : columns + 1;
  }

  /** The text that may go on to the parser; what is cut off at the end of a chunk waits for the next. */
  write(chunk: string): string {
    return this.#pass(this.#rest + chunk, false);
  }

  end(): string {
    return this.#pass(this.#rest, true);
  }

  #pass(text: string, isEnd: boolean): string {
    let passed = '';
    let at = 0;
    while (at < text.length && this.stop === undefined) {
      const special =
        this.#sectionEnd === undefined ? nextSpecial(text, at) : text.indexOf(this.#sectionEnd, at);
      if (special === -1) {
        const kept = isEnd ? 0 : Math.min(text.length - at, (this.#sectionEnd?.length ?? 1) - 1);
        passed += text.slice(at, text.length - kept);
        at = text.length - kept;
        break;
      }
      passed += text.slice(at, special);
      at = special;
      if (!isEnd && isUnfinished(text, at)) break;
      const [replacement, length] = this.#sectionEnd === undefined ? this.#enter(text, at) : this.#leave();
      passed += replacement;
      at += length;
    }
    this.skip(spanOf(text.slice(0, at)));
    this.#rest = text.slice(at);
    return passed;
  }

  #leave(): [replacement: string, length: number] {
    const end = this.#sectionEnd ?? '';
    this.#sectionEnd = undefined;
    return [end, end.length];
  }

  #enter(text: string, at: number): [replacement: string, length: number] {
    const section = SECTIONS.find(({ opening }) => text.startsWith(opening, at));
    if (section !== undefined) {
      this.#sectionEnd = section.end;
      return [section.opening, section.opening.length];
    }
    if (text.startsWith(DOCTYPE, at)) return this.#stopAt(text, at, { code: 'xml_doctype_refused' });
    if (text[at] === '<') return ['<', 1];
    const [reference, name] = REFERENCE.exec(text.slice(at, at + LONGEST_REFERENCE)) ?? [];
    if (reference !== undefined && (name === undefined || XML_NAMES.has(name)))
      return [reference, reference.length];
    if (!this.#mends) {
      const detail = `"${reference ?? '&'}" is no reference; a bare & must be &amp;`;
      return this.#stopAt(text, at, { code: 'xml_not_well_formed', detail });
    }
    this.repairs += 1;
    const character = name === undefined ? undefined : characterOf(name);
    if (reference === undefined || character === undefined) return ['&amp;', 1];
    return [`&#${character.codePointAt(0) ?? 0};`, reference.length];
  }

  #stopAt(text: string, at: number, note: RowNote): [replacement: string, length: number] {
    this.stop = { ...note, ...this.#placeOf(text.slice(0, at)) };
    return ['', 0];
  }

  /** Where the text goes on after `before`. */
  #placeOf(before: string): { line: number; column: number } {
    const { lines, columns } = spanOf(before);
    return { line: this.#line + lines, column: lines === 0 ? this.#column + columns : columns + 1 };
  }
}

const SECTIONS = [
  { opening: '<![CDATA[', end: ']]>' },
  { opening: '<!--', end: '-->' },
  { opening: '<?', end: '?>' },
];
const DOCTYPE = '<!DOCTYPE';
const LONGEST_REFERENCE = 14;
const REFERENCE = /^&(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|([a-zA-Z][a-zA-Z0-9]{1,11}));/;
const XML_NAMES = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
/** All but XML's own references, which stand in most texts. */
const SPECIAL = /&(?!(?:amp|lt|gt|quot|apos);)|<(?:[!?]|$)/g;

function nextSpecial(text: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(text)?.index ?? -1;
}

/** Whether more text could still make something else of what begins at `at`. */
function isUnfinished(text: string, at: number): boolean {
  if (text.length - at >= LONGEST_REFERENCE) return false;
  const end = text.slice(at);
  const openings = [DOCTYPE, ...SECTIONS.map(({ opening }) => opening)];
  return openings.some((opening) => opening.startsWith(end)) || /^&#?[0-9a-zA-Z]*$/.test(end);
}
