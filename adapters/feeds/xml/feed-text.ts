import type { ReadContext } from '../../../src/adapters/index.ts';
import { hasLoneReturn, hasPlainCharacters, isBlankCode, spanOf } from './characters.ts';
import type { XmlDocument } from './document.ts';
import { PlainRecords } from './plain-record.ts';
import type { ElementShape } from './record-shape.ts';
import type { TextGate } from './text-gate.ts';

/** A record that is longer is left to the parser, which needs not see it as a whole. */
const LONGEST_PLAIN = 256 * 1024;

/** So much white space at most is kept until what comes behind it is here. */
const LONGEST_GAP = 1000;

/**
 * Parts the text of a document: records that are written plainly (plain-record.ts) are read at a glance, everything
 * else goes through the gate to the parser, which so judges all that could be a fault. A record is looked at only
 * where the parser itself has come to a tag's end outside of records; and as XML means the same wherever an element
 * stands, one that is read at a glance is one that the parser would have read as well.
 */
export class FeedText {
  readonly #gate: TextGate;
  readonly #document: XmlDocument;
  readonly #plain: PlainRecords;
  readonly #recognise: ReturnType<NonNullable<ReadContext['recogniser']>> | undefined;
  #text = '';

  constructor(gate: TextGate, document: XmlDocument, context: ReadContext) {
    this.#gate = gate;
    this.#document = document;
    this.#plain = new PlainRecords(context.limits, document.shapes);
    this.#recognise = context.recogniser?.('');
  }

  write(chunk: string): void {
    this.#text += chunk;
    this.#text = this.#text.slice(this.#read(this.#text, false));
  }

  end(): void {
    this.#read(this.#text, true);
    this.#text = '';
    this.#pass(this.#gate.end());
    this.#document.close();
  }

  /** How far it got: the rest must wait for more text. */
  #read(text: string, isEnd: boolean): number {
    let at = 0;
    while (at < text.length && !this.#document.isRefused) {
      const shape = this.#document.recordShape;
      if (shape === undefined) {
        // Tag by tag, until the first record has shown how its name is written.
        at = this.#send(text, at, text.indexOf('>', at) + 1 || text.length);
        continue;
      }
      const start = text.indexOf(shape.opening, at);
      if (start === -1) return this.#send(text, at, isEnd ? text.length : endOfSure(text, at, shape.opening));
      const gap = startOfGap(text, at, start);
      at = this.#send(text, at, gap);
      const behind = start + shape.opening.length;
      // What it would be is not to be seen yet.
      if (behind === text.length && !isEnd) return at;
      if (!this.#isRecord(shape, text, behind)) {
        at = this.#send(text, at, behind);
        continue;
      }
      const end = this.#readPlain(text, gap, start, shape) ?? this.#readAny(text, gap, start, shape, isEnd);
      if (end === undefined) return at;
      at = end;
    }
    return at;
  }

  #isRecord({ opening }: ElementShape, text: string, behind: number): boolean {
    const next = text[behind];
    if (next !== '>' && next !== '/' && !isBlankCode(text.charCodeAt(behind))) return false;
    return (
      this.#gate.isClear && this.#document.isBetweenElements && this.#document.isRecord(opening.slice(1))
    );
  }

  /** Where the record ends that begins at `start`, behind the white space from `gap` on; undefined if it is not plain. */
  #readPlain(text: string, gap: number, start: number, shape: ElementShape): number | undefined {
    const end = this.#plain.findEnd(text, start, shape, this.#document.depth);
    if (end === -1 || hasLoneReturn(text.slice(gap, end))) return undefined;
    const record = text.slice(start, end);
    const mark = this.#recognise?.(record);
    if (mark?.isKnown !== true && !hasPlainCharacters(record, this.#plain.hasSections)) return undefined;
    const gapSpan = spanOf(text.slice(gap, start));
    const span = spanOf(record);
    this.#gate.skip(gapSpan);
    this.#gate.skip(span);
    this.#document.skip(gapSpan);
    this.#document.addRecord(this.#plain.cells(record), mark, span);
    return end;
  }

  /** Has the parser read the record. Undefined if it is to wait until more of it is here. */
  #readAny(
    text: string,
    gap: number,
    start: number,
    shape: ElementShape,
    isEnd: boolean,
  ): number | undefined {
    const closing = text.indexOf(shape.closing, start);
    if (closing === -1) {
      const isToWait = !isEnd && text.length - start < LONGEST_PLAIN;
      return isToWait ? undefined : this.#send(text, gap, start + shape.opening.length);
    }
    const end = closing + shape.closing.length;
    const { rowCount } = this.#document;
    const { repairs } = this.#gate;
    this.#send(text, gap, end);
    const isWhole = this.#document.isBetweenElements && this.#gate.isClear;
    if (isWhole && this.#document.rowCount === rowCount + 1 && this.#gate.repairs === repairs) {
      const mark = this.#recognise?.(text.slice(start, end));
      if (mark !== undefined) this.#document.markLastRecord(mark);
    }
    return end;
  }

  #send(text: string, from: number, to: number): number {
    if (from < to) this.#pass(this.#gate.write(text.slice(from, to)));
    return to;
  }

  #pass(text: string): void {
    this.#document.write(text);
    this.#document.stop(this.#gate.stop);
  }
}

/** Where the white space begins that ends at `to`; none counts that is long beyond all layout. */
function startOfGap(text: string, from: number, to: number): number {
  const least = Math.max(from, to - LONGEST_GAP);
  let at = to;
  while (at > least && isBlankCode(text.charCodeAt(at - 1))) at -= 1;
  return at;
}

/** Before white space and the beginning of what may be a record's tag. */
function endOfSure(text: string, from: number, opening: string): number {
  const tag = text.lastIndexOf('<');
  const isCut = tag >= from && text.length - tag < opening.length && opening.startsWith(text.slice(tag));
  return startOfGap(text, from, isCut ? tag : text.length);
}
