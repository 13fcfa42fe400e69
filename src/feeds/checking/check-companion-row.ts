import { ANY_ROOFTOP, ownedPart, type SupplementRule } from '../../model/supplement.ts';
import type { Rooftop } from '../../model/rooftop.ts';
import type { Vehicle } from '../../model/vehicle.ts';
import type { CheckedRow, MappedRow } from '../records.ts';
import { identityOf, rejected, rooftopRejection, type CheckSettings } from './check.ts';
import { contentHash } from './content-hash.ts';
import { brokenRule } from './listing-rules.ts';
import { publishedPrices } from './price-basis.ts';
import { doubtByItsOwn, doubtByMsrp, withoutPrices } from './price-plausibility.ts';

/**
 * The row of a companion feed: it needs a VIN or stock number and nothing else, and only the fields that its feed
 * owns count. Prices go through the same rules as those of any other feed.
 */
export function checkCompanionRow(
  mapped: MappedRow,
  settings: CheckSettings,
  rule: SupplementRule,
): CheckedRow {
  if (mapped.rejection !== undefined) return rejected(mapped, mapped.rejection);
  const { row, line, key, sequence } = mapped;
  const place = settings.findRooftop(mapped.dealer?.name);
  const namesNone = place.kind === 'unknown' && mapped.dealer === undefined;
  if (place.kind !== 'rooftop' && !namesNone) return rejected(mapped, rooftopRejection(place, mapped.dealer));
  const rooftop = place.kind === 'rooftop' ? place.rooftop : undefined;
  const rooftopId = rooftop?.id ?? ANY_ROOFTOP;
  const { vin, stock } = mapped.vehicle;
  const identity = identityOf({ ...(vin && { vin }), ...(stock && { stock }) });
  if (identity === undefined) return rejected(mapped, { code: 'no_identity' });
  // The stock number is as good here; that the vehicle lacks a VIN is told of the feed that brings it.
  mapped.warnings = mapped.warnings.filter(({ code }) => code !== 'vin_missing');
  const { warnings } = mapped;

  if (mapped.remove === true) {
    if (settings.mode === 'full') return rejected(mapped, { code: 'delta_delete' });
    return { kind: 'removal', row, line, key, removal: { row, line, key, rooftopId, identity }, warnings };
  }

  const vehicle = broughtBy(mapped, rooftop, settings, rule);
  // What the row does not tell is for the other feed to tell.
  const broken = brokenRule({ ...vehicle, condition: 'used', status: 'available', year: 2000 });
  if (broken !== undefined) return rejected(mapped, { code: 'listing_invalid', detail: broken });
  const isEmpty = Object.keys(ownedPart(vehicle, rule.fields)).length === 0;
  if (isEmpty && warnings.every(({ code }) => code.startsWith('vin_')))
    warnings.push({ code: 'supplement_empty' });
  const json = JSON.stringify(vehicle);
  const staged = {
    ...{ row, line, key, rooftopId, identity, vehicle, json, contentHash: contentHash(json) },
    ...(sequence === undefined ? {} : { sequence }),
  };
  return { kind: 'accepted', row, line, key, staged, warnings };
}

/** The owned fields with what names the vehicle. Warns of a price that is held back. */
function broughtBy(
  mapped: MappedRow,
  rooftop: Rooftop | undefined,
  { priceRule, priceChecks }: CheckSettings,
  { fields }: SupplementRule,
): Vehicle {
  const { vin, stock, inventory_date } = mapped.vehicle;
  const named: Vehicle = {
    ...(vin && { vin }),
    ...(stock && { stock }),
    ...(inventory_date && { inventory_date }),
  };
  if (!fields.includes('prices')) return { ...named, ...ownedPart(mapped.vehicle, fields) };
  const { prices, warning } = publishedPrices(mapped, rooftop, priceRule);
  if (warning !== undefined) mapped.warnings.push({ code: warning });
  const priced = { ...withoutPrices(mapped.vehicle), ...prices };
  const doubt = doubtByItsOwn(priced) ?? doubtByMsrp(priced, priceChecks);
  if (doubt !== undefined) mapped.warnings.push({ code: 'price_implausible', ...doubt });
  const sound = doubt === undefined ? priced : withoutPrices(priced);
  return { ...named, ...ownedPart(sound, fields) };
}
