import type { FeedMode } from '../model/intake.ts';

/**
 * Whose a vehicle is and whose word about it counts, as pieces of SQL. Named parameters: @feedId, @confirmedAt,
 * @keptFeeds.
 *
 * - feed_id is the feed that has the vehicle: its full files take it off by lacking it. A full file takes every vehicle
 *   that it lists; a delta changes what others have and takes over only what has no feed in the settings any more.
 *   Otherwise the car whose price a delta has changed would stay when the full file no longer has it.
 * - told_at and told_by are the newest word about the vehicle, by the time of its file; told_by is NULL where that is a
 *   word of feed_id itself. An older file of another feed does not change what has been said since.
 */

/** Of `vehicle`: what a file of this run says of it is out of date. Older files of a feed itself are judged as a whole. */
export const TOLD_SINCE_BY_ANOTHER =
  'vehicle.told_at > @confirmedAt AND COALESCE(vehicle.told_by, vehicle.feed_id) <> @feedId';

/** Assignments that note this run's word, unless there is a newer one. */
export function toldBy(owner: string): string {
  return `told_at = MAX(vehicle.told_at, @confirmedAt),
     told_by = NULLIF(CASE WHEN vehicle.told_at > @confirmedAt THEN COALESCE(vehicle.told_by, vehicle.feed_id)
       ELSE @feedId END, ${owner})`;
}

const IS_OF_KEPT_FEED =
  '(@keptFeeds IS NULL OR vehicle.feed_id IN (SELECT value FROM json_each(@keptFeeds)))';

const STAYS_ITS_FEEDS = `(vehicle.feed_id <> @feedId AND vehicle.left_at IS NULL AND ${IS_OF_KEPT_FEED})`;

/** Whose a new vehicle is, `staged`: in a delta the feed's that had it at the rooftop that it leaves now. */
export function newOwner(mode: FeedMode): string {
  if (mode === 'full') return '@feedId';
  return `COALESCE((
       SELECT vehicle.feed_id FROM vehicle CROSS JOIN leaving USING (row_id)
       WHERE vehicle.identity = staged.identity AND staged.scope = '' AND ${IS_OF_KEPT_FEED}), @feedId)`;
}

/**
 * Assignments of a vehicle that the file brings again, with what belongs to its place in the files of its feed. One that
 * keeps a date which its row does not tell cannot say again what the row says, nor one that another feed has.
 */
export function claimedIn(mode: FeedMode, row: 'staged' | 'excluded'): string {
  const recordHash = `CASE WHEN ${row}.inventory_date IS NOT NULL OR vehicle.inventory_date IS NULL
       THEN ${row}.record_hash END`;
  if (mode === 'full')
    return `feed_id = @feedId, position = ${row}.position, record_hash = ${recordHash}, ${toldBy('@feedId')}`;
  const unless = (kept: string, value: string): string =>
    `CASE WHEN ${STAYS_ITS_FEEDS} THEN ${kept} ELSE ${value} END`;
  const owner = unless('vehicle.feed_id', row === 'excluded' ? 'excluded.feed_id' : '@feedId');
  return `feed_id = ${owner}, position = ${unless('vehicle.position', `${row}.position`)},
     record_hash = ${unless('NULL', recordHash)}, ${toldBy(owner)}`;
}
