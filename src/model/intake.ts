import type { Vehicle } from './vehicle.ts';

/**
 * Where the way in of a file (feeds) and the lot (inventory) meet without knowing each other: feeds calls these
 * interfaces, inventory/store.ts implements them, the composition root joins the two.
 */

/** `full`: a vehicle missing from the file has left the lot. `delta`: only what the file says changes. */
export type FeedMode = 'full' | 'delta';

export interface InventoryIntake {
  /** Opens a staging area for one file. Nothing on the lot changes before `apply`. */
  beginRun(options: RunOptions): Promise<StagedRun>;
  recordRun(record: RunRecord): Promise<void>;
  /** Newest first. */
  listRuns(filter?: RunFilter): Promise<RunRecord[]>;
}

export interface RunFilter {
  feedId?: string;
  limit?: number;
  /** Only runs that changed or confirmed the lot: `ok` and `partial`. */
  takenIn?: boolean;
}

/** A feed that has brought no good file for longer than its settings expect. */
export interface OverdueFeed {
  feedId: string;
  /** When its time was up, RFC 3339. */
  since: string;
  /** Its vehicles are kept from buyers until it comes. */
  isHidden: boolean;
}

export interface RunOptions {
  runId: string;
  feedId: string;
  mode: FeedMode;
  /** Time at which the dealer's system wrote the file, ms since 1970: becomes updated_at of what it confirms. */
  confirmedAt: number;
}

export interface StagedRun {
  stage(vehicles: readonly StagedVehicle[]): Promise<void>;
  stageRemovals(removals: readonly StagedRemoval[]): Promise<void>;
  /**
   * What is published for these vehicles now, or was until a price was held back; in their order. Undefined for a
   * vehicle that is not on the lot or never had a price.
   */
  lastPrices(
    vehicles: readonly Pick<StagedVehicle, 'identity' | 'rooftopId'>[],
  ): Promise<(LastPrices | undefined)[]>;
  /** Leaves one row per identity: the newest inventory_date, else the last row. Returns the rows that lost. */
  dropDuplicates(): Promise<DuplicateRow[]>;
  /** Different vehicles of one rooftop that share a stock number (both stay, both are told). */
  sharedStock(): Promise<{ row: number; line: number; key: string; stock: string; otherRow: number }[]>;
  /**
   * Removals that name a vehicle by a number which several vehicles of the rooftop carry, none of them kept under
   * it: they remove nothing. A number that one vehicle carries removes that one, also when it is kept under its VIN.
   */
  ambiguousRemovals(): Promise<AmbiguousRemoval[]>;
  /**
   * What `apply` would do, for each rooftop present in the file. In full mode the vehicles that this feed brought
   * earlier and that the file no longer has count as removed; other feeds' vehicles and absent rooftops do not.
   * `everywhere`: the file speaks for all rooftops of the feed, also for those that it does not name.
   */
  compare(options?: { everywhere: boolean }): Promise<RooftopChange[]>;
  /** One transaction. `removeAbsent: false` adds and changes but removes nothing (a file that may be cut short). */
  apply(options: { removeAbsent: boolean; everywhere?: boolean }): Promise<RooftopChange[]>;
  discard(): Promise<void>;
}

export interface DuplicateRow {
  row: number;
  line: number;
  key: string;
  keptRow: number;
  reason: 'identical' | 'older' | 'earlier_row';
  /** Set when the kept row stands at another rooftop. */
  keptRooftopId?: string;
}

export interface RooftopChange {
  rooftopId: string;
  /** Vehicles of this feed at this rooftop before the run. */
  before: number;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  /** Of the removed ones, those that the file places at another rooftop: they have not left the dealer. */
  moved: number;
}

/** `ok` everything taken, `partial` some rows refused, `held` waits for a person, `failed` nothing taken. */
export type RunStatus = 'ok' | 'partial' | 'held' | 'failed';

export interface RunRecord {
  runId: string;
  feedId: string;
  fileName: string;
  /** SHA-256 of the file, hex. */
  fingerprint: string;
  status: RunStatus;
  /** Code and text of the file-level reason when held or failed. */
  code?: string;
  message?: string;
  startedAt: string;
  finishedAt: string;
  rows: number;
  accepted: number;
  rejected: number;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
}

/** What the inventory stores of one vehicle of one run. */
export interface StagedVehicle {
  row: number;
  line: number;
  key: string;
  rooftopId: string;
  /** `vin:1HG…`, else `stock:T123`, else `id:veh_1`: upper case after the colon. */
  identity: string;
  /** Complete except for updated_at, which the store adds. */
  vehicle: Vehicle;
  /** `vehicle` as JSON text, where it has been made already: making it again would cost more than writing it. */
  json?: string;
  /** Changes exactly when the vehicle's published content changes. */
  contentHash: string;
  /** Of a vehicle without a price: the prices that were published last, kept to compare the next one with. */
  lastPrices?: LastPrices;
}

/** In dollars. */
export type LastPrices = Pick<Vehicle, 'list_price' | 'price'>;

export interface StagedRemoval {
  row: number;
  line: number;
  key: string;
  rooftopId: string;
  identity: string;
}

export interface AmbiguousRemoval extends StagedRemoval {
  /** How many vehicles carry the number. */
  matches: number;
}
