import { fold } from './fold.ts';
import type { TermField } from './fields.ts';

/**
 * Free text as words. A word is a run of letters and digits, folded; everything else separates. So that `f150`,
 * `f-150` and `f 150` all find an F-150, a compound is kept in its pieces and joined: F-150 gives `f`, `150` and
 * `f150`. In names (make, model, trim) neighbours are joined across blanks too: `Model 3` gives `model3`.
 */

/** Where a word of free text stands, the most telling place first: what the vehicle is, has, and is said to be. */
export const WORD_PLACES = ['names', 'details', 'description'] as const;
export type WordPlace = (typeof WORD_PLACES)[number];

/** The columns whose texts stand in each place. */
export const NAME_FIELDS = ['make', 'model', 'trim', 'year'] as const satisfies readonly TermField[];
export const DETAIL_FIELDS = [
  'body',
  'exterior_color',
  'interior_color',
  'fuel',
  'driveline',
  'transmission',
] as const satisfies readonly TermField[];

/** What most chunks are, and most stock numbers: a single word, which need not be looked for. */
const PLAIN_WORD = /^[a-z0-9]+$/;

/** The words of a query in order. Words without a letter or digit are no words. */
export function queryWords(query: string): string[] {
  return pieces(fold(query));
}

/** @param chunk folded text without blanks */
export function chunkWords(chunk: string): string[] {
  if (PLAIN_WORD.test(chunk)) return [chunk];
  const parts = pieces(chunk);
  return parts.length < 2 ? parts : [...parts, ...pairs(parts), parts.join('')];
}

/**
 * Of a text in which a compound is what no blank divides.
 * @param text folded
 */
export function phraseWords(text: string): string[] {
  if (PLAIN_WORD.test(text)) return [text];
  return text.split(' ').flatMap(chunkWords);
}

/**
 * Of a name, which is a compound across its blanks too.
 * @param name folded
 */
export function nameWords(name: string): string[] {
  return [...phraseWords(name), ...pairs(pieces(name))];
}

function pairs(parts: readonly string[]): string[] {
  return parts.slice(1).map((part, index) => `${parts[index] ?? ''}${part}`);
}

function pieces(folded: string): string[] {
  return folded.match(/[\p{L}\p{N}]+/gu) ?? [];
}
