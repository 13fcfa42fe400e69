import type { PriceChecks } from '../../config/config.ts';
import type { StagedRun, StagedVehicle } from '../../model/intake.ts';
import type { Tally } from '../reporting/tally.ts';
import { doubtByChange, publishesPrice, stagedWithoutPrices } from './price-plausibility.ts';

/**
 * Takes the price off vehicles whose price has changed by more than the feed allows. A vehicle that goes without a
 * price keeps the last published one in mind, or the wrong price would pass unasked when it comes a second time.
 */
export async function holdSuddenPrices(
  vehicles: StagedVehicle[],
  checks: PriceChecks,
  staged: StagedRun,
  tally: Tally,
): Promise<StagedVehicle[]> {
  if (checks.max_change_percent === undefined) return vehicles;
  const known = await staged.lastPrices(vehicles);
  return vehicles.map((vehicle, index) => {
    const lastPrices = known[index];
    if (lastPrices === undefined) return vehicle;
    if (!publishesPrice(vehicle.vehicle)) return { ...vehicle, lastPrices };
    const doubt = doubtByChange(vehicle.vehicle, lastPrices, checks);
    if (doubt === undefined) return vehicle;
    tally.warn(vehicle, { code: 'price_implausible', ...doubt });
    return { ...stagedWithoutPrices(vehicle), lastPrices };
  });
}
