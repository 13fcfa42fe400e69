/** British and American spellings of words that say something about a vehicle; either is the other's. */
const SPELLINGS: readonly (readonly [string, string])[] = [
  ['grey', 'gray'],
  ['tyre', 'tire'],
  ['tyres', 'tires'],
  ['aluminium', 'aluminum'],
  ['kerb', 'curb'],
  ['licence', 'license'],
];
const OTHER_SPELLING: ReadonlyMap<string, string> = new Map(
  SPELLINGS.flatMap(([one, other]) => [
    [one, other],
    [other, one],
  ]),
);

const SHORTEST_PLURAL = 3;

/**
 * How a word, folded, may stand on the lot otherwise: `trucks` as truck, `bodies` as body, `grey` as gray. Only for words
 * that are not found as they are, since `lexus` is no plural.
 */
export function otherForms(word: string): string[] {
  const spelling = OTHER_SPELLING.get(word);
  return [...(spelling === undefined ? [] : [spelling]), ...singulars(word)];
}

function singulars(word: string): string[] {
  if (word.length < SHORTEST_PLURAL || !/\p{L}s$/u.test(word) || word.endsWith('ss')) return [];
  if (word.endsWith('ies')) return [`${word.slice(0, -3)}y`, word.slice(0, -1)];
  // Coupes and vans, but also hatches and buses.
  return /(?:ch|sh|s|x|z)es$/.test(word) ? [word.slice(0, -1), word.slice(0, -2)] : [word.slice(0, -1)];
}
