/**
 * The part of the file that is in memory: from the beginning of the current record on. It only grows by `append`
 * and is only cut by `dropBefore`, so that memory is bounded by the longest record and not by the file.
 */
export class SourceText {
  text: string;
  /** Whether the file ends where the text ends. */
  isWhole: boolean;
  readonly #lineFeeds = new NextIndex('\n');
  readonly #carriageReturns = new NextIndex('\r');
  readonly #quotes = new NextIndex('"');
  readonly #delimiters = new NextIndex(',');

  constructor(text = '', isWhole = false) {
    this.text = text;
    this.isWhole = isWhole;
  }

  useDelimiter(delimiter: string): void {
    this.#delimiters.look(delimiter);
  }

  append(chunk: string): void {
    this.text += chunk;
    this.#forget();
  }

  dropBefore(index: number): void {
    this.text = this.text.slice(index);
    this.#forget();
  }

  /** Where the line break at or after `from` begins; the length of the text if there is none. */
  lineEnd(from: number): number {
    return Math.min(this.#lineFeeds.find(this.text, from), this.#carriageReturns.find(this.text, from));
  }

  /** Beginning of the line after the break at `lineEnd`: CRLF, LF and CR count as one break each. */
  nextLine(lineEnd: number): number {
    if (lineEnd >= this.text.length) return this.text.length;
    const isPair = this.text[lineEnd] === '\r' && this.text[lineEnd + 1] === '\n';
    return lineEnd + (isPair ? 2 : 1);
  }

  /** Whether the break at `lineEnd` has been seen to its end: a CR that ends the text may be half a CRLF. */
  isLineComplete(lineEnd: number): boolean {
    if (this.isWhole) return true;
    const last = this.text.length - 1;
    return lineEnd < last || (lineEnd === last && this.text[lineEnd] === '\n');
  }

  quote(from: number): number {
    return this.#quotes.find(this.text, from);
  }

  delimiter(from: number): number {
    return this.#delimiters.find(this.text, from);
  }

  #forget(): void {
    for (const index of [this.#lineFeeds, this.#carriageReturns, this.#quotes, this.#delimiters])
      index.forget();
  }
}

/** `indexOf` that remembers its last answer: records are short, the next tab or CR may be megabytes away. */
class NextIndex {
  #character: string;
  #from = 0;
  #found = -1;

  constructor(character: string) {
    this.#character = character;
  }

  look(character: string): void {
    this.#character = character;
    this.forget();
  }

  forget(): void {
    this.#from = 0;
    this.#found = -1;
  }

  /** The length of the text if there is none. */
  find(text: string, from: number): number {
    if (from < this.#from || from > this.#found) {
      const found = text.indexOf(this.#character, from);
      this.#from = from;
      this.#found = found === -1 ? text.length : found;
    }
    return this.#found;
  }
}
