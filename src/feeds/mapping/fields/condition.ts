import type { SaleCondition } from '../../../model/vehicle.ts';
import { normaliseWord } from '../../../model/vocabulary.ts';

/** Turns the text of the condition column into new, used or cpo; undefined when it cannot be told. */
export type ConditionReader = (raw: string) => SaleCondition | undefined;

/** The other word of a pair: where `Y` says new, `N` says used. */
const OPPOSITES: Readonly<Record<string, string>> = {
  ...{ y: 'n', n: 'y', yes: 'no', no: 'yes', true: 'false', false: 'true', t: 'f', f: 't' },
  ...{ '1': '0', '0': '1' },
};

/**
 * For columns that answer "is it new?" or "is it used?": only the listed words and their plain opposites count.
 * With `IsNew`, a general vocabulary would read `N` (no) as "new".
 */
export function flagCondition(newValues: readonly string[], usedValues: readonly string[]): ConditionReader {
  const isNew = new Set(newValues.map(normaliseWord));
  const isUsed = new Set(usedValues.map(normaliseWord));
  for (const word of isNew) addOpposite(word, isUsed);
  for (const word of isUsed) if (!isNew.has(word)) addOpposite(word, isNew);
  return (raw) => {
    const word = normaliseWord(raw);
    if (isNew.has(word)) return 'new';
    return isUsed.has(word) ? 'used' : undefined;
  };
}

function addOpposite(word: string, target: Set<string>): void {
  const opposite = Object.hasOwn(OPPOSITES, word) ? OPPOSITES[word] : undefined;
  if (opposite !== undefined) target.add(opposite);
}

/**
 * What the certified mark makes of the condition: used and certified is cpo; new stays new with a warning, and a cpo that is
 * not certified is told and becomes used, since certified is a promise. A mark that is neither yes nor no (undefined)
 * changes nothing but is told.
 */
export function withCertifiedMark(
  condition: SaleCondition,
  certified: boolean | undefined,
): { condition: SaleCondition; warning?: 'certified_new' | 'certified_unknown' | 'certified_contradicted' } {
  if (certified === undefined) return { condition, warning: 'certified_unknown' };
  if (!certified)
    return condition === 'cpo' ? { condition: 'used', warning: 'certified_contradicted' } : { condition };
  return condition === 'new' ? { condition, warning: 'certified_new' } : { condition: 'cpo' };
}
