import type { SupplementRule } from './supplement.ts';
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
  /**
   * The feeds that bring vehicles, by the settings: a delta changes their vehicles and leaves these theirs, and takes over
   * what other feeds have. Without it those of all feeds stay theirs.
   */
  keptFeeds?: readonly string[];
  /** So many full files in a row may lack a vehicle before the next one that does takes it off the lot; default 0. */
  graceFiles?: number;
  /** Set for a companion feed: the run adds to vehicles of other feeds and never adds or removes one. */
  supplements?: SupplementRun;
}

export interface SupplementRun extends SupplementRule {
  /** Rows of one vehicle are one statement in pieces (one row a photo) and are put together. */
  gather: boolean;
}

export interface StagedRun {
  stage(vehicles: readonly (StagedVehicle | RecognisedVehicle)[]): Promise<void>;
  /** The records that this feed's vehicles on the lot came from; absent where rows are never recognised. */
  knownRecords?(): Promise<KnownRecords>;
  stageRemovals(removals: readonly StagedRemoval[]): Promise<void>;
  /**
   * What is published for these vehicles now, or was until a price was held back; in their order. Undefined for a
   * vehicle that is not on the lot or never had a price.
   */
  lastPrices(
    vehicles: readonly Pick<StagedVehicle, 'identity' | 'rooftopId' | 'vehicle'>[],
  ): Promise<(KnownPrices | undefined)[]>;
  /** Leaves one row per identity: the newest inventory_date, else the last row. Returns the rows that lost. */
  dropDuplicates(): Promise<DuplicateRow[]>;
  /**
   * Rows whose VIN another feed has at another rooftop. A car is in one place, and the newer word counts: where the other
   * feed's file was written later, the row is taken back (`isLost`); else the car will leave the other rooftop.
   */
  settleElsewhere(): Promise<ElsewhereRow[]>;
  /**
   * Rows that contradict what another feed has said of their vehicle by a file that was written later. The newer word
   * counts: the vehicle stays as it is, and a row whose vehicle is gone since is taken back (`isLost`).
   */
  settleOutdated(): Promise<OutdatedRow[]>;
  /** Different vehicles of one rooftop that share a stock number (both stay, both are told). */
  sharedStock(): Promise<{ row: number; line: number; key: string; stock: string; otherRow: number }[]>;
  /**
   * Rows whose VIN and stock number mean two vehicles, after `compare`: the number is that of another vehicle on the lot
   * of that rooftop, which the file does not bring. The VIN counts.
   */
  stockOfOthers(): Promise<(RowPlace & { stock: string; otherKey: string })[]>;
  /**
   * Removals that name a vehicle by a number which several vehicles of the rooftop carry, none of them kept under
   * it: they remove nothing. A number that one vehicle carries removes that one, also when it is kept under its VIN.
   */
  ambiguousRemovals(): Promise<AmbiguousRemoval[]>;
  /** Which vehicles the rows of a companion feed add to; undefined for any other feed. */
  joins(): Promise<Joins | undefined>;
  /**
   * What `apply` would do, for each rooftop present in the file. In full mode the vehicles that this feed brought
   * earlier and that the file no longer has count as removed; other feeds' vehicles and absent rooftops do not.
   * `everywhere`: the file speaks for all rooftops of the feed, also for those that it does not name.
   */
  compare(options?: Scope): Promise<RooftopChange[]>;
  /**
   * In full mode: the number of vehicles that the file is the first to lack and that stood in the file before behind
   * every one that it still has, as if it had been cut off there. None where the file is in another order than that one,
   * since a cut at its end would have lost others. `refusedKeys`: VIN, stock number or vehicle_id of rows that are there
   * and do not count.
   */
  lackedEnd(refusedKeys: readonly string[]): Promise<number>;
  /** Those of the keys (VIN, stock number or vehicle_id) whose vehicles the last comparison lets go as absent. */
  absentAmong(keys: readonly string[]): Promise<string[]>;
  /** Hash of what the staged row says of its vehicle; undefined when it is not staged. */
  contentOf(row: number): Promise<string | undefined>;
  /** Whether another staged row has that content. */
  hasContent(content: string, otherThanRow: number): Promise<boolean>;
  /** Whether the staged row says of its vehicle what is on the lot already, word by word. */
  repeatsListed(row: number): Promise<boolean>;
  /**
   * How many of the feed's vehicles on the lot have a price, a stock number and photos, in a delta with those that it brings, whoever
   * has them; of a large lot the first ones.
   */
  listedValues(): Promise<ListedValues>;
  /**
   * Of the feed's vehicles on the lot that the file brings again: how many are published with a price and a stock number,
   * and how many of these would be without it. The first number is 0 where the second is.
   */
  lostValues(): Promise<Record<'price' | 'stock', { had: number; lost: number }>>;
  /** Takes a staged row back. False when it is not staged (any more). */
  withdraw(row: number): Promise<boolean>;
  /** One transaction. */
  apply(options: ApplyOptions): Promise<RooftopChange[]>;
  discard(): Promise<void>;
}

/** By which terms the settings let prices of a feed be published at a rooftop; the text is compared as a whole. */
export interface PriceTerms {
  feedId: string;
  rooftopId: string;
  terms: string;
}

/** A stored vehicle under other terms than before; undefined where it stays as it is. */
export type Reprice = (vehicle: Vehicle, before: string | undefined, now: string) => Repriced | undefined;

export interface Repriced {
  json: string;
  contentHash: string;
}

export interface ListedValues {
  vehicles: number;
  priced: number;
  stocked: number;
  photographed: number;
}

/** For which rooftops the file speaks beside those of its staged rows. */
export interface Scope {
  /** All of the feed's. */
  everywhere?: boolean;
  /** Those that rows name which say that a vehicle is gone: what stands there and is not in the file is missing. */
  rooftopIds?: readonly string[];
}

export interface ApplyOptions extends Scope {
  /** False: adds and changes but removes nothing, and counts nothing as missing (a file that was cut short). */
  removeAbsent: boolean;
  /** The vehicles of `lackedEnd` stay until another file lacks them, too: with its keys of refused rows. */
  spareLackedEnd?: { readonly refusedKeys: readonly string[] };
  /** A person has said yes: what is lacking leaves at once, whatever its grace. */
  isLastWord?: boolean;
}

/** Counted in vehicles of a companion file. */
export interface Joins {
  onLot: number;
  /** The vehicle may come with a later file; until then the row waits. */
  notOnLot: number;
  /** Rows whose stock number several vehicles carry: they add to none. */
  ambiguous: (RowPlace & { matches: number })[];
  /** Rows whose stock number is that of another vehicle than their VIN: the VIN decides. */
  contradictory: (RowPlace & { stock: string; stockVin: string })[];
}

interface RowPlace {
  row: number;
  line: number;
  key: string;
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

export interface ElsewhereRow extends RowPlace {
  /** Where the other feed has it. */
  rooftopId: string;
  feedId: string;
  isLost: boolean;
}

export interface OutdatedRow extends RowPlace {
  /** Whose newer word it is. */
  feedId: string;
  isLost: boolean;
}

export interface RooftopChange {
  rooftopId: string;
  /**
   * Vehicles of this feed at this rooftop before the run, also those that another feed brings, too, and has taken over
   * since. Of a companion feed: vehicles that it brings something for.
   */
  before: number;
  added: number;
  changed: number;
  unchanged: number;
  removed: number;
  /**
   * Of the removed ones, those that the file places at another rooftop: they have not left the dealer. Of a companion
   * file also those that added to no vehicle on the lot.
   */
  moved: number;
  /** Of the removed ones, those that a row names as gone, whichever feed has brought them; absent when none. */
  named?: number;
  /** Vehicles of all feeds at this rooftop before the run; only beside `named` and `moved`. */
  standing?: number;
  /** Vehicles that the file lacks and that stay on the lot for now (RunOptions.graceFiles); absent when none. */
  missing?: number;
  /** Of the missing and the removed ones, those that earlier files have lacked already; absent when none. */
  missedBefore?: number;
}

/** `ok` everything taken, `partial` some rows refused, `held` waits for a person, `failed` nothing taken. */
export type RunStatus = 'ok' | 'partial' | 'held' | 'failed';

/**
 * Codes of held files of which each has its say: unlike a full file a delta is not made idle by the next one, so it waits
 * for a person even when others have been taken in since.
 */
export const WAITS_IN_TURN: ReadonlySet<string> = new Set([
  ...['delta_shrink', 'delta_changed', 'delta_waits', 'delta_older'],
]);

/** Ends the message of a held run that a person has said no to; it is `failed` then. */
export const DISCARDED_BY_HAND = 'discarded by hand';

export interface RunRecord {
  runId: string;
  feedId: string;
  fileName: string;
  /** SHA-256 of the file, hex. */
  fingerprint: string;
  /** When the file was last changed, and never later than its run; RFC 3339. Absent from runs of early versions. */
  fileAt?: string;
  /** Whether the last row was ended by a line break; absent where the format itself tells its end. */
  endsWithLineBreak?: boolean;
  /** Of a feed of one rooftop: the dealer that most rows name. */
  dealer?: string;
  /** `contentOf` the last row where no line break ends it, empty where that is no vehicle. */
  unterminatedRow?: string;
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
  /** The row gives a price, which is held back because it is so far from the last one. */
  isPriceHeld?: true;
  /** Of a row that is gathered with others: its place among them. Rows without one come last. */
  sequence?: number;
  /** Of the record that it was made from, where the same record may simply be believed the next time. */
  recordHash?: Uint8Array;
}

/** A vehicle whose record is, character by character, the one that its listing on the lot was made from. */
export interface RecognisedVehicle {
  row: number;
  line: number;
  /** As `KnownRecords` has it. */
  rowId: number;
  recordHash: Uint8Array;
}

export interface KnownRecords {
  /** The store's row id of the vehicle that came from the record of this hash. */
  find(recordHash: Uint8Array): number | undefined;
}

/** In dollars. */
export type LastPrices = Pick<Vehicle, 'list_price' | 'price'>;

/** For a companion feed with what else a price is judged by, which only the vehicle itself tells. */
export type KnownPrices = LastPrices & Pick<Vehicle, 'msrp' | 'condition'>;

export interface StagedRemoval {
  row: number;
  line: number;
  key: string;
  rooftopId: string;
  identity: string;
  /** Given beside a VIN: a vehicle without one may be kept under it. */
  stock?: string;
  /** `YYYY-MM-DD`. Of two rows of a vehicle the one with the newer date counts, else the later one. */
  inventoryDate?: string;
}

export interface AmbiguousRemoval extends StagedRemoval {
  /** How many vehicles carry the number. */
  matches: number;
}
