import type { Config } from '../config/config.ts';
import type { VehicleOwner } from '../inventory/vehicle-owners.ts';
import { vehicleFeeds } from '../feeds/supplement-rules.ts';
import { formatInstant } from '../model/clock.ts';
import type { Finding } from '../model/finding.ts';
import type { StrayHealth } from '../web/health-report.ts';

/** Vehicles of a feed or a rooftop that the settings do not have (any more): they are kept and not shown. */
export type StrayVehicles = StrayHealth;

/**
 * Nobody updates the prices of a feed that is gone, and nobody could ask for the dealer of a rooftop that is gone. A
 * companion feed brings no vehicles: what it brought before it became one is stray, too. Vehicles that lack both count
 * with their rooftop. Pure.
 */
export function strayVehicles(
  owners: readonly VehicleOwner[],
  { feeds, rooftops }: { feeds: Config['feeds']; rooftops: Config['dealer']['rooftops'] },
): StrayVehicles[] {
  const bringing = new Set(vehicleFeeds(feeds));
  const known = new Set(rooftops.map(({ id }) => id));
  const strays = new Map<string, Omit<StrayVehicles, 'confirmed_at'> & { confirmedAt: number }>();
  for (const { feedId, rooftopId, vehicles, confirmedAt } of owners) {
    const isRooftopKnown = known.has(rooftopId);
    if (isRooftopKnown && bringing.has(feedId)) continue;
    const [kind, id] = isRooftopKnown ? (['feed', feedId] as const) : (['rooftop', rooftopId] as const);
    const before = strays.get(`${kind} ${id}`);
    strays.set(`${kind} ${id}`, {
      kind,
      id,
      vehicles: vehicles + (before?.vehicles ?? 0),
      confirmedAt: Math.max(confirmedAt, before?.confirmedAt ?? 0),
    });
  }
  return Array.from(strays.values(), ({ confirmedAt, ...stray }) => ({
    ...stray,
    confirmed_at: formatInstant(confirmedAt),
  }));
}

/** One a feed or rooftop, for health and `check --probe`. */
export function strayFindings(strays: readonly StrayVehicles[]): Finding[] {
  return strays.map(({ kind, id, vehicles, confirmed_at: at }) => ({
    key: `lot-stray:${kind}:${id}`,
    status: 'warn',
    text:
      `${vehicles} ${vehicles === 1 ? 'vehicle' : 'vehicles'} of the ${kind} ${id} are kept and not shown: the settings ` +
      `have no such ${kind}. Last confirmed ${at}.`,
    remedy:
      kind === 'feed'
        ? `Put the feed back, or drop its newest file into the inbox of the feed that has taken its place. Gone for good: dealer-bridge feed forget ${id}`
        : `Put the rooftop back under this id, or drop the newest file of its feed into its inbox again for the new one. Then, or when it is gone for good: dealer-bridge feed forget ${id}`,
  }));
}
