import { fold } from './fold.ts';
import { packStrings } from './packed-strings.ts';
import { buildPostings } from './postings.ts';
import { GrowingNumbers } from './spellings.ts';
import type { TextIndexData } from './text-index.ts';
import { chunkWords, nameWords, type PlaceTexts } from './words.ts';

/** Longer ones are rarely said twice. */
const REPEATING_CHARACTERS = 120;
/** Texts of each kind that are remembered: a lot whose every comment is new must not fill the memory. */
const MOST_REMEMBERED = 50_000;

/**
 * Builds the index of free text of one place. Nearly all the time goes into taking texts apart, and nearly all of them have been
 * seen before: colours and features, and of the descriptions the sentences and the items of their lists. So a text is
 * cut into phrases, each phrase is taken apart once, and a row is kept as the numbers of its phrases: 60 to 100 bytes,
 * where the numbers of its words would be three times as many. Words come in again when the postings are built.
 */
export class WordIndexBuilder {
  readonly #numberOfWord = new Map<string, number>();
  readonly #names = new Map<string, number>();
  readonly #phrases = new Map<string, number>();
  readonly #chunks = new Map<string, readonly number[]>();
  /** The words of all phrases, one after the other, and where each phrase ends. */
  readonly #phraseWords = new GrowingNumbers();
  readonly #phraseEnds = new GrowingNumbers();
  /** The phrases of all rows, one after the other, and where each row ends. */
  readonly #rowPhrases = new GrowingNumbers();
  readonly #rowEnds = new GrowingNumbers();

  /** The texts of the next row's vehicle. */
  add({ names = [], phrases = [], key }: PlaceTexts): void {
    for (const name of names) {
      this.#rowPhrases.push(remembered(this.#names, name, () => this.#newPhrase(nameWords(fold(name)))));
    }
    for (const text of phrases) if (text !== undefined) this.#addText(text);
    // No two vehicles share it, so there is nothing to remember.
    if (key !== undefined) {
      this.#rowPhrases.push(this.#newPhrase(fold(key).split(' ').flatMap(chunkWords)));
    }
    this.#rowEnds.push(this.#rowPhrases.length);
  }

  /** @param arrivals which of the vehicles that were added, counted from 0, is the one of each row */
  finish(arrivals: Uint32Array): TextIndexData {
    const sorted = [...this.#numberOfWord.keys()].sort();
    const placeOfWord = new Uint32Array(sorted.length);
    for (const [place, word] of sorted.entries()) placeOfWord[this.#numberOfWord.get(word) ?? 0] = place;
    const postings = buildPostings(arrivals.length, sorted.length, (visit) =>
      this.#forEachWord(arrivals, (word, row) => visit(placeOfWord[word] ?? 0, row)),
    );
    return { strings: packStrings(sorted), postings };
  }

  /** A blank after a punctuation mark stands between two words whatever they are, so a text may be cut there. */
  #addText(text: string): void {
    let start = 0;
    for (let blank = text.indexOf(' '); blank >= 0; blank = text.indexOf(' ', blank + 1)) {
      if (!PUNCTUATION.has(text.charCodeAt(blank - 1))) continue;
      this.#rowPhrases.push(this.#phraseOf(text.slice(start, blank)));
      start = blank + 1;
    }
    this.#rowPhrases.push(this.#phraseOf(start === 0 ? text : text.slice(start)));
  }

  #phraseOf(text: string): number {
    return text.length > REPEATING_CHARACTERS
      ? this.#takeApart(text)
      : remembered(this.#phrases, text, () => this.#takeApart(text));
  }

  #takeApart(text: string): number {
    for (const chunk of fold(text).split(' ')) {
      const words = remembered(this.#chunks, chunk, () => chunkWords(chunk).map((word) => this.#word(word)));
      for (const word of words) this.#phraseWords.push(word);
    }
    return this.#endPhrase();
  }

  #newPhrase(words: readonly string[]): number {
    for (const word of words) this.#phraseWords.push(this.#word(word));
    return this.#endPhrase();
  }

  #endPhrase(): number {
    this.#phraseEnds.push(this.#phraseWords.length);
    return this.#phraseEnds.length - 1;
  }

  #word(word: string): number {
    const known = this.#numberOfWord.get(word);
    if (known !== undefined) return known;
    const number = this.#numberOfWord.size;
    this.#numberOfWord.set(word, number);
    return number;
  }

  /** Each word of a row once, rows ascending. */
  #forEachWord(arrivals: Uint32Array, visit: (word: number, row: number) => void): void {
    const [rowEnds, rowPhrases] = [this.#rowEnds.view(), this.#rowPhrases.view()];
    const [phraseEnds, phraseWords] = [this.#phraseEnds.view(), this.#phraseWords.view()];
    /** The last row, counted from 1, that the word was seen in. */
    const lastRow = new Uint32Array(this.#numberOfWord.size);
    for (let row = 0; row < arrivals.length; row++) {
      const arrival = arrivals[row] ?? 0;
      const rowEnd = rowEnds[arrival] ?? 0;
      for (let at = startOf(rowEnds, arrival); at < rowEnd; at++) {
        const phrase = rowPhrases[at] ?? 0;
        const phraseEnd = phraseEnds[phrase] ?? 0;
        for (let place = startOf(phraseEnds, phrase); place < phraseEnd; place++) {
          const word = phraseWords[place] ?? 0;
          if (lastRow[word] === row + 1) continue;
          lastRow[word] = row + 1;
          visit(word, row);
        }
      }
    }
  }
}

/** Where a list begins of which `ends` tells the ends. */
function startOf(ends: Uint32Array, index: number): number {
  return index === 0 ? 0 : (ends[index - 1] ?? 0);
}

const PUNCTUATION: ReadonlySet<number> = new Set(Array.from('.,;:!?', (mark) => mark.charCodeAt(0)));

function remembered<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key);
  if (value !== undefined) return value;
  const made = make();
  if (known.size < MOST_REMEMBERED) known.set(ownCopy(key), made);
  return made;
}

/** A piece that was cut out of a long text would keep all of that text in memory. */
function ownCopy(piece: string): string {
  const copy = Buffer.from(piece).toString();
  // Half a character pair does not survive UTF-8.
  return copy === piece ? copy : piece;
}
