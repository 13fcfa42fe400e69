import type { RooftopChange, StagedRun } from '../model/intake.ts';
import type { PreparedFeed } from './prepare-feed.ts';
import { lackedColumns } from './profile/column-use.ts';
import type { RunDraft } from './reporting/run-draft.ts';
import type { Tally } from './reporting/tally.ts';

/**
 * What a column that was renamed or left out does to a file that reads well: prices or stock numbers are gone from all
 * vehicles at once, or all of them stand at one rooftop. Nothing of that takes a vehicle off, so the guard sees nothing.
 */

const FIELDS = [
  { name: 'price', key: 'price', fields: ['list_price', 'sale_price', 'price'], inFile: 'priced' },
  { name: 'stock number', key: 'stock', fields: ['stock'], inFile: 'stocked' },
] as const;

/** One that is priced on request now is no sign. */
const FEWEST_LOST = 2;

/**
 * Values that are gone, in words. A full file has lost them where most of the vehicles that had one are in it without;
 * what is sold or new, or never had one, says nothing about that. Any table has lost them where it has no column for what
 * most vehicles of the feed have on the lot.
 */
export async function lostValues(
  { profile, checkSettings, supplements }: PreparedFeed,
  columns: readonly string[] | undefined,
  staged: StagedRun,
  { accepts }: Pick<Tally, 'accepts'>,
): Promise<string[]> {
  const { vehicles, priced, stocked } = accepts;
  if (supplements !== undefined || vehicles === 0) return [];
  const isFull = checkSettings.mode === 'full';
  const inFile = { priced, stocked };
  const suspects = FIELDS.map((field) => ({
    ...field,
    lacked: columns === undefined ? [] : lackedColumns(profile.map, field.fields, columns),
    count: inFile[field.inFile],
  })).filter(({ lacked, count }) => lacked.length > 0 || (isFull && vehicles - count >= FEWEST_LOST));
  if (suspects.length === 0) return [];
  const compared = await staged.lostValues();
  const listed = suspects.some(({ lacked }) => lacked.length > 0) ? await staged.listedValues() : undefined;
  return suspects.flatMap(({ name, key, lacked, count, inFile: which }) => {
    const { had, lost } = compared[key];
    const column = lacked.length === 0 ? '' : `, no column ${lacked.join(' or ')}`;
    if (isFull && lost >= FEWEST_LOST && lost * 2 > had)
      return [`${name}: gone from ${lost} of ${had} vehicles${column}`];
    const before = listed?.[which] ?? 0;
    if (lacked.length === 0 || count > 0 || before * 2 <= (listed?.vehicles ?? 0)) return [];
    return [
      `${name}: ${count} of ${vehicles} in the file, ${before} of ${listed?.vehicles ?? 0} before${column}`,
    ];
  });
}

/** Photos that most vehicles have and for which the file has no column: a person is told, and the file counts. */
export async function tellLostPhotos(
  { profile, supplements }: PreparedFeed,
  { file, tally }: Pick<RunDraft, 'file' | 'tally'>,
  staged: StagedRun,
): Promise<void> {
  if (supplements !== undefined || profile.map.photos === undefined || tally.accepts.vehicles === 0) return;
  const lacked = lackedColumns(profile.map, ['photos'], file.columns ?? []);
  if (lacked.length === 0) return;
  const { vehicles, photographed } = await staged.listedValues();
  if (photographed * 2 <= vehicles) return;
  const detail = `no column ${lacked.join(' or ')}; ${photographed} of ${vehicles} had some`;
  tally.warnOfFile({ code: 'photos_gone', detail });
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
