import { normaliseColumn } from '../../model/column.ts';

/** Normalised word of the feed → word of the protocol. */
export type Vocabulary = ReadonlyMap<string, string>;

/** Words are compared as column names are: without case, blanks and `_ - .`. */
export function normaliseWord(text: string): string {
  return normaliseColumn(text);
}

const MOST_REMEMBERED = 5000;

/**
 * Looks a text up in the tables, the first that knows it wins. Texts repeat from row to row, so answers are
 * remembered.
 */
export function createTranslator(...tables: readonly Vocabulary[]): (raw: string) => string | undefined {
  const remembered = new Map<string, string | undefined>();
  return (raw) => {
    const known = remembered.get(raw);
    if (known !== undefined || remembered.has(raw)) return known;
    const word = normaliseWord(raw);
    const answer = tables.find((table) => table.has(word))?.get(word);
    if (remembered.size < MOST_REMEMBERED) remembered.set(raw, answer);
    return answer;
  };
}

const MOST_KEPT_WORDS = 200;
const LONGEST_KEPT_WORD = 60;

/** Words that no vocabulary knows, counted for the report: field → word → rows. Bounded in number and length. */
export class WordsKept {
  readonly counts = new Map<string, Map<string, number>>();

  add(field: string, word: string): void {
    let words = this.counts.get(field);
    if (words === undefined) this.counts.set(field, (words = new Map()));
    const shown = word.length > LONGEST_KEPT_WORD ? `${word.slice(0, LONGEST_KEPT_WORD)}…` : word;
    const count = words.get(shown);
    if (count !== undefined || words.size < MOST_KEPT_WORDS) words.set(shown, (count ?? 0) + 1);
  }
}
