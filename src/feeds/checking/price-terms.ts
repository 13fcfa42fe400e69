import type { FeedConfig, PriceBasis, PriceChecks } from '../../config/config.ts';
import type { PriceTerms, Repriced } from '../../model/intake.ts';
import type { Rooftop } from '../../model/rooftop.ts';
import { ANY_ROOFTOP } from '../../model/supplement.ts';
import type { Fee, Vehicle } from '../../model/vehicle.ts';
import { contentHash } from './content-hash.ts';
import { doubtByMsrp, withoutPrices } from './price-plausibility.ts';

/** What the settings say about the prices of a feed at a rooftop; what a profile says counts when a file is read. */
interface Terms {
  /** Null: the feed leaves it to its profile. */
  basis: PriceBasis | null;
  /** Of `base_plus_fees`; null where the rooftop has no complete list of fees. */
  fees: Fee[] | null;
  checks: Pick<PriceChecks, 'max_over_msrp_percent' | 'max_under_msrp_percent'>;
}

/** The terms of every feed at every rooftop, and of what a companion feed says of vehicles wherever they stand. */
export function priceTerms(feeds: readonly FeedConfig[], rooftops: readonly Rooftop[]): PriceTerms[] {
  const places: { id: string; fees?: Fee[] | undefined }[] = [
    ...rooftops.map(({ id, profile }) => ({ id, fees: profile.fees })),
    { id: ANY_ROOFTOP },
  ];
  return feeds.flatMap((feed) =>
    places.map(({ id: rooftopId, fees }) => ({
      feedId: feed.id,
      rooftopId,
      terms: JSON.stringify(termsOf(feed, fees)),
    })),
  );
}

function termsOf({ price_basis, price_checks = {} }: FeedConfig, fees: Fee[] | undefined): Terms {
  const { max_over_msrp_percent, max_under_msrp_percent } = price_checks;
  return {
    basis: price_basis ?? null,
    fees:
      price_basis === 'base_plus_fees' ? (fees?.map(({ name, amount }) => ({ name, amount })) ?? null) : null,
    checks: {
      ...(max_over_msrp_percent !== undefined && { max_over_msrp_percent }),
      ...(max_under_msrp_percent !== undefined && { max_under_msrp_percent }),
    },
  };
}

/**
 * The vehicle as other terms leave it; undefined where it stays as it is. A price that its row alone could tell is left
 * out until the row is read again, and none is ever put where there was none: there may have been a doubt.
 *
 * @param before undefined where nobody knows by which terms it was priced.
 */
export function repriced(vehicle: Vehicle, before: string | undefined, now: string): Repriced | undefined {
  const old = before === undefined ? undefined : (JSON.parse(before) as Terms);
  const terms = JSON.parse(now) as Terms;
  const priced = vehicle.price === undefined ? vehicle : underTerms(vehicle, vehicle.price, old, terms);
  const sound = doubtByMsrp(priced, terms.checks) === undefined ? priced : withoutPrices(priced);
  if (sound === vehicle) return undefined;
  const json = JSON.stringify(sound);
  return { json, contentHash: contentHash(json) };
}

function underTerms(vehicle: Vehicle, price: number, old: Terms | undefined, now: Terms): Vehicle {
  if (now.basis === 'base_plus_fees') return withFees(vehicle, price, old, now.fees);
  if (now.basis === 'base') return withoutAllIn(vehicle);
  const wasWorkedOut = old?.basis === 'base_plus_fees';
  const isWordTakenBack = old?.basis === 'all_in' && now.basis === null;
  return wasWorkedOut || isWordTakenBack ? withoutAllIn(vehicle) : vehicle;
}

/** Fees are whole dollars, so that taking the old ones off leaves the base with its cents counted up. */
function withFees(vehicle: Vehicle, price: number, old: Terms | undefined, fees: Fee[] | null): Vehicle {
  const inside = vehicle.fees;
  if (fees === null || inside === undefined) return withoutAllIn(vehicle);
  const isSame = JSON.stringify(inside) === JSON.stringify(fees);
  if (isSame && (old === undefined || old.basis === 'base_plus_fees')) return vehicle;
  if (old?.basis !== 'base_plus_fees') return withoutAllIn(vehicle);
  return { ...vehicle, price: price - sumOf(inside) + sumOf(fees), fees };
}

function sumOf(fees: readonly Fee[]): number {
  return fees.reduce((sum, { amount }) => sum + amount, 0);
}

function withoutAllIn(vehicle: Vehicle): Vehicle {
  const { price: _price, fees: _fees, ...rest } = vehicle;
  return rest;
}
