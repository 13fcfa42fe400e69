import type { PriceBasis } from '../../config/config.ts';
import type { Rooftop } from '../../model/rooftop.ts';
import type { Vehicle } from '../../model/vehicle.ts';
import { dollarsUp } from '../mapping/fields/money.ts';
import type { MappedRow } from '../records.ts';
import type { RowWarningCode } from '../problems.ts';

/** The money of a listing; what is undefined is not published. */
export type PublishedPrices = Pick<Vehicle, 'list_price' | 'price' | 'fees'>;

export interface PriceRule {
  basis: PriceBasis;
  /** True when the dealer has said so for this feed: then it counts for a column mapped to price too. */
  isDealersWord: boolean;
}

/**
 * `rooftop`: undefined for a row of a companion feed that adds to the vehicle wherever it stands.
 *
 * What may be published as which price (aap-v1.3 section 4): a base amount is list_price and nothing else; price
 * is what the dealer attests as all-in, or what the bridge computes from the rooftop's complete fee schedule.
 */
export function publishedPrices(
  mapped: MappedRow,
  rooftop: Rooftop | undefined,
  rule: PriceRule,
): { prices: PublishedPrices; warning?: RowWarningCode } {
  const { list_price, price, fees } = mapped.vehicle;
  const baseCents = mapped.listPriceCents ?? cents(rule.isDealersWord ? price : undefined);
  const base = list_price ?? (baseCents === undefined ? undefined : price);

  if (rule.basis === 'base_plus_fees') {
    const schedule = rooftop?.profile.fees;
    const asked = { ...optional('list_price', base), ...optional('fees', fees) };
    if (schedule === undefined) return { prices: asked, warning: 'fee_schedule_missing' };
    if (baseCents === undefined) return { prices: asked };
    if (mapped.priceIsConditional === true) return { prices: asked, warning: 'price_conditional' };
    const total = schedule.reduce((sum, fee) => sum + fee.amount * 100, baseCents);
    return { prices: { ...optional('list_price', base), price: dollarsUp(total), fees: schedule } };
  }

  const attested =
    rule.basis === 'all_in' ? (price ?? upFrom(baseCents)) : rule.isDealersWord ? undefined : price;
  const against = attested === undefined ? undefined : noteAgainst(mapped);
  if (against !== undefined) {
    const kept = { ...optional('list_price', base ?? price), ...optional('fees', fees) };
    return { prices: kept, warning: against };
  }
  return {
    prices: { ...optional('list_price', base), ...optional('price', attested), ...optional('fees', fees) },
  };
}

/** What the note beside the price says against calling it all-in. */
function noteAgainst(mapped: MappedRow): RowWarningCode | undefined {
  if (mapped.priceExcludesCharges === true) return 'price_excludes_fees';
  return mapped.priceIsConditional === true ? 'price_conditional' : undefined;
}

function cents(dollars: number | undefined): number | undefined {
  return dollars === undefined ? undefined : dollars * 100;
}

function upFrom(amount: number | undefined): number | undefined {
  return amount === undefined ? undefined : dollarsUp(amount);
}

function optional<Key extends string, Value>(
  key: Key,
  value: Value | undefined,
): Partial<Record<Key, Value>> {
  return value === undefined ? {} : ({ [key]: value } as Record<Key, Value>);
}
