import type { PriceChecks } from '../../config/config.ts';
import type { RecognisedVehicle, StagedRun, StagedVehicle } from '../../model/intake.ts';
import type { Tally } from '../reporting/tally.ts';
import { doubtByChange, doubtByMsrp, publishesPrice, stagedWithoutPrices } from './price-plausibility.ts';

/**
 * Takes the price off vehicles whose price has changed by more than the feed allows. A vehicle that goes without a
 * price keeps the last published one in mind, or the wrong price would pass unasked when it comes a second time.
 * Recognised vehicles ask for the price that they have. The price of a companion feed is judged here by the MSRP, too, which the vehicle it belongs to tells.
 */
export async function holdSuddenPrices(
  vehicles: (StagedVehicle | RecognisedVehicle)[],
  checks: PriceChecks,
  staged: StagedRun,
  tally: Tally,
  { isCompanion }: { isCompanion: boolean },
): Promise<(StagedVehicle | RecognisedVehicle)[]> {
  if (checks.max_change_percent === undefined && !isCompanion) return vehicles;
  const known = (await staged.lastPrices(vehicles.filter((vehicle) => 'vehicle' in vehicle))).values();
  return vehicles.map((vehicle) => {
    if (!('vehicle' in vehicle)) return vehicle;
    const lastPrices = known.next().value;
    if (lastPrices === undefined) return vehicle;
    if (!publishesPrice(vehicle.vehicle)) return { ...vehicle, lastPrices };
    const { msrp, condition } = lastPrices;
    const inContext = { ...vehicle.vehicle, ...(msrp && { msrp }), ...(condition && { condition }) };
    const doubt =
      (isCompanion ? doubtByMsrp(inContext, checks) : undefined) ??
      doubtByChange(vehicle.vehicle, lastPrices, checks);
    if (doubt === undefined) return vehicle;
    tally.warn(vehicle, { code: 'price_implausible', ...doubt });
    return { ...stagedWithoutPrices(vehicle), lastPrices, isPriceHeld: true };
  });
}
