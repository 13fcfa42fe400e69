import type { Database } from 'better-sqlite3';

/** How many vehicles on the lot one feed has brought for one rooftop. */
export interface VehicleOwner {
  /** The feed that has them. */
  feedId: string;
  rooftopId: string;
  vehicles: number;
  /** When one of them was last confirmed, ms since 1970. */
  confirmedAt: number;
}

/** By feed and then rooftop. Looks at every vehicle. */
export function vehicleOwners(database: Database): VehicleOwner[] {
  return database
    .prepare<[], VehicleOwner>(
      `SELECT feed_id AS feedId, rooftop_id AS rooftopId, COUNT(*) AS vehicles, MAX(updated_at) AS confirmedAt
       FROM vehicle WHERE left_at IS NULL GROUP BY feed_id, rooftop_id ORDER BY feed_id, rooftop_id`,
    )
    .all();
}

/** Takes all vehicles of a feed or of a rooftop off the lot, as a file that has none of them does. Returns how many. */
export function takeOffLot(database: Database, kind: 'feed' | 'rooftop', id: string, at: number): number {
  const column = kind === 'feed' ? 'feed_id' : 'rooftop_id';
  return database
    .prepare(`UPDATE vehicle SET left_at = MAX(updated_at, @at) WHERE ${column} = @id AND left_at IS NULL`)
    .run({ id, at }).changes;
}
