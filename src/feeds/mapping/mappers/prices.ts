import { compileSource, type CellSource } from './cell-source.ts';
import type { FeedProfile } from '../../profile/feed-profile.ts';
import { dollarsHalfUp, dollarsUp, parseMoney, type Money } from '../fields/money.ts';
import { doubtAboutNumber } from '../fields/numbers.ts';
import { excludesCharges } from '../fields/price-disclaimer.ts';
import { compileMoneyColumns, type MoneyColumn } from './money-column.ts';
import type { RowDraft } from './row-draft.ts';

/** What the money columns of a row say, before the rooftop's price basis is known. */
export interface RowPrices {
  /** Exact asking amount behind list_price, in cents: all-in prices are computed from it. */
  listPriceCents?: number;
  /** The note beside the price says that a charge is not inside. */
  excludesCharges: boolean;
}

type Bounds = FeedProfile['price_bounds'];

/**
 * Maps msrp, list_price and price. Zeros and words are no price; what is no amount or out of bounds is left out
 * with a warning; a row without any price is told once.
 */
export function compilePrices(profile: FeedProfile): (draft: RowDraft) => RowPrices {
  const { map, price_bounds: bounds } = profile;
  const msrp = priceSource(map.msrp);
  const listPrice = priceSource(map.list_price);
  const price = priceSource(map.price);
  const disclaimer = map.price_disclaimer === undefined ? undefined : compileSource(map.price_disclaimer);
  const told = listPrice ?? price;
  return (draft) => {
    const { vehicle, warnings } = draft;
    const msrpCents = readAmount(draft, msrp, bounds);
    if (msrpCents !== undefined) vehicle.msrp = dollarsHalfUp(msrpCents);
    const warningsBefore = warnings.length;
    const listPriceCents = readAmount(draft, listPrice, bounds);
    if (listPriceCents !== undefined) vehicle.list_price = dollarsHalfUp(listPriceCents);
    const priceCents = readAmount(draft, price, bounds);
    if (priceCents !== undefined) vehicle.price = dollarsUp(priceCents);
    const hasPrice = listPriceCents !== undefined || priceCents !== undefined;
    if (told !== undefined && !hasPrice && warnings.length === warningsBefore) {
      draft.warn('price_missing', told.all, told.all.first(draft.cells)?.trim());
    }
    const note = disclaimer?.first(draft.cells);
    return {
      ...(listPriceCents === undefined ? {} : { listPriceCents }),
      excludesCharges: note !== undefined && excludesCharges(note),
    };
  };
}

/** The columns of one amount: all together, and one by one. */
interface PriceSource {
  all: CellSource;
  single: readonly MoneyColumn[];
}

function priceSource(source: Parameters<typeof compileMoneyColumns>[0] | undefined): PriceSource | undefined {
  return source === undefined
    ? undefined
    : { all: compileSource(source), single: compileMoneyColumns(source) };
}

/**
 * The first column with an amount, in cents; blank and zero hand on to the next one, words such as "Call for
 * price" do not: they are meant. Several amounts of one column that differ are none.
 */
function readAmount(draft: RowDraft, source: PriceSource | undefined, bounds: Bounds): number | undefined {
  for (const column of source?.single ?? []) {
    const texts = column.amounts(draft.cells);
    const found = texts === undefined ? 'several' : theOnlyOne(texts);
    if (found === undefined) continue;
    if (found === 'several') {
      // The values are not shown: one of them may be what the vehicle cost.
      draft.warn('value_ambiguous', column.source);
      return undefined;
    }
    const { raw, money } = found;
    if (money.kind === 'words') return undefined;
    const currency = column.foreignCurrency(draft.cells);
    if (currency !== undefined) {
      draft.warn('price_currency', currency.source, currency.text);
      delete draft.vehicle.fees;
      return undefined;
    }
    if (money.kind === 'invalid') {
      draft.warn('price_invalid', column.source, raw.trim(), doubtAboutNumber(raw));
      return undefined;
    }
    if (money.cents >= bounds.lowest * 100 && money.cents <= bounds.highest * 100) return money.cents;
    draft.warn('price_implausible', column.source, raw.trim());
    return undefined;
  }
  return undefined;
}

interface FoundAmount {
  raw: string;
  money: Exclude<Money, { kind: 'none' }>;
}

/** Blank and zero say nothing; the same amount may be written twice. */
function theOnlyOne(texts: readonly string[]): FoundAmount | 'several' | undefined {
  let found: FoundAmount | undefined;
  for (const raw of texts) {
    const money = parseMoney(raw);
    if (money.kind === 'none') continue;
    if (found === undefined) found = { raw, money };
    else if (!saysTheSame(found, { raw, money })) return 'several';
  }
  return found;
}

function saysTheSame({ raw, money }: FoundAmount, other: FoundAmount): boolean {
  if (money.kind === 'amount') return other.money.kind === 'amount' && money.cents === other.money.cents;
  return money.kind === other.money.kind && raw.trim() === other.raw.trim();
}
