import { normaliseWord, type Vocabulary } from '../../../model/vocabulary.ts';
import { remembering } from './remembering.ts';

/** Looks a text up in the tables, the first that knows it wins. */
export function createTranslator(...tables: readonly Vocabulary[]): (raw: string) => string | undefined {
  return remembering((raw) => {
    const word = normaliseWord(raw);
    return tables.find((table) => table.has(word))?.get(word);
  });
}

const MOST_KEPT_WORDS = 200;
const LONGEST_KEPT_WORD = 60;

/** Words that no vocabulary knows, counted for the report: field → word → rows. Bounded in number and length. */
export class WordsKept {
  readonly counts = new Map<string, Map<string, number>>();
  /** Of all fields and rows. */
  total = 0;

  add(field: string, word: string): void {
    this.total += 1;
    const words = this.counts.get(field) ?? new Map<string, number>();
    this.counts.set(field, words);
    const shown = word.length > LONGEST_KEPT_WORD ? `${word.slice(0, LONGEST_KEPT_WORD)}…` : word;
    const count = words.get(shown);
    if (count !== undefined || words.size < MOST_KEPT_WORDS) words.set(shown, (count ?? 0) + 1);
  }
}
