import type { DealerConfig } from '../../config/config.ts';
import type { InventoryStatus } from '../../inventory/inventory.ts';
import { ageText } from './age-text.ts';

/** Longer messages are for nobody. */
const LONGEST_MESSAGE = 300;

/**
 * `the lot was last confirmed 2 hours ago`, or `between 2 hours and 3 days ago` where the rooftops differ; undefined
 * while there is nothing on the lot. @param now ms since 1970
 */
function freshnessText(status: InventoryStatus, now: number): string | undefined {
  const times = confirmationsOf(status);
  if (times.byRooftop.size === 0) return undefined;
  const [newest, oldest] = [ageText(now - times.newest), ageText(now - times.oldest)];
  const age = newest === oldest ? newest : `between ${newest} and ${oldest}`;
  return `the lot was last confirmed ${age} ago`;
}

/** When rooftops were confirmed, in ms since 1970. */
interface Confirmations {
  byRooftop: ReadonlyMap<string, number>;
  newest: number;
  oldest: number;
}

/** Every reply tells of them, and they are the same until the lot is swapped. */
const confirmations = new WeakMap<InventoryStatus, Confirmations>();

function confirmationsOf(status: InventoryStatus): Confirmations {
  let known = confirmations.get(status);
  if (known === undefined) {
    const byRooftop = new Map<string, number>();
    for (const { rooftopId, confirmedAt } of status.rooftops) {
      if (confirmedAt !== undefined) byRooftop.set(rooftopId, Date.parse(confirmedAt));
    }
    const times = [...byRooftop.values()];
    known = { byRooftop, newest: Math.max(...times), oldest: Math.min(...times) };
    confirmations.set(status, known);
  }
  return known;
}

/** One sentence of a fact and how fresh it is; the freshness gives way where both are too long. */
export function withFreshness(fact: string, status: InventoryStatus, now: number): string {
  const freshness = freshnessText(status, now);
  const both = freshness === undefined ? fact : `${fact}; ${freshness}`;
  return `${both.length < LONGEST_MESSAGE ? both : fact}.`;
}

/** When the inventory of each rooftop was last confirmed; of many rooftops only from when to when. */
export function rooftopFreshnessText(
  { name, rooftops }: Pick<DealerConfig, 'name' | 'rooftops'>,
  status: InventoryStatus,
  now: number,
): string {
  const places = rooftops.length === 1 ? 'one location' : `${rooftops.length} locations`;
  const { byRooftop } = confirmationsOf(status);
  const each = rooftops.map(({ id, profile }) => {
    const confirmed = byRooftop.get(id);
    if (confirmed === undefined) return `${profile.name} lists no vehicles`;
    return `${profile.name} confirmed its vehicles ${ageText(now - confirmed)} ago`;
  });
  const whole = `${name} has ${places}: ${each.join(', ')}.`;
  return whole.length <= LONGEST_MESSAGE ? whole : withFreshness(`${name} has ${places}`, status, now);
}
