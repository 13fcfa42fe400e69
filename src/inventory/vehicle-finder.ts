import type { Database } from 'better-sqlite3';
import { foreignCommits } from '../model/foreign-commits.ts';
import type { VehicleReference } from './inventory.ts';
import { KeptReads } from './kept-reads.ts';
import { publishedText } from './listing-text.ts';
import { lookupKey } from './lookup-key.ts';

export interface StoredVehicle {
  rooftopId: string;
  /** The feed that has it. */
  feedId: string;
  /** Ready JSON text, updated_at included. */
  json: string;
  /** Ms since 1970; undefined while it is on the lot. */
  leftAt?: number;
}

/** The first that is meant, or of all. */
export type VehicleFinder = (
  reference: VehicleReference,
  isMeant?: (vehicle: StoredVehicle) => boolean,
) => StoredVehicle | undefined;

type Found = [rooftopId: string, feedId: string, json: string, updatedAt: number, leftAt: number | null];

/** A dealer group has fewer rooftops; the rest are vehicles of long ago. */
const MOST_OF_ONE_KEY = 50;

/** Some thousand vehicles: those that buyers write about. */
const MOST_KEPT_CHARACTERS = 4 * 1024 * 1024;

type Lookup = (key: string) => readonly StoredVehicle[];

/** Looks single vehicles up. The most specific identifier decides alone. */
export function vehicleFinder(database: Database): VehicleFinder {
  const byVin = finderBy(database, 'vin');
  const byStock = finderBy(database, 'stock_key');
  const byVehicleId = finderBy(database, 'vehicle_id_key');
  return (reference, isMeant = () => true) => {
    const vin = lookupKey(reference.vin);
    if (vin !== undefined) return byVin(vin).find(isMeant);
    const stock = lookupKey(reference.stock);
    if (stock !== undefined) return byStock(stock).find(isMeant);
    const vehicleId = lookupKey(reference.vehicle_id);
    return vehicleId === undefined ? undefined : byVehicleId(vehicleId).find(isMeant);
  };
}

/**
 * Of all that carry the key a listed one comes first, then the newest. Mostly one carries it, and then nothing is
 * sorted: SQLite plans what it has to sort, and what it has to join, anew for every value that is bound, which takes
 * ten times as long as the reading. So the texts are asked for without a join, too.
 */
function finderBy(database: Database, column: 'vin' | 'stock_key' | 'vehicle_id_key'): Lookup {
  const select = `
    SELECT rooftop_id, feed_id, COALESCE(
      (SELECT json FROM supplemented WHERE supplemented.row_id = vehicle.row_id),
      (SELECT json FROM listing WHERE listing.row_id = vehicle.row_id)), updated_at, left_at
    FROM vehicle WHERE ${column} = ?`;
  const upToTwo = database.prepare<[string], Found>(`${select} LIMIT 2`).raw();
  const bestFirst = database
    .prepare<[string], Found>(
      `${select} ORDER BY left_at IS NOT NULL, updated_at DESC, row_id DESC LIMIT ${MOST_OF_ONE_KEY}`,
    )
    .raw();
  const look: Lookup = (key) => {
    const found = upToTwo.all(key);
    return (found.length < 2 ? found : bestFirst.all(key)).map(storedVehicle);
  };
  return database.readonly ? keeping(look, foreignCommits(database)) : look;
}

/** The car of an advertisement is asked for again and again. */
function keeping(look: Lookup, version: () => number): Lookup {
  const kept = new KeptReads<string, readonly StoredVehicle[]>(version, MOST_KEPT_CHARACTERS, (found) =>
    found.reduce((sum, { json }) => sum + json.length, 0),
  );
  return (key) => {
    kept.refresh();
    const known = kept.get(key);
    if (known !== undefined) return known;
    const found = look(key);
    // What nobody has is mostly a slip, and there is no end of those.
    if (found.length > 0) kept.keep(key, found);
    return found;
  };
}

function storedVehicle([rooftopId, feedId, json, updatedAt, leftAt]: Found): StoredVehicle {
  const vehicle = { rooftopId, feedId, json: publishedText(json, updatedAt) };
  return leftAt === null ? vehicle : { ...vehicle, leftAt };
}
