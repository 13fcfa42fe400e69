import { failure, success, type Result } from '../../model/problem.ts';
import { SUPPLEMENT_FIELDS, type SupplementField } from '../../model/supplement.ts';
import { fileFault } from '../file-fault.ts';
import type { FeedProfile, ProfileMap } from './feed-profile.ts';

/** What names a vehicle, and what VINs and doubled rows are judged by. */
const NAMING_FIELDS = ['dealer_id', 'vin', 'stock', 'year', 'vehicle_type', 'inventory_date'] as const;

const PRICE_FIELDS = ['list_price', 'sale_price', 'price', 'fees', 'price_disclaimer', 'msrp'] as const;

/**
 * The profile of a companion feed, reduced to what the feed owns: no other column may refuse a row or be told as
 * odd. A file without the columns of its prices, or of all its other fields, would take back what was there, so it
 * is refused. Fault: profile_invalid, when a field of the feed is not mapped.
 */
export function companionProfile(
  profile: FeedProfile,
  fields: readonly SupplementField[],
): Result<FeedProfile> {
  const mapped = supplementFieldsOf(profile.map);
  const unmapped = fields.filter((field) => !mapped.includes(field));
  if (unmapped.length > 0) {
    const reason = `it maps no column to ${unmapped.join(', ')}, which the feed has under supplements`;
    return failure(fileFault('profile_invalid', reason));
  }
  const owned = fields.flatMap((field) => (field === 'prices' ? PRICE_FIELDS : mapFieldsOf(field)));
  const kept = new Set<string>([...NAMING_FIELDS, ...owned]);
  const map = Object.fromEntries(Object.entries(profile.map).filter(([field]) => kept.has(field)));
  const identity = ['vin', 'stock'].filter((field) => field in map);
  if (identity.length === 0)
    return failure(fileFault('profile_invalid', 'it maps neither vin nor stock, by which rows are joined'));
  const prices = fields.includes('prices') ? [['list_price', 'sale_price', 'price']] : [];
  // Attributes may stand in any number of columns, so that none of them can be asked for.
  const others = fields.filter((field) => field !== 'prices' && field !== 'other_attributes');
  const required = [
    ...(profile.companion ? profile.required : [identity]),
    ...[...prices, others].map((entry) => entry.filter((field) => field in map)),
  ].filter((entry) => entry.length > 0);
  return success({ ...profile, companion: true, map, required });
}

/** What a companion feed could own with this profile. */
export function supplementFieldsOf(map: ProfileMap): SupplementField[] {
  return SUPPLEMENT_FIELDS.filter((field) =>
    field === 'prices'
      ? map.list_price !== undefined || map.price !== undefined
      : mapFieldsOf(field).some((key) => key in map),
  );
}

function mapFieldsOf(field: Exclude<SupplementField, 'prices'>): string[] {
  return field === 'other_attributes' ? ['other_attributes', 'other_attributes_list'] : [field];
}
