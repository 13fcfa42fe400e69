import { VOCABULARY_FIELDS, type Vocabularies } from '../../src/model/vocabulary.ts';

/** The vocabulary files as they would be loaded, had they these words. */
export function vocabulariesOf(
  words: readonly { field: string; said: string; meant: string }[],
): Vocabularies {
  const tables = VOCABULARY_FIELDS.map((field) => [
    field,
    new Map(
      words
        .filter((word) => word.field === field)
        .map(({ said, meant }) => [said.toLowerCase().replace(/[ _.-]/g, ''), meant]),
    ),
  ]);
  return Object.fromEntries(tables) as Vocabularies;
}
