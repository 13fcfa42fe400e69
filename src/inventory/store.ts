import type { Database, Statement } from 'better-sqlite3';
import { foreignCommits } from '../model/foreign-commits.ts';
import type {
  InventoryIntake,
  PriceTerms,
  Reprice,
  RunFilter,
  RunOptions,
  RunRecord,
  StagedRun,
} from '../model/intake.ts';
import type { SupplementRule } from '../model/supplement.ts';
import type { Vehicle } from '../model/vehicle.ts';
import { openDatabase } from './database.ts';
import type { VehicleReference } from './inventory.ts';
import { lookupKey } from './lookup-key.ts';
import { bringPricesInLine } from './price-terms.ts';
import { RunLog } from './run-log.ts';
import { SqliteStagedRun } from './staged-run.ts';
import { configureSupplements, type SupplementSource } from './supplement-merge.ts';
import { SqliteSupplementRun } from './supplement-run.ts';
import { PUBLISHED_JSON, type TextReader, textReader } from './text-reader.ts';
import { type StoredVehicle, type VehicleFinder, vehicleFinder } from './vehicle-finder.ts';
import { takeOffLot, type VehicleOwner, vehicleOwners } from './vehicle-owners.ts';

/** The truth about the lot: what every feed brought, kept on disk, and the tombstones of what has left. */
export interface InventoryStore extends InventoryIntake {
  /** Changes when another connection or process has committed a run, never by this connection's own. */
  dataVersion(): number;
  /**
   * Every vehicle on the lot, by identity and then rooftop: one consistent picture, read row by row. Those that a
   * feed of `withoutFeeds` has are left out.
   */
  readAllForLot(withoutFeeds?: readonly string[]): Iterable<LotRow>;
  /**
   * The same for whoever can do with the rows in the order in which they are stored, which takes half the time: calls
   * `visit` with each, and returns their row ids by identity and then rooftop. Both are of one picture. Those of
   * `withoutRooftops` are left out, too.
   */
  visitAllForLot(
    visit: (row: LotRow) => void,
    withoutFeeds?: readonly string[],
    withoutRooftops?: readonly string[],
  ): readonly number[];
  /** Who has brought what is on the lot, hidden or not. */
  vehicleOwners(): VehicleOwner[];
  /** Takes what a feed or a rooftop has on the lot off it, for good. Returns how many vehicles. @param at ms */
  takeOffLot(kind: 'feed' | 'rooftop', id: string, at: number): number;
  /** Ready JSON texts in the order of the row ids; undefined = no longer there. */
  readListingTexts(rowIds: readonly number[]): (string | undefined)[];
  /** The most specific identifier decides alone. Of several vehicles a listed one comes first, then the newest. */
  findVehicle(
    reference: VehicleReference,
    isMeant?: (vehicle: StoredVehicle) => boolean,
  ): StoredVehicle | undefined;
  /**
   * Everything known of the vehicles that go by this VIN, stock number or vehicle_id, also of those that have left:
   * at most 50, listed ones first, then the newest. For people who ask where a vehicle is.
   */
  findRecords(key: string): VehicleRecord[];
  /** The held runs that still wait for a person, oldest first: nothing of their feed was taken in since. */
  listHeldRuns(): RunRecord[];
  /**
   * Makes these, by feed id, the companion feeds. What others have brought is forgotten and published no more: a feed
   * that returns to the settings begins anew, so that it can not bring old prices back.
   */
  configureSupplements(rules: ReadonlyMap<string, SupplementRule>): void;
  /** Brings stored prices to these terms where they were made by others. Returns how many vehicles have changed. */
  bringPricesInLine(terms: readonly PriceTerms[], reprice: Reprice): number;
  close(): void;
}

export interface VehicleRecord {
  rooftopId: string;
  /** The feed that has it: only its files can miss it. */
  feedId: string;
  /** Another feed that has spoken of it last: a delta has changed it or taken it off. */
  toldBy?: string;
  /** As published, without updated_at. */
  vehicle: Vehicle;
  /** Companion feeds that add to it, and what each brings. */
  supplements: SupplementSource[];
  /** Ms since 1970, as the other two. */
  firstSeen: number;
  updatedAt: number;
  /** Undefined while it is on the lot. */
  leftAt?: number;
  /** How many full files in a row lacked it while it stayed on the lot, and the first run that did. */
  missing?: { files: number; runId: string; fileName: string };
}

export interface LotRow {
  rowId: number;
  rooftopId: string;
  /** Ms since 1970. */
  updatedAt: number;
  /** Without updated_at. */
  vehicle: Vehicle;
}

/** @param file path of inventory.db, or `:memory:`. Throws as `openDatabase` does. */
export function openInventoryStore(file: string, options: { readonly?: boolean } = {}): InventoryStore {
  return new SqliteInventoryStore(openDatabase(file, { readonly: options.readonly ?? false }));
}

interface RecordRow {
  rooftopId: string;
  feedId: string;
  toldBy: string | null;
  json: string;
  sources: string;
  firstSeen: number;
  updatedAt: number;
  leftAt: number | null;
  missingFiles: number;
  missingSince: string | null;
  missingSinceFile: string | null;
}

const ON_LOT = `
  WHERE left_at IS NULL AND feed_id NOT IN (SELECT value FROM json_each(@without))
    AND rooftop_id NOT IN (SELECT value FROM json_each(@rooftops))`;

/** Stepping from row to row would cost a third of the reading. */
const ROWS_AT_ONCE = 256;

interface LeftOut {
  /** Feeds, as JSON. */
  without: string;
  rooftops: string;
}

type LotTuple = [rowId: number, rooftopId: string, updatedAt: number, json: string];

class SqliteInventoryStore implements InventoryStore {
  readonly #database: Database;
  readonly #runs: RunLog;
  readonly #readForLot: Statement<[LeftOut], LotTuple>;
  readonly #readAsStored: Statement<[LeftOut & { after: number }], LotTuple>;
  readonly #readOrder: Statement<[LeftOut], number>;
  readonly #readTexts: TextReader;
  readonly #find: VehicleFinder;
  readonly #commitsElsewhere: () => number;
  readonly #findRecords: Statement<[{ key: string }], RecordRow>;
  /** Settles when the run that holds the staging tables has ended. */
  #turn: Promise<void> = Promise.resolve();

  constructor(database: Database) {
    this.#database = database;
    this.#runs = new RunLog(database);
    this.#commitsElsewhere = foreignCommits(database);
    this.#readForLot = lotReader(database, 'ORDER BY identity, rooftop_id');
    this.#readAsStored = lotReader(database, `AND row_id > @after ORDER BY row_id LIMIT ${ROWS_AT_ONCE}`);
    this.#readOrder = database
      .prepare<[LeftOut], number>(`SELECT row_id FROM vehicle ${ON_LOT} ORDER BY identity, rooftop_id`)
      .pluck();
    this.#readTexts = textReader(database);
    this.#find = vehicleFinder(database);
    this.#findRecords = recordFinder(database);
  }

  /** Runs of one connection take turns: the next begins when this one is applied or discarded. */
  async beginRun(options: RunOptions): Promise<StagedRun> {
    const previous = this.#turn;
    const { promise, resolve } = Promise.withResolvers<undefined>();
    this.#turn = promise;
    await previous;
    const ended = (): void => resolve(undefined);
    try {
      const { supplements } = options;
      return supplements === undefined
        ? new SqliteStagedRun(this.#database, options, ended)
        : new SqliteSupplementRun(this.#database, options, supplements, ended);
    } catch (error) {
      resolve(undefined);
      throw error;
    }
  }

  recordRun(record: RunRecord): Promise<void> {
    return new Promise((resolve) => {
      this.#runs.record(record);
      resolve();
    });
  }

  listRuns(filter: RunFilter = {}): Promise<RunRecord[]> {
    return new Promise((resolve) => resolve(this.#runs.list(filter)));
  }

  listHeldRuns(): RunRecord[] {
    return this.#runs.listHeld();
  }

  dataVersion(): number {
    return this.#commitsElsewhere();
  }

  *readAllForLot(withoutFeeds: readonly string[] = []): Iterable<LotRow> {
    const leftOut = { without: JSON.stringify(withoutFeeds), rooftops: '[]' };
    for (const row of this.#readForLot.iterate(leftOut)) yield lotRow(row);
  }

  visitAllForLot(
    visit: (row: LotRow) => void,
    withoutFeeds: readonly string[] = [],
    withoutRooftops: readonly string[] = [],
  ): readonly number[] {
    const leftOut = { without: JSON.stringify(withoutFeeds), rooftops: JSON.stringify(withoutRooftops) };
    const readBoth = this.#database.transaction(() => {
      for (let after = 0; ;) {
        const rows = this.#readAsStored.all({ ...leftOut, after });
        for (const row of rows) visit(lotRow(row));
        const last = rows.at(-1);
        if (last === undefined) return this.#readOrder.all(leftOut);
        [after] = last;
      }
    });
    const order = readBoth();
    // All pages have been read once, and most of them will not be wanted again before the next file.
    this.#database.pragma('shrink_memory');
    return order;
  }

  vehicleOwners(): VehicleOwner[] {
    return vehicleOwners(this.#database);
  }

  takeOffLot(kind: 'feed' | 'rooftop', id: string, at: number): number {
    return takeOffLot(this.#database, kind, id, at);
  }

  readListingTexts(rowIds: readonly number[]): (string | undefined)[] {
    return this.#readTexts(rowIds);
  }

  findVehicle(
    reference: VehicleReference,
    isMeant?: (vehicle: StoredVehicle) => boolean,
  ): StoredVehicle | undefined {
    return this.#find(reference, isMeant);
  }

  findRecords(key: string): VehicleRecord[] {
    const sought = lookupKey(key);
    return sought === undefined ? [] : this.#findRecords.all({ key: sought }).map(vehicleRecord);
  }

  configureSupplements(rules: ReadonlyMap<string, SupplementRule>): void {
    configureSupplements(this.#database, rules);
  }

  bringPricesInLine(terms: readonly PriceTerms[], reprice: Reprice): number {
    return bringPricesInLine(this.#database, terms, reprice);
  }

  close(): void {
    this.#database.close();
  }
}

function lotReader<Parameters extends { without: string }>(
  database: Database,
  which: string,
): Statement<[Parameters], LotTuple> {
  return database
    .prepare<[Parameters], LotTuple>(
      `SELECT row_id, rooftop_id, updated_at, ${PUBLISHED_JSON} FROM vehicle JOIN listing USING (row_id)
       LEFT JOIN supplemented USING (row_id) ${ON_LOT} ${which}`,
    )
    .raw();
}

function lotRow([rowId, rooftopId, updatedAt, json]: LotTuple): LotRow {
  return { rowId, rooftopId, updatedAt, vehicle: JSON.parse(json) as Vehicle };
}

function recordFinder(database: Database): Statement<[{ key: string }], RecordRow> {
  return database.prepare(
    `SELECT rooftop_id AS rooftopId, vehicle.feed_id AS feedId, told_by AS toldBy, ${PUBLISHED_JSON} AS json,
       COALESCE(sources, '[]') AS sources, first_seen AS firstSeen, updated_at AS updatedAt, left_at AS leftAt,
       missing_files AS missingFiles, missing_since AS missingSince, run.file_name AS missingSinceFile
     FROM vehicle JOIN listing USING (row_id) LEFT JOIN supplemented USING (row_id)
     LEFT JOIN run ON run.run_id = missing_since
     WHERE vin = @key OR stock_key = @key OR vehicle_id_key = @key
     ORDER BY left_at IS NOT NULL, updated_at DESC, row_id DESC LIMIT 50`,
  );
}

function vehicleRecord({ json, sources, leftAt, ...row }: RecordRow): VehicleRecord {
  const { missingFiles, missingSince, missingSinceFile, toldBy, ...rest } = row;
  const supplements = JSON.parse(sources) as SupplementSource[];
  const missing =
    missingSince === null
      ? {}
      : { missing: { files: missingFiles, runId: missingSince, fileName: missingSinceFile ?? '' } };
  const left = leftAt === null ? {} : { leftAt };
  const told = toldBy === null ? {} : { toldBy };
  return { ...rest, ...told, vehicle: JSON.parse(json) as Vehicle, supplements, ...left, ...missing };
}
