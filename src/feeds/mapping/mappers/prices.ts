import { compileSource, type CellSource } from './cell-source.ts';
import { columnsOf, type FeedProfile, type ProfileMap, type SaleSpec } from '../../profile/feed-profile.ts';
import { dollarsHalfUp, dollarsUp, parseMoney, type Money } from '../fields/money.ts';
import { doubtAboutNumber } from '../fields/numbers.ts';
import { isConditional } from '../fields/price-conditions.ts';
import { excludesCharges } from '../fields/price-disclaimer.ts';
import { remembering } from '../fields/remembering.ts';
import { compileMoneyColumns, type MoneyColumn } from './money-column.ts';
import type { RowDraft } from './row-draft.ts';
import { compileSaleDates, type RunTime } from './sale-price.ts';

/** What the money columns of a row say, before the rooftop's price basis is known. */
export interface RowPrices {
  /** Exact asking amount behind list_price, in cents: all-in prices are computed from it. */
  listPriceCents?: number;
  /** The note beside the price says that a charge is not inside. */
  excludesCharges: boolean;
  /** The note says that not everybody gets the price. */
  isConditional: boolean;
  /** It is a matter of the day whether this is the price. */
  isOfItsTime: boolean;
}

type Bounds = FeedProfile['price_bounds'];

/**
 * Maps msrp, list_price and price. Zeros and words are no price; what is no amount or out of bounds is left out
 * with a warning; a row without any price is told once.
 */
export function compilePrices(
  profile: FeedProfile,
  time: RunTime,
): (draft: RowDraft, dealer: string | undefined) => RowPrices {
  const { map, price_bounds: bounds } = profile;
  const msrp = priceSource(map.msrp);
  const regularPrice = priceSource(map.list_price);
  const onSale = onSaleSource(map);
  const saleStanding =
    map.sale_price === undefined ? undefined : compileSaleDates(saleSpec(map.sale_price), time);
  const price = priceSource(map.price);
  const disclaimer = map.price_disclaimer === undefined ? undefined : compileSource(map.price_disclaimer);
  const leavesOutCharge = remembering(excludesCharges);
  const namesCondition = remembering(isConditional);
  const told = regularPrice ?? onSale ?? price;
  return (draft, dealer) => {
    const { vehicle, warnings } = draft;
    const msrpCents = readAmount(draft, msrp, bounds);
    if (msrpCents !== undefined) vehicle.msrp = dollarsHalfUp(msrpCents);
    const warningsBefore = warnings.length;
    const sale = saleStanding?.(draft, dealer);
    const listPrice = sale?.counts === true ? onSale : regularPrice;
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
      excludesCharges: note !== undefined && leavesOutCharge(note),
      isConditional: note !== undefined && namesCondition(note),
      isOfItsTime: sale?.hasDates === true,
    };
  };
}

/** The sale price, and the regular one behind it: what the list price is read from while the sale lasts. */
function onSaleSource({ sale_price: sale, list_price: regular }: ProfileMap): PriceSource | undefined {
  if (sale === undefined) return undefined;
  const { currency } = typeof regular === 'object' && !Array.isArray(regular) ? regular : {};
  const column = [...columnsOf(sale), ...columnsOf(regular)];
  return priceSource({ column, ...(currency === undefined ? {} : { currency }) });
}

function saleSpec(source: NonNullable<ProfileMap['sale_price']>): SaleSpec {
  return typeof source === 'object' && !Array.isArray(source) ? source : { column: source };
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
