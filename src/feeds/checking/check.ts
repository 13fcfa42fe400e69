import type { DealerConfig, FeedConfig, PriceChecks } from '../../config/config.ts';
import type { FeedMode, StagedRemoval } from '../../model/intake.ts';
import type { Rooftop } from '../../model/rooftop.ts';
import { inPublishedOrder, type Vehicle } from '../../model/vehicle.ts';
import { isVin } from '../../model/vin.ts';
import { contentHash } from './content-hash.ts';
import { DealersNamed } from './dealers-named.ts';
import type { FeedProfile } from '../profile/feed-profile.ts';
import { brokenRule } from './listing-rules.ts';
import { publishedPrices, type PriceRule } from './price-basis.ts';
import { doubtByItsOwn, doubtByMsrp, withoutPrices } from './price-plausibility.ts';
import type { CheckedRow, MappedRow, Rejection } from '../records.ts';
import { compileRooftopLookup, type RooftopAnswer } from './rooftop-lookup.ts';

type RejectedRow = Extract<CheckedRow, { kind: 'rejected' }>;

/** What decides about a row beyond the row itself; built once a run. */
export interface CheckSettings {
  readonly mode: FeedMode;
  readonly priceRule: PriceRule;
  readonly priceChecks: PriceChecks;
  findRooftop(dealer: string | undefined): RooftopAnswer;
  readonly dealers: DealersNamed;
}

export function checkSettings(
  feed: Pick<FeedConfig, 'mode' | 'rooftop' | 'price_basis' | 'price_checks'>,
  profile: Pick<FeedProfile, 'mode' | 'price_basis'>,
  dealer: Pick<DealerConfig, 'rooftops'>,
): CheckSettings {
  const dealers = new DealersNamed();
  return {
    mode: effectiveMode(feed, profile),
    priceRule: {
      basis: feed.price_basis ?? profile.price_basis ?? 'base',
      isDealersWord: feed.price_basis !== undefined,
    },
    priceChecks: feed.price_checks ?? {},
    findRooftop: compileRooftopLookup(feed.rooftop, dealer.rooftops, (name) => dealers.note(name)),
    dealers,
  };
}

/** A delta read as a full file would empty the lot, so one word for delta is enough. */
function effectiveMode(feed: Pick<FeedConfig, 'mode'>, profile: Pick<FeedProfile, 'mode'>): FeedMode {
  return feed.mode === 'delta' || profile.mode === 'delta' ? 'delta' : 'full';
}

/** A vehicle fit for the lot, a removal, or the reason why the row is neither. */
export function checkRow(mapped: MappedRow, settings: CheckSettings): CheckedRow {
  if (mapped.rejection !== undefined) return placed(rejected(mapped, mapped.rejection), mapped, settings);
  const { row, line, key, warnings } = mapped;
  const place = settings.findRooftop(mapped.dealer?.name);
  if (place.kind !== 'rooftop') return rejected(mapped, rooftopRejection(place, mapped.dealer));
  const { rooftop } = place;
  const identity = identityOf(mapped.vehicle);
  if (identity === undefined) return rejected(mapped, { code: 'no_identity' });

  if (mapped.remove === true) {
    const removal = removalOf(mapped, rooftop, identity, settings.mode);
    if (settings.mode === 'delta') return { kind: 'removal', row, line, key, removal, warnings };
    // No full file has to ask for that: it need only leave the vehicle out.
    return { ...rejected(mapped, { code: 'delta_delete' }), rooftopId: rooftop.id, dismissal: removal };
  }

  const { vehicle: priced, warning } = listingOf(mapped, rooftop, settings.priceRule);
  const doubt = doubtByItsOwn(priced) ?? doubtByMsrp(priced, settings.priceChecks);
  const vehicle = doubt === undefined ? priced : withoutPrices(priced);
  const broken = brokenRule(vehicle);
  if (broken !== undefined) return rejected(mapped, { code: 'listing_invalid', detail: broken });
  if (warning !== undefined) warnings.push({ code: warning });
  if (doubt !== undefined) warnings.push({ code: 'price_implausible', ...doubt });
  const json = JSON.stringify(vehicle);
  const staged = {
    row,
    line,
    key,
    rooftopId: rooftop.id,
    identity,
    vehicle,
    json,
    contentHash: contentHash(json),
  };
  return { kind: 'accepted', row, line, key, staged, warnings };
}

/** By assignments, because this runs once a row and each spread takes as long as all of them. */
function listingOf(
  mapped: MappedRow,
  rooftop: Rooftop,
  rule: PriceRule,
): { vehicle: Vehicle; warning: string | undefined } {
  const { prices, warning } = publishedPrices(mapped, rooftop, rule);
  const listing: { [Field in keyof Vehicle]: Vehicle[Field] | undefined } = inPublishedOrder(mapped.vehicle);
  listing.list_price = prices.list_price;
  listing.price = prices.price;
  listing.fees = prices.fees;
  listing.dealer_id = rooftop.id;
  listing.rooftop = rooftop.profile.name;
  listing.status ??= 'available';
  return { vehicle: listing as Vehicle, warning };
}

/** Faults of a row's shape: its cells may have slipped, so that not even the dealer column is to be believed. */
const SHAPELESS = new Set([
  ...[
    'row_not_a_vehicle',
    'row_truncated',
    'row_too_long',
    'row_too_large',
    'quote_malformed',
    'cell_too_large',
  ],
]);

/** What a refused row says all the same: the rooftop it is of, and that its vehicle is gone, where that is why. */
function placed(row: RejectedRow, mapped: MappedRow, settings: CheckSettings): RejectedRow {
  const { code } = row.rejection;
  if (SHAPELESS.has(code)) return row;
  const isGone = code === 'status_out_of_stock';
  if (mapped.dealer === undefined && !isGone) return row;
  const place = settings.findRooftop(mapped.dealer?.name);
  if (place.kind !== 'rooftop') return row;
  row.rooftopId = place.rooftop.id;
  const identity = isGone ? identityOf(mapped.vehicle) : undefined;
  if (identity !== undefined) row.dismissal = removalOf(mapped, place.rooftop, identity, settings.mode);
  return row;
}

function removalOf(
  { row, line, key, vehicle }: MappedRow,
  { id: rooftopId }: Rooftop,
  identity: string,
  mode: FeedMode,
): StagedRemoval {
  const { stock, inventory_date: inventoryDate } = vehicle;
  // Where the file lacks the vehicle that carries the number it leaves anyway.
  const stockBesideVin =
    mode === 'full' || stock === undefined || !identity.startsWith('vin:') ? {} : { stock };
  const dated = inventoryDate === undefined ? {} : { inventoryDate };
  return { row, line, key, rooftopId, identity, ...stockBesideVin, ...dated };
}

/** `vin:` before `stock:` before `id:`; upper case, because feeds do not agree on letter case. */
export function identityOf({ vin, stock, vehicle_id }: Vehicle): string | undefined {
  if (vin !== undefined && isVin(vin)) return `vin:${vin}`;
  if (stock !== undefined) return `stock:${stock.toUpperCase()}`;
  return vehicle_id === undefined ? undefined : `id:${vehicle_id.toUpperCase()}`;
}

export function rooftopRejection(
  place: Exclude<RooftopAnswer, { kind: 'rooftop' }>,
  dealer: MappedRow['dealer'],
): Rejection {
  return {
    code: place.kind === 'unknown' ? 'rooftop_unknown' : 'rooftop_mismatch',
    ...(dealer === undefined ? {} : { field: dealer.field, value: dealer.name }),
    detail: place.detail,
  };
}

/** What was odd about a row that does not count is no longer told. */
export function rejected({ row, line, key }: MappedRow, rejection: Rejection): RejectedRow {
  return { kind: 'rejected', row, line, key, rejection, warnings: [] };
}
