import type { Vocabularies, VocabularyField } from '../../model/vocabulary.ts';
import { normaliseWord } from '../../model/vocabulary.ts';
import { fold } from './fold.ts';
import type { TermField } from './fields.ts';

/** A word that stands for a value of a column: `chevy` for the make Chevrolet. */
interface Meaning {
  readonly field: TermField;
  /** The value as it is compared (`fold`). */
  readonly key: string;
  /** The word means other things as well (`premium` fuel), so it counts only where no vehicle has it literally. */
  readonly isDoubtful: boolean;
}

/** The vocabulary that normalised the feeds, compiled once for understanding what shoppers write. */
export interface Synonyms {
  /** What the text of a filter means beside itself, as it is compared (`fold`). */
  valueOf(field: TermField, text: string): string | undefined;
  /** What words of free text, written without what stands between them, mean beside themselves. */
  meaningsOf(joinedWords: string): readonly Meaning[];
}

/** In filters the protocol lists the words of conditions and vehicle types, and has none for statuses. */
const FILTER_FIELDS = [
  'make',
  'body',
  'fuel',
  'driveline',
  'transmission',
  'charge_port',
] as const satisfies readonly VocabularyField[];

/** In free text also "used" and "motorcycle", which stand in no text of a vehicle. */
const QUERY_FIELDS = [...FILTER_FIELDS, 'condition', 'vehicle_type'] as const;

/** A `truck` that is filed as a car, and an `atv` filed as other, are no more exactly found by that. */
const VAGUE_TYPES: ReadonlySet<string> = new Set(['car', 'other']);

/** Words of exports that shoppers use for trims, features and parts as well. */
const DOUBTFUL_WORDS: ReadonlySet<string> = new Set([
  ...['premium', 'regular', 'standard', 'front', 'rear', 'all', 'variable', 'combo', 'naked', 'plugin'],
]);

export const NO_SYNONYMS: Synonyms = { valueOf: () => undefined, meaningsOf: () => [] };

export function compileSynonyms(vocabularies: Vocabularies): Synonyms {
  const values = new Map<TermField, ReadonlyMap<string, string>>(
    FILTER_FIELDS.map((field) => [
      field,
      new Map(Array.from(vocabularies[field], ([word, value]) => [word, fold(value)])),
    ]),
  );
  const meanings = new Map<string, Meaning[]>();
  for (const field of QUERY_FIELDS) {
    for (const [word, value] of vocabularies[field]) addMeaning(meanings, word, { field, key: fold(value) });
  }
  return {
    valueOf: (field, text) => values.get(field)?.get(normaliseWord(text)),
    meaningsOf: (joinedWords) => meanings.get(joinedWords) ?? [],
  };
}

function addMeaning(
  meanings: Map<string, Meaning[]>,
  word: string,
  { field, key }: Pick<Meaning, 'field' | 'key'>,
): void {
  if (field === 'vehicle_type' && VAGUE_TYPES.has(key)) return;
  const joined = fold(word).replace(/[^\p{L}\p{N}]+/gu, '');
  // One letter is a code of exports and no word.
  if (joined.length < 2) return;
  const known = meanings.get(joined) ?? [];
  meanings.set(joined, known);
  if (known.some((other) => other.field === field && other.key === key)) return;
  known.push({ field, key, isDoubtful: DOUBTFUL_WORDS.has(joined) });
}
