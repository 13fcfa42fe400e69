import { fold } from './fold.ts';
import { packStrings } from './packed-strings.ts';
import { buildPostings, mergePostings, type Postings } from './postings.ts';
import { GrowingNumbers } from './spellings.ts';
import type { TextIndexData } from './text-index.ts';
import { chunkWords } from './words.ts';

/** Longer ones are rarely said twice. */
const REPEATING_CHARACTERS = 120;
/** Texts of each kind that are remembered: a lot whose every comment is new must not fill the memory. */
const MOST_REMEMBERED = 50_000;

/** Texts of a column whose rows are known: its words need not be looked for in every row. */
export interface KnownTexts {
  /** Folded. */
  readonly texts: readonly string[];
  /** The rows of each text. */
  readonly postings: Postings;
  /** The words of a folded text. */
  readonly wordsOf: (text: string) => readonly string[];
}

/**
 * Builds the index of free text of one place. Nearly all texts have been seen before: makes and colours stand in columns
 * whose rows are known, features repeat, and of the descriptions the sentences and the items of their lists. So a text
 * is cut into phrases, each phrase is taken apart once, and a row is kept as the numbers of its phrases, 4 bytes each.
 * The rows of a word are in the end those of its phrases, met set by set instead of row by row.
 */
export class WordIndexBuilder {
  readonly #numberOfWord = new Map<string, number>();
  readonly #phrases = new Map<string, number>();
  readonly #chunks = new Map<string, readonly number[]>();
  /** The words of all phrases, one after the other, and where each phrase ends. */
  readonly #phraseWords = new GrowingNumbers();
  readonly #phraseEnds = new GrowingNumbers();
  /** The phrases of all rows, one after the other, and where each row ends. */
  readonly #rowPhrases = new GrowingNumbers();
  readonly #rowEnds = new GrowingNumbers();

  /** A text of the row at hand. A blank after a punctuation mark stands between two words, so it is cut there. */
  addText(text: string): void {
    let start = 0;
    PHRASE_END.lastIndex = 0;
    while (PHRASE_END.test(text)) {
      const next = PHRASE_END.lastIndex;
      this.#rowPhrases.push(this.#phraseOf(text.slice(start, next - 1)));
      start = next;
    }
    this.#rowPhrases.push(this.#phraseOf(start === 0 ? text : text.slice(start)));
  }

  endRow(): void {
    this.#rowEnds.push(this.#rowPhrases.length);
  }

  /**
   * @param arrivals which of the vehicles that were added, counted from 0, is the one of each row
   * @param columns texts that stand in the same place, of columns over the same rows
   */
  finish(arrivals: Uint32Array, columns: readonly KnownTexts[]): TextIndexData {
    const ownPhrases = buildPostings(arrivals.length, this.#phraseEnds.length, (visit) =>
      this.#forEachPhrase(arrivals, visit),
    );
    const sources = [ownPhrases];
    for (const { texts, postings, wordsOf } of columns) {
      for (const text of texts) this.#newPhrase(wordsOf(text));
      sources.push(postings);
    }
    const sorted = [...this.#numberOfWord.keys()].sort();
    const phrasesOfWord = this.#phrasesOfWords(sorted);
    return { strings: packStrings(sorted), postings: mergePostings(arrivals.length, sources, phrasesOfWord) };
  }

  #phraseOf(text: string): number {
    if (text.length > REPEATING_CHARACTERS) return this.#takeApart(text);
    const known = this.#phrases.get(text);
    if (known !== undefined) return known;
    const phrase = this.#takeApart(text);
    if (this.#phrases.size < MOST_REMEMBERED) this.#phrases.set(ownCopy(text), phrase);
    return phrase;
  }

  #takeApart(text: string): number {
    for (const chunk of fold(text).split(' ')) {
      for (const word of this.#chunkWords(chunk)) this.#phraseWords.push(word);
    }
    return this.#endPhrase();
  }

  #chunkWords(chunk: string): readonly number[] {
    const known = this.#chunks.get(chunk);
    if (known !== undefined) return known;
    const words = chunkWords(chunk).map((word) => this.#word(word));
    if (this.#chunks.size < MOST_REMEMBERED) this.#chunks.set(ownCopy(chunk), words);
    return words;
  }

  #newPhrase(words: readonly string[]): void {
    for (const word of words) this.#phraseWords.push(this.#word(word));
    this.#endPhrase();
  }

  #endPhrase(): number {
    this.#phraseEnds.push(this.#phraseWords.length);
    return this.#phraseEnds.length - 1;
  }

  #word(word: string): number {
    const known = this.#numberOfWord.get(word);
    if (known !== undefined) return known;
    const number = this.#numberOfWord.size;
    this.#numberOfWord.set(ownCopy(word), number);
    return number;
  }

  /** Each phrase of a row once, rows ascending. */
  #forEachPhrase(arrivals: Uint32Array, visit: (phrase: number, row: number) => void): void {
    const [rowEnds, rowPhrases] = [this.#rowEnds.view(), this.#rowPhrases.view()];
    /** The last row, counted from 1, that the phrase was seen in. */
    const lastRow = new Uint32Array(this.#phraseEnds.length);
    for (let row = 0; row < arrivals.length; row++) {
      const arrival = arrivals[row] ?? 0;
      const rowEnd = rowEnds[arrival] ?? 0;
      for (let at = startOf(rowEnds, arrival); at < rowEnd; at++) {
        const phrase = rowPhrases[at] ?? 0;
        if (lastRow[phrase] === row + 1) continue;
        lastRow[phrase] = row + 1;
        visit(phrase, row);
      }
    }
  }

  /** The phrases of each word, one list after the other, and where each list begins. */
  #phrasesOfWords(sorted: readonly string[]): { start: Uint32Array; values: Uint32Array } {
    const [ends, words] = [this.#phraseEnds.view(), this.#phraseWords.view()];
    const placeOfWord = new Uint32Array(sorted.length);
    for (const [place, word] of sorted.entries()) placeOfWord[this.#numberOfWord.get(word) ?? 0] = place;
    const start = new Uint32Array(sorted.length + 1);
    for (const word of words) {
      const following = (placeOfWord[word] ?? 0) + 1;
      start[following] = (start[following] ?? 0) + 1;
    }
    for (let place = 0; place < sorted.length; place++) {
      start[place + 1] = (start[place + 1] ?? 0) + (start[place] ?? 0);
    }
    const values = new Uint32Array(words.length);
    const next = start.slice();
    let at = 0;
    for (let phrase = 0; phrase < ends.length; phrase++) {
      for (const end = ends[phrase] ?? 0; at < end; at++) {
        const place = placeOfWord[words[at] ?? 0] ?? 0;
        const target = next[place] ?? 0;
        values[target] = phrase;
        next[place] = target + 1;
      }
    }
    return { start, values };
  }
}

/** Where a list begins of which `ends` tells the ends. */
function startOf(ends: Uint32Array, index: number): number {
  return index === 0 ? 0 : (ends[index - 1] ?? 0);
}

/** A mark and the blank after it. */
const PHRASE_END = /[.,;:!?] /g;

/** The engine copies shorter pieces by itself. */
const SHORTEST_SHARED_PIECE = 13;

/** A piece that was cut out of a long text would keep all of that text in memory. */
function ownCopy(piece: string): string {
  if (piece.length < SHORTEST_SHARED_PIECE) return piece;
  const copy = Buffer.from(piece).toString();
  // Half a character pair does not survive UTF-8.
  return copy === piece ? copy : piece;
}
