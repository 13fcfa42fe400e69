import type { PriceChecks } from '../../config/config.ts';
import type { LastPrices, StagedVehicle } from '../../model/intake.ts';
import type { Vehicle } from '../../model/vehicle.ts';
import { contentHash } from './content-hash.ts';

/**
 * A wrong number in a price column looks like any other number: what the accessories cost, a price of another car,
 * a digit too many. Such a price is held back and the vehicle stays on the lot without it.
 */
export interface PriceDoubt {
  field: 'list_price' | 'price';
  /** The doubtful amount, dollars. */
  value: string;
  detail: string;
}

const PRICES = ['list_price', 'price'] as const;

/** Against the MSRP of the same row. A used vehicle may cost any fraction of what it cost new. */
export function doubtByMsrp(vehicle: Vehicle, checks: PriceChecks): PriceDoubt | undefined {
  const { msrp } = vehicle;
  if (msrp === undefined) return undefined;
  const { max_over_msrp_percent: over = Infinity, max_under_msrp_percent: under = Infinity } = checks;
  return firstDoubt(vehicle, (amount) => {
    const percent = percentAway(amount, msrp);
    const isNew = vehicle.condition === 'new';
    if (percent > over) return `${told(percent)} above the MSRP of ${msrp}, at most ${over} % may be`;
    if (isNew && -percent > under)
      return `${told(percent)} below the MSRP of ${msrp}, at most ${under} % may be`;
    return undefined;
  });
}

/** So many times the list price, or this part of it, is another car's, or a digit too many. */
const FAR = 4;

/** Against the other amounts of the same row: the fees are inside the price, which is the list price with them or a discount. */
export function doubtByItsOwn({ list_price: list, price, fees }: Vehicle): PriceDoubt | undefined {
  if (price === undefined) return undefined;
  const inside = (fees ?? []).reduce((sum, { amount }) => sum + amount, 0);
  const doubt = (detail: string): PriceDoubt => ({ field: 'price', value: String(price), detail });
  if (inside >= price) return doubt(`the fees that are said to be inside make ${inside}`);
  if (list === undefined) return undefined;
  const base = price - inside;
  return base * FAR < list || base > list * FAR ? doubt(`its list_price is ${list}`) : undefined;
}

/** Against what was published last for the same vehicle. */
export function doubtByChange(
  vehicle: Vehicle,
  last: LastPrices,
  { max_change_percent: most = Infinity }: PriceChecks,
): PriceDoubt | undefined {
  return firstDoubt(vehicle, (amount, field) => {
    const before = last[field];
    if (before === undefined) return undefined;
    const percent = percentAway(amount, before);
    if (Math.abs(percent) <= most) return undefined;
    const direction = percent > 0 ? 'above' : 'below';
    return `${told(percent)} ${direction} ${before}, which was published last, at most ${most} % may be`;
  });
}

/** The listing without its money: fees that go with a doubtful price are no surer than the price. */
export function withoutPrices(vehicle: Vehicle): Vehicle {
  const { list_price: _list, price: _price, fees: _fees, ...rest } = vehicle;
  return rest;
}

export function stagedWithoutPrices(staged: StagedVehicle): StagedVehicle {
  const vehicle = withoutPrices(staged.vehicle);
  const json = JSON.stringify(vehicle);
  return { ...staged, vehicle, json, contentHash: contentHash(json) };
}

export function publishesPrice({ list_price, price }: Vehicle): boolean {
  return list_price !== undefined || price !== undefined;
}

function firstDoubt(
  vehicle: Vehicle,
  judge: (amount: number, field: PriceDoubt['field']) => string | undefined,
): PriceDoubt | undefined {
  for (const field of PRICES) {
    const amount = vehicle[field];
    const detail = amount === undefined ? undefined : judge(amount, field);
    if (detail !== undefined) return { field, value: String(amount), detail };
  }
  return undefined;
}

/** Of `base`; above it is positive. */
function percentAway(amount: number, base: number): number {
  return ((amount - base) * 100) / base;
}

function told(percent: number): string {
  return `${Math.ceil(Math.abs(percent))} %`;
}
