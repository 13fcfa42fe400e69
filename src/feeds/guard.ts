import type { GuardConfig } from '../config/config.ts';
import type { RooftopChange } from '../model/intake.ts';

/**
 * A plausible small inventory is the most dangerous input: a filtered or half export reads well, and since absent
 * means sold it would empty the lot. A run is therefore held when at any rooftop
 *
 * - every vehicle of this feed would go, or
 * - more vehicles would go than the larger of two allowances:
 *   - a share: `max_removed_percent` of what this feed had there, for large lots;
 *   - a number: `max_removed_vehicles`, but never more than half of what this feed had there. Without that half, a number
 *     of 10 would let a lot of 13 shrink to 3 unasked; with it, a lot of 14 may still sell 2 in a night, and one of
 *     2 may sell 1;
 *
 * or when it would leave the rooftop with fewer vehicles than `floor`. A rooftop that stands lower already may grow,
 * and each further loss of it waits too.
 *
 * A vehicle that a row names as gone (sold, deleted) is surer than one that is merely not there, in a full file and in a
 * delta: half of a small lot may be named, and the last one. Never unasked are all of several, or more of both kinds
 * than the share or the number.
 *
 * What this feed had there is what its last file had, also where another feed that brings the same cars has taken them
 * over since (RooftopChange.before): else the one car that is sold would be "1 of 1" where two feeds overlap.
 *
 * A car that the file places at another rooftop has moved, not gone. One that stays for now although the file lacks
 * it (the feed's grace) counts all the same, once: by the first file that lacks it.
 */
export function guard(changes: readonly RooftopChange[], config: GuardConfig): RooftopChange[] {
  return changes.filter((change) => shrinksTooMuch(change, config));
}

/** Rows that name vehicles as gone may mean those of other feeds, too. */
function standingBefore({ before, standing = before }: RooftopChange): number {
  return standing;
}

/** Vehicles at the rooftop once the file is taken in and those that it lacks have left. */
function after(change: RooftopChange): number {
  const { added, removed, missing = 0 } = change;
  return standingBefore(change) + added - removed - missing;
}

/** What the report says of a rooftop that `guard` names. */
export function describeShrinking(change: RooftopChange, { floor = 0 }: GuardConfig): string {
  const { rooftopId, removed, missing = 0 } = change;
  const left = after(change);
  const under = left < floor ? `, which leaves ${left}, under the floor of ${floor}` : '';
  return `${rooftopId}: ${removed + missing} of ${standingBefore(change)}${under}`;
}

function shrinksTooMuch(change: RooftopChange, config: GuardConfig): boolean {
  const { before, removed, moved, missing = 0, missedBefore = 0, named = 0 } = change;
  const absent = removed - moved - named + missing;
  const gone = absent - missedBefore;
  if (gone === 0 && named === 0) return false;
  const standing = standingBefore(change);
  if (absent > 0 && absent + named >= before) return true;
  if (named > 1 && absent + named >= standing) return true;
  if (after(change) < Math.min(config.floor ?? 0, standing)) return true;
  const allowed = (vehicles: number, number: number): number =>
    Math.max((vehicles * config.max_removed_percent) / 100, number);
  if (gone > 0 && gone > allowed(before, Math.min(config.max_removed_vehicles, before / 2))) return true;
  return gone + named > allowed(standing, config.max_removed_vehicles);
}
