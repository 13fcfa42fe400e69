import { normaliseColumn } from './column.ts';

/** Fields whose words are translated. */
export const VOCABULARY_FIELDS = [
  'condition',
  'status',
  'vehicle_type',
  'make',
  'body',
  'fuel',
  'driveline',
  'transmission',
  'charge_port',
] as const;
export type VocabularyField = (typeof VOCABULARY_FIELDS)[number];

/** Normalised word of a feed or of a shopper → word that is published. */
export type Vocabulary = ReadonlyMap<string, string>;

/** What exports are normalised by, and what a shopper's words are understood by. */
export type Vocabularies = Readonly<Record<VocabularyField, Vocabulary>>;

/** Words are compared as column names are: without case, blanks and `_ - .`. */
export function normaliseWord(text: string): string {
  return normaliseColumn(text);
}
