import { characterOf } from './html-characters.ts';

/**
 * Mends what vendors most often get wrong: `Bluetooth & CarPlay`, `One&nbsp;owner`. Only outside of CDATA,
 * comments and processing instructions, and no line break is added or taken away, so that lines stay right.
 */
export class AmpersandRepair {
  repairs = 0;
  #rest = '';
  #closing: string | undefined;

  /** Mends what can be told from the text so far; a construct cut by the end of the chunk waits for the next. */
  write(chunk: string): string {
    return this.#mend(this.#rest + chunk, false);
  }

  end(): string {
    return this.#mend(this.#rest, true);
  }

  #mend(text: string, isEnd: boolean): string {
    let mended = '';
    let at = 0;
    this.#rest = '';
    while (at < text.length) {
      if (this.#closing !== undefined) {
        const closed = text.indexOf(this.#closing, at);
        const kept = closed === -1 ? text.length - (isEnd ? 0 : this.#closing.length - 1) : closed;
        if (closed !== -1) this.#closing = undefined;
        const end = Math.max(kept, at);
        mended += text.slice(at, end);
        at = end;
        if (closed !== -1) continue;
        this.#rest = text.slice(at);
        return mended;
      }
      SPECIAL.lastIndex = at;
      const special = SPECIAL.exec(text);
      const start = special?.index ?? text.length;
      mended += text.slice(at, start);
      at = start;
      if (special === null) break;
      if (!isEnd && text.length - at < LONGEST_BEGINNING && isUnfinished(text.slice(at))) {
        this.#rest = text.slice(at);
        return mended;
      }
      const [replacement, length] = this.#replace(text, at);
      mended += replacement;
      at += length;
    }
    return mended;
  }

  #replace(text: string, at: number): [replacement: string, length: number] {
    const section = SECTIONS.find(({ opening }) => text.startsWith(opening, at));
    if (section !== undefined) {
      this.#closing = section.closing;
      return [section.opening, section.opening.length];
    }
    if (text[at] === '<') return ['<', 1];
    const reference = REFERENCE.exec(text.slice(at, at + LONGEST_BEGINNING));
    const name = reference?.[1];
    if (reference !== null && (name === undefined || XML_NAMES.has(name)))
      return [reference[0], reference[0].length];
    this.repairs += 1;
    const character = name === undefined ? undefined : characterOf(name);
    if (reference === null || character === undefined) return ['&amp;', 1];
    return [`&#${character.codePointAt(0) ?? 0};`, reference[0].length];
  }
}

const SECTIONS = [
  { opening: '<![CDATA[', closing: ']]>' },
  { opening: '<!--', closing: '-->' },
  { opening: '<?', closing: '?>' },
];
const SPECIAL = /[<&]/g;
const REFERENCE = /^&(?:#[0-9]{1,7}|#x[0-9a-fA-F]{1,6}|([a-zA-Z][a-zA-Z0-9]{1,10}));/;
const XML_NAMES = new Set(['amp', 'lt', 'gt', 'quot', 'apos']);
const LONGEST_BEGINNING = 14;

/** Whether more text could still make a section or a reference of it. */
function isUnfinished(text: string): boolean {
  if (text.startsWith('<')) {
    return SECTIONS.some(({ opening }) => opening.startsWith(text) && opening !== text);
  }
  return /^&(#?[0-9a-zA-Z]*)?$/.test(text);
}
