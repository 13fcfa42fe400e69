import type { Database } from 'better-sqlite3';
import type { FeedMode } from '../model/intake.ts';

/**
 * A unit that was on order has come without a VIN, under its stock number, and comes with one now. It is the same unit:
 * nothing is added and nothing is gone. The other way round only in a delta, which would leave the unit with the VIN on the
 * lot beside it; full files that lose their VINs are left to the guard.
 */

/**
 * Rows that are not on the lot, and the vehicle there that `isNamesake` finds by their stock number. One that the file
 * itself brings, or takes off, is another unit, and so is one of another year or make, whose number was given anew.
 */
const takeovers = (rows: string, isNamesake: string): string => `
  SELECT staged.position, vehicle.row_id AS rowId FROM staged_vehicle AS staged
  CROSS JOIN vehicle ON ${isNamesake} AND vehicle.rooftop_id = staged.rooftop_id
  LEFT JOIN vehicle AS own ON own.row_id = staged.listed_id
  CROSS JOIN listing ON listing.row_id = vehicle.row_id
  CROSS JOIN staged_text AS text ON text.position = staged.position
  WHERE ${rows} AND staged.stock_key IS NOT NULL AND vehicle.left_at IS NULL
    AND (own.row_id IS NULL OR own.left_at IS NOT NULL)
    AND json_extract(text.json, '$.year') IS json_extract(listing.json, '$.year')
    AND lower(json_extract(text.json, '$.make')) IS lower(json_extract(listing.json, '$.make'))
    AND NOT EXISTS (
      SELECT 1 FROM staged_vehicle AS brought
      WHERE brought.identity = vehicle.identity AND brought.rooftop_id = vehicle.rooftop_id)
    AND NOT EXISTS (
      SELECT 1 FROM staged_removal AS removal
      WHERE removal.identity = vehicle.identity AND removal.rooftop_id = vehicle.rooftop_id)`;

const FIND_WITH_VIN_NOW = takeovers("staged.scope = ''", "vehicle.identity = 'stock:' || staged.stock_key");

const FIND_WITHOUT_VIN_NOW = takeovers(
  "staged.identity GLOB 'stock:*'",
  'vehicle.stock_key = staged.stock_key AND vehicle.vin IS NOT NULL',
);

/** Most lots have none, and need not look up the stock numbers of all that is new. */
const FIND_ANY_WITHOUT_VIN = `
  SELECT 1 FROM vehicle WHERE identity >= 'stock:' AND identity < 'stock;' AND left_at IS NULL LIMIT 1`;

const MARK_TAKEOVER = `UPDATE staged_vehicle SET listed_id = @rowId WHERE position = @position`;

/** Before all other steps of apply. What the unit was under that identity before makes way. */
export const TAKEOVER_STEPS: readonly string[] = [
  `DELETE FROM vehicle WHERE row_id IN (
     SELECT earlier.row_id FROM staged_vehicle AS staged
     CROSS JOIN vehicle AS listed ON listed.row_id = staged.listed_id AND listed.identity <> staged.identity
     CROSS JOIN vehicle AS earlier ON earlier.identity = staged.identity AND earlier.rooftop_id = staged.rooftop_id)`,

  `UPDATE vehicle SET identity = staged.identity
   FROM staged_vehicle AS staged
   WHERE staged.listed_id = vehicle.row_id AND staged.identity <> vehicle.identity`,
];

interface Takeover {
  position: number;
  rowId: number;
}

/**
 * Marks such rows as what is on the lot; once the staged rows have been looked up there. A number that several rows give
 * or several vehicles carry tells nothing. Returns whether there are any.
 */
export function markTakeovers(database: Database, mode: FeedMode): boolean {
  const find = (statement: string): Takeover[] => database.prepare<[], Takeover>(statement).all();
  const mayHaveGotVin = database.prepare(FIND_ANY_WITHOUT_VIN).get() !== undefined;
  const found = [
    ...(mayHaveGotVin ? find(FIND_WITH_VIN_NOW) : []),
    ...(mode === 'delta' ? find(FIND_WITHOUT_VIN_NOW) : []),
  ];
  const byVehicle = Map.groupBy(found, ({ rowId }) => rowId);
  const byRow = Map.groupBy(found, ({ position }) => position);
  const clear = found.filter(
    ({ rowId, position }) => byVehicle.get(rowId)?.length === 1 && byRow.get(position)?.length === 1,
  );
  const mark = database.prepare(MARK_TAKEOVER);
  for (const takeover of clear) mark.run(takeover);
  return clear.length > 0;
}
