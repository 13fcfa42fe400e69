import { compileSource, type CellSource } from './cell-source.ts';
import { columnsOf, type FeedProfile, type ProfileMap, type SaleSpec } from '../../profile/feed-profile.ts';
import { dollarsHalfUp, dollarsUp, parseMoney } from '../fields/money.ts';
import { doubtAboutNumber } from '../fields/numbers.ts';
import { isConditional } from '../fields/price-conditions.ts';
import { excludesCharges } from '../fields/price-disclaimer.ts';
import { remembering } from '../fields/remembering.ts';
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
  const msrp = moneySource(map.msrp);
  const regularPrice = moneySource(map.list_price);
  const onSale = onSaleSource(map);
  const saleStanding =
    map.sale_price === undefined ? undefined : compileSaleDates(saleSpec(map.sale_price), time);
  const price = moneySource(map.price);
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
function onSaleSource({ sale_price: sale, list_price: regular }: ProfileMap): MoneySource | undefined {
  return sale === undefined ? undefined : moneySource([...columnsOf(sale), ...columnsOf(regular)]);
}

function saleSpec(source: NonNullable<ProfileMap['sale_price']>): SaleSpec {
  return typeof source === 'object' && !Array.isArray(source) ? source : { column: source };
}

/** The columns of one amount: all together, and one by one. */
interface MoneySource {
  all: CellSource;
  single: readonly CellSource[];
}

function moneySource(source: Parameters<typeof compileSource>[0] | undefined): MoneySource | undefined {
  if (source === undefined) return undefined;
  const all = compileSource(source);
  return { all, single: all.columns.length > 1 ? all.columns.map(compileSource) : [all] };
}

/**
 * The first column with an amount, in cents; blank and zero hand on to the next one, words such as "Call for
 * price" do not: they are meant.
 */
function readAmount(draft: RowDraft, source: MoneySource | undefined, bounds: Bounds): number | undefined {
  for (const column of source?.single ?? []) {
    const raw = column.first(draft.cells);
    if (raw === undefined) continue;
    const money = parseMoney(raw);
    if (money.kind === 'none') continue;
    if (money.kind === 'words') return undefined;
    if (money.kind === 'invalid') {
      draft.warn('price_invalid', column, raw.trim(), doubtAboutNumber(raw));
      return undefined;
    }
    if (money.cents >= bounds.lowest * 100 && money.cents <= bounds.highest * 100) return money.cents;
    draft.warn('price_implausible', column, raw.trim());
    return undefined;
  }
  return undefined;
}
