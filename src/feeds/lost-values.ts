import type { RooftopChange, StagedRun } from '../model/intake.ts';
import type { PreparedFeed } from './prepare-feed.ts';
import { lackedColumns } from './profile/column-use.ts';
import type { Tally } from './reporting/tally.ts';

/**
 * What a column that was renamed or left out does to a file that reads well: prices or stock numbers are gone from all
 * vehicles at once, or all of them stand at one rooftop. Nothing of that takes a vehicle off, so the guard sees nothing.
 */

const FIELDS = [
  { name: 'price', fields: ['list_price', 'price'], inFile: 'priced' },
  { name: 'stock number', fields: ['stock'], inFile: 'stocked' },
] as const;

/** Of fewer vehicles one that is priced on request would be a sign. */
const FEWEST_JUDGED = 2;

/**
 * Values that most vehicles of the feed have on the lot and that the file lacks, in words. A full file lacks them where
 * its share of vehicles with the value has fallen by half; any table where it has no column for them.
 */
export async function lostValues(
  { profile, checkSettings, supplements }: PreparedFeed,
  columns: readonly string[] | undefined,
  staged: StagedRun,
  { accepts }: Pick<Tally, 'accepts'>,
): Promise<string[]> {
  const { vehicles, priced, stocked } = accepts;
  if (supplements !== undefined || vehicles === 0) return [];
  const inFile = { priced, stocked };
  const suspects = FIELDS.map((field) => ({
    ...field,
    lacked: columns === undefined ? [] : lackedColumns(profile.map, field.fields, columns),
    count: inFile[field.inFile],
  })).filter(({ lacked, count }) => lacked.length > 0 || count * 2 < vehicles);
  if (suspects.length === 0) return [];
  const listed = await staged.listedValues();
  return suspects.flatMap(({ name, lacked, count, inFile: which }) => {
    const before = listed[which];
    const isFewer =
      checkSettings.mode === 'full' &&
      Math.min(vehicles, listed.vehicles) >= FEWEST_JUDGED &&
      count * 2 * listed.vehicles < before * vehicles;
    const hasNoColumn = lacked.length > 0 && count === 0 && before * 2 > listed.vehicles;
    if (!isFewer && !hasNoColumn) return [];
    const column = lacked.length === 0 ? '' : `, no column ${lacked.join(' or ')}`;
    return [`${name}: ${count} of ${vehicles} in the file, ${before} of ${listed.vehicles} before${column}`];
  });
}

/** A single car is moved, or the few of one evening; most cars of a rooftop are not. */
export function suddenMoves(
  changes: readonly RooftopChange[],
  isConfigured: (rooftopId: string) => boolean,
): string[] {
  return changes
    .filter(({ rooftopId, moved, before, standing = before }) => {
      // Vehicles of a rooftop that was renamed or taken out of the settings have to go somewhere.
      return isConfigured(rooftopId) && moved > 1 && moved * 2 > standing;
    })
    .map(
      ({ rooftopId, moved, before, standing = before }) =>
        `${rooftopId}: ${moved} of ${standing} stand elsewhere`,
    );
}
