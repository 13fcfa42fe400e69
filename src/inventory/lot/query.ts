import type { TermField } from './fields.ts';
import type { LotData } from './lot-data.ts';
import type { Narrowing } from './narrowing.ts';
import { otherForms } from './other-forms.ts';
import { addRowsOf } from './postings.ts';
import { addRows, keepCommonRows, type RowSet } from './row-set.ts';
import type { Synonyms } from './synonyms.ts';
import type { TermColumn } from './term-column.ts';
import { findPrefix, findString } from './packed-strings.ts';
import { addRowsWith } from './text-index.ts';
import { queryWords, WORD_PLACES, type WordPlace } from './words.ts';

/** What free text is looked up in. */
export interface QueryIndex {
  readonly data: LotData;
  readonly terms: Readonly<Record<TermField, TermColumn>>;
  readonly synonyms: Synonyms;
}

/** Rows that have the word at hand, by the place where they have it; a place that is not asked for is left out. */
type FoundRows = Readonly<Partial<Record<WordPlace, RowSet>>>;

/** Overwritten by every call. */
export interface QueryScratch {
  readonly found: RowSet;
  readonly names: RowSet;
  readonly details: RowSet;
}

export function queryScratch(words: number): QueryScratch {
  return {
    found: new Uint32Array(words),
    names: new Uint32Array(words),
    details: new Uint32Array(words),
  };
}

/** Words that say nothing about a vehicle. They may match and need not, unless the query has no others. */
const STOP_WORDS: ReadonlySet<string> = new Set([
  ...['a', 'an', 'the', 'this', 'that', 'any', 'some', 'and', 'or', 'with', 'in', 'on', 'at', 'of'],
  ...['for', 'from', 'to', 'by', 'near', 'under', 'below', 'less', 'than', 'over', 'above', 'more', 'about'],
  ...['is', 'are', 'has', 'have', 'having', 'i', 'we', 'me', 'my', 'want', 'need', 'looking', 'find', 'show'],
  ...['please', 'sale', 'car', 'cars', 'vehicle', 'vehicles'],
]);

/** The words that must match: all but stop words, or all where there are no others. */
export function requiredWords(words: readonly string[]): ReadonlySet<string> {
  const telling = words.filter((word) => !STOP_WORDS.has(word));
  return new Set(telling.length > 0 ? telling : words);
}

/** The longest synonym in words: `four wheel drive` and `north american charging standard`. */
const MOST_WORDS_OF_SYNONYM = 4;

const VIN_LENGTH = 17;
const NUMBER = /^\p{N}+$/u;

/**
 * Every word must match: whatever begins with it, a number or single letter only what is it, unless no vehicle has
 * that. A word also matches together with its neighbour (`cr v` finds a CRV), and what it means in the vocabulary,
 * alone or with its neighbours. One that says nothing of a vehicle's names and facts in either way is looked for in its
 * other forms as well (`other-forms.ts`). A query without any word asks for nothing and constrains nothing.
 */
export function narrowByQuery(
  index: QueryIndex,
  query: string | undefined,
  narrowing: Narrowing,
  scratch: QueryScratch,
): void {
  const words = query === undefined ? [] : queryWords(query);
  const { found } = scratch;
  const anywhere = { names: found, details: found, description: found };
  forEachRequired(words, (place) => {
    found.fill(0);
    addWord(index, words, place, anywhere);
    narrowing.keep(found);
    return !narrowing.isEmpty;
  });
}

/**
 * Takes out of `inNames` the rows that do not have every word of the query in their names, and out of `inDetails` those
 * that have one in neither names nor details. Apart from narrowing, as only a search without an order asks for it.
 */
export function narrowByPlace(
  index: QueryIndex,
  query: string,
  within: { readonly inNames: RowSet; readonly inDetails: RowSet },
  { names, details }: QueryScratch,
): void {
  const words = queryWords(query);
  forEachRequired(words, (place) => {
    names.fill(0);
    details.fill(0);
    addWord(index, words, place, { names, details });
    addRows(details, names);
    keepCommonRows(within.inNames, names);
    keepCommonRows(within.inDetails, details);
    return true;
  });
}

/** @param visit returns whether to go on */
function forEachRequired(words: readonly string[], visit: (place: number) => boolean): void {
  const required = requiredWords(words);
  for (const [place, word] of words.entries()) if (required.has(word) && !visit(place)) return;
}

function addWord(index: QueryIndex, words: readonly string[], place: number, found: FoundRows): void {
  const word = words[place] ?? '';
  const known = addLiteral(index.data, word, found);
  const isJoined = addJoined(index.data, words, place, found);
  const isMeant = addMeanings(index, words, place, known !== undefined, found);
  if (isJoined || isMeant || (known !== undefined && known !== 'description')) return;
  for (const form of otherForms(word)) {
    const isKnown = addLiteral(index.data, form, found) !== undefined;
    addMeanings(index, [form], 0, isKnown, found);
  }
}

/** Together with its neighbours. Returns whether any vehicle has that. */
function addJoined(data: LotData, words: readonly string[], place: number, found: FoundRows): boolean {
  const word = words[place] ?? '';
  const [before, after] = [words[place - 1], words[place + 1]];
  const withBefore = before === undefined ? undefined : addLiteral(data, before + word, found);
  const withAfter = after === undefined ? undefined : addLiteral(data, word + after, found);
  return withBefore !== undefined || withAfter !== undefined;
}

/** Returns the best place where any vehicle has the word. */
function addLiteral(data: LotData, word: string, found: FoundRows): WordPlace | undefined {
  if (word.length === VIN_LENGTH && found.names !== undefined) addRowsWith(data.vins, word, found.names);
  if (!isWhole(word)) return addPrefix(data, word, found);
  let best: WordPlace | undefined;
  for (const part of WORD_PLACES) {
    const known = findString(data.words[part].strings, word);
    if (known < 0) continue;
    best ??= part;
    const set = found[part];
    if (set !== undefined) addRowsOf(data.words[part].postings, known, set);
  }
  return best ?? addPrefix(data, word, found);
}

function isWhole(word: string): boolean {
  return word.length === 1 || NUMBER.test(word);
}

function addPrefix(data: LotData, prefix: string, found: FoundRows): WordPlace | undefined {
  let best: WordPlace | undefined;
  for (const part of WORD_PLACES) {
    const { strings, postings } = data.words[part];
    const { first, end } = findPrefix(strings, prefix);
    if (first < end) best ??= part;
    const set = found[part];
    if (set === undefined) continue;
    for (let known = first; known < end; known++) addRowsOf(postings, known, set);
  }
  return best;
}

/** Of every run of words that the one at hand belongs to. Returns whether any vehicle is what they mean. */
function addMeanings(
  { terms, synonyms }: QueryIndex,
  words: readonly string[],
  place: number,
  isKnown: boolean,
  found: FoundRows,
): boolean {
  let isMeant = false;
  for (let start = Math.max(0, place - MOST_WORDS_OF_SYNONYM + 1); start <= place; start++) {
    let joined = words.slice(start, place).join('');
    const end = Math.min(words.length, start + MOST_WORDS_OF_SYNONYM);
    for (let last = place; last < end; last++) {
      joined += words[last] ?? '';
      for (const { field, key, isDoubtful } of synonyms.meaningsOf(joined)) {
        const code = isDoubtful && isKnown ? undefined : terms[field].codeOf.get(key);
        const part = field === 'make' ? found.names : found.details;
        isMeant ||= code !== undefined;
        if (code !== undefined && part !== undefined) addRowsOf(terms[field].postings, code - 1, part);
      }
    }
  }
  return isMeant;
}
