import type { FeedConfig } from '../../config/config.ts';
import type { Rooftop } from '../../model/rooftop.ts';
import { remembering } from '../mapping/fields/remembering.ts';

export type RooftopAnswer =
  | { kind: 'rooftop'; rooftop: Rooftop }
  | { kind: 'unknown'; detail: string }
  /** The feed is of one rooftop and the row names another one of ours. */
  | { kind: 'mismatch'; detail: string };

/**
 * Finds the rooftop of a row by the text of its dealer column: rooftop id, one of its feed_ids, its name or legal name,
 * without letter case and blanks. In a feed of one rooftop a text that names none of ours is no fault; one that
 * names another of ours means that the file lies in the wrong folder. `onDealer` hears of the dealers of such a feed.
 */
export function compileRooftopLookup(
  rule: FeedConfig['rooftop'],
  rooftops: readonly Rooftop[],
  onDealer?: (name: string) => void,
): (dealer: string | undefined) => RooftopAnswer {
  const byName = new Map<string, Rooftop>();
  for (const rooftop of rooftops) byName.set(normaliseName(rooftop.id), rooftop);
  for (const rooftop of rooftops) {
    const { name: known, legal_name: legal } = rooftop.profile;
    for (const name of [...rooftop.feed_ids, known, ...(legal === undefined ? [] : [legal])]) {
      if (!byName.has(normaliseName(name))) byName.set(normaliseName(name), rooftop);
    }
  }
  const configured = rule.kind === 'fixed' ? rule.id : rule.otherwise;
  const findNamed = remembering((dealer) => byName.get(normaliseName(dealer)));
  const standing = rooftops.find(({ id }) => id === configured);

  return (dealer) => {
    const named = dealer === undefined ? undefined : findNamed(dealer);
    if (rule.kind === 'column') {
      const found = dealer === undefined ? standing : named;
      return found === undefined
        ? { kind: 'unknown', detail: dealer === undefined ? 'it names none' : '' }
        : { kind: 'rooftop', rooftop: found };
    }
    if (standing === undefined) return { kind: 'unknown', detail: rule.id };
    if (named !== undefined && named !== standing) {
      return { kind: 'mismatch', detail: `${dealer ?? ''} in place of ${standing.id}` };
    }
    if (dealer !== undefined) onDealer?.(named?.id ?? dealer);
    return { kind: 'rooftop', rooftop: standing };
  };
}

function normaliseName(name: string): string {
  return name.normalize('NFKC').toLowerCase().replace(/\s+/g, '');
}
