import type { InventoryStatus } from '../inventory/inventory.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { RooftopHealth } from '../web/health-report.ts';

/** Every rooftop of the settings, also one without vehicles, and any other that still has some. @param now ms */
export function rooftopsHealth(
  rooftops: readonly Pick<Rooftop, 'id'>[],
  { rooftops: onTheLot }: Pick<InventoryStatus, 'rooftops'>,
  now: number,
): RooftopHealth[] {
  const ids = new Set([...rooftops.map(({ id }) => id), ...onTheLot.map(({ rooftopId }) => rooftopId)]);
  return Array.from(ids, (rooftop_id) => {
    const { vehicles = 0, confirmedAt } = onTheLot.find(({ rooftopId }) => rooftopId === rooftop_id) ?? {};
    if (confirmedAt === undefined) return { rooftop_id, vehicles };
    const age = Math.floor((now - Date.parse(confirmedAt)) / 1000);
    return { rooftop_id, vehicles, confirmed_at: confirmedAt, age_seconds: Math.max(0, age) };
  });
}
