import type { Database, Statement } from 'better-sqlite3';
import type {
  AmbiguousRemoval,
  ApplyOptions,
  DuplicateRow,
  ElsewhereRow,
  KnownPrices,
  KnownRecords,
  LastPrices,
  ListedValues,
  OutdatedRow,
  RecognisedVehicle,
  RooftopChange,
  RunOptions,
  Scope,
  StagedRemoval,
  StagedRun,
  StagedVehicle,
} from '../model/intake.ts';
import { foreignCommits } from '../model/foreign-commits.ts';
import { RecordHashes, type HashList } from './record-hashes.ts';
import { storedText } from './listing-text.ts';
import { settleOutdated } from './outdated-rows.ts';
import { lookupKey } from './lookup-key.ts';
import { STAGING_TABLES } from './schema.ts';
import { StagingTurn } from './staging-turn.ts';
import * as applySql from './apply-sql.ts';
import * as doubtSql from './doubt-sql.ts';
import * as removalSql from './removal-sql.ts';
import * as sql from './staging-sql.ts';
import { mergeSupplements } from './supplement-merge.ts';
import { markTakeovers, TAKEOVER_STEPS } from './takeover.ts';

interface Comparison {
  /** What was asked, and the state of the database that it was asked of. */
  basis: string;
  changes: RooftopChange[];
}

interface FoundElsewhere extends Omit<ElsewhereRow, 'isLost'> {
  position: number;
  isLost: 0 | 1;
}

interface FoundDuplicate extends Omit<DuplicateRow, 'keptRooftopId'> {
  position: number;
  keptRooftopId: string | null;
}

/**
 * One file on its way to the lot. All comparing is done by SQLite over the staged rows, so that memory does not
 * grow with the file. `ended` is called once, when the staging tables are free again.
 */
export class SqliteStagedRun implements StagedRun {
  readonly #database: Database;
  readonly #options: RunOptions;
  readonly #turn: StagingTurn;
  readonly #stageVehicle: Statement;
  readonly #stageRecognised: Statement;
  readonly #stageText: Statement;
  readonly #stageLastPrice: Statement;
  readonly #stageRemoval: Statement;
  /** Changes when another connection has written, never by this one's own writing. */
  readonly #dataVersion: () => number;
  #deduplicated = false;
  /** A removal may mean a vehicle that is kept under another identity. */
  #namesByNumber = false;
  /** The state of the database in which rows were recognised. */
  #recognisedIn: number | undefined;
  /** The state in which those that were not were looked up. */
  #listedIn: number | undefined;
  /** The state in which rows were found outdated. */
  #outdatedIn: number | undefined;
  /** Units that come with a VIN now and are on the lot without one. */
  #hasTakeovers = false;
  /** What the last comparison found, as long as nothing has been staged since. */
  #compared: Comparison | undefined;

  constructor(database: Database, options: RunOptions, ended: () => void) {
    this.#database = database;
    this.#options = { ...options, confirmedAt: Math.trunc(options.confirmedAt) };
    database.exec(STAGING_TABLES);
    this.#turn = new StagingTurn(database, options.runId, sql.CLEAR_STAGING, ended);
    this.#stageVehicle = database.prepare(sql.STAGE_VEHICLE);
    this.#stageRecognised = database.prepare(sql.STAGE_RECOGNISED);
    this.#stageText = database.prepare(sql.STAGE_TEXT);
    this.#stageLastPrice = database.prepare(sql.STAGE_LAST_PRICE);
    this.#stageRemoval = database.prepare(sql.STAGE_REMOVAL);
    this.#dataVersion = foreignCommits(database);
  }

  knownRecords(): Promise<KnownRecords> {
    return this.#turn.work(() => {
      this.#recognisedIn = this.#dataVersion();
      const find = this.#database.prepare<[string], HashList>(sql.FIND_KNOWN_RECORDS);
      return RecordHashes.fromLists(find.iterate(this.#options.feedId));
    });
  }

  stage(vehicles: readonly (StagedVehicle | RecognisedVehicle)[]): Promise<void> {
    return this.#turn.work(() => {
      this.#deduplicated = false;
      this.#compared = undefined;
      for (const staged of vehicles) {
        if ('rowId' in staged) {
          this.#stageAgain(staged);
          continue;
        }
        const { lastInsertRowid } = this.#stageVehicle.run(...stagedRow(staged));
        this.#stageText.run(lastInsertRowid, storedText(staged));
        if (staged.lastPrices !== undefined) {
          const { list_price = null, price = null } = staged.lastPrices;
          const isHeld = staged.isPriceHeld === true ? 1 : 0;
          this.#stageLastPrice.run(lastInsertRowid, list_price, price, isHeld);
        }
      }
    });
  }

  stageRemovals(removals: readonly StagedRemoval[]): Promise<void> {
    return this.#turn.work(() => {
      this.#compared = undefined;
      for (const { row, line, key, rooftopId, identity, stock, inventoryDate = null } of removals) {
        const stockKey = lookupKey(stock) ?? null;
        this.#namesByNumber ||= stockKey !== null || !identity.startsWith('vin:');
        this.#stageRemoval.run({ row, line, key, rooftopId, identity, stockKey, inventoryDate });
      }
    });
  }

  lastPrices(
    vehicles: readonly Pick<StagedVehicle, 'identity' | 'rooftopId'>[],
  ): Promise<(KnownPrices | undefined)[]> {
    return this.#turn.work(() => {
      const find = this.#database.prepare<[string, string], FoundPrices>(sql.FIND_LAST_PRICES);
      return vehicles.map(({ identity, rooftopId }) => lastPricesOf(find.get(identity, rooftopId)));
    });
  }

  dropDuplicates(): Promise<DuplicateRow[]> {
    return this.#turn.work(() => this.#dropDuplicates());
  }

  settleElsewhere(): Promise<ElsewhereRow[]> {
    return this.#turn.work(() => {
      this.#compared = undefined;
      if (!this.#hasOtherFeeds()) return [];
      const { feedId } = this.#options;
      const found = this.#database
        .prepare<[object], FoundElsewhere>(doubtSql.FIND_ELSEWHERE)
        .all({ feedId, confirmedAt: this.#options.confirmedAt });
      const drop = this.#database.prepare(sql.DROP_STAGED);
      return found.map(({ position, isLost, ...row }) => {
        if (isLost === 1) drop.run(position);
        return { ...row, isLost: isLost === 1 };
      });
    });
  }

  settleOutdated(): Promise<OutdatedRow[]> {
    return this.#turn.work(() => {
      this.#compared = undefined;
      if (!this.#hasOtherFeeds()) return [];
      this.#resolveRemovals();
      this.#findListed();
      this.#markTakeovers();
      const { feedId, confirmedAt } = this.#options;
      const outdated = settleOutdated(this.#database, { feedId, confirmedAt });
      if (outdated.length > 0) this.#outdatedIn = this.#dataVersion();
      return outdated;
    });
  }

  sharedStock(): Promise<{ row: number; line: number; key: string; stock: string; otherRow: number }[]> {
    return this.#turn.work(() =>
      this.#database
        .prepare<[], { row: number; line: number; key: string; stock: string; otherRow: number }>(
          doubtSql.FIND_SHARED_STOCK,
        )
        .all(),
    );
  }

  stockOfOthers(): ReturnType<StagedRun['stockOfOthers']> {
    return this.#turn.work(() =>
      this.#database
        .prepare<[], { row: number; line: number; key: string; stock: string; otherKey: string }>(
          doubtSql.FIND_STOCK_OF_OTHERS,
        )
        .all(),
    );
  }

  ambiguousRemovals(): Promise<AmbiguousRemoval[]> {
    return this.#turn.work(() => {
      this.#resolveRemovals();
      return this.#database.prepare<[], AmbiguousRemoval>(removalSql.FIND_AMBIGUOUS_REMOVALS).all();
    });
  }

  absentAmong(keys: readonly string[]): Promise<string[]> {
    return this.#turn.work(() => {
      return this.#database
        .prepare<[string], string>(applySql.FIND_ABSENT_AMONG)
        .pluck()
        .all(lookupKeys(keys));
    });
  }

  contentOf(row: number): Promise<string | undefined> {
    return this.#turn.work(() =>
      this.#database.prepare<[number], string>(doubtSql.FIND_CONTENT).pluck().get(row),
    );
  }

  hasContent(content: string, otherThanRow: number): Promise<boolean> {
    return this.#turn.work(
      () => this.#database.prepare(doubtSql.FIND_ROW_WITH_CONTENT).get(content, otherThanRow) !== undefined,
    );
  }

  repeatsListed(row: number): Promise<boolean> {
    return this.#turn.work(() => this.#database.prepare(doubtSql.FIND_REPEATED).get(row) !== undefined);
  }

  listedValues(): Promise<ListedValues> {
    return this.#turn.work(() => {
      const count = this.#database.prepare<[object], ListedValues>(doubtSql.COUNT_LISTED_VALUES);
      return count.get(this.#parameters()) ?? NONE_LISTED;
    });
  }

  lostValues(): ReturnType<StagedRun['lostValues']> {
    return this.#turn.work(() => {
      const lost = this.#countValues(doubtSql.COUNT_LOST_VALUES);
      const none = { price: 0, stock: 0 };
      const had = lost.price + lost.stock === 0 ? none : this.#countValues(doubtSql.COUNT_HAD_VALUES);
      return {
        price: { lost: lost.price, had: lost.price === 0 ? 0 : had.price },
        stock: { lost: lost.stock, had: lost.stock === 0 ? 0 : had.stock },
      };
    });
  }

  withdraw(row: number): Promise<boolean> {
    return this.#turn.work(() => {
      this.#compared = undefined;
      return this.#database.prepare(sql.DROP_STAGED_ROW).run(row).changes > 0;
    });
  }

  joins(): Promise<undefined> {
    return Promise.resolve(undefined);
  }

  compare(options: Scope = {}): Promise<RooftopChange[]> {
    return this.#turn.work(() => {
      this.#settle();
      return this.#changes({ removeAbsent: true, ...options });
    });
  }

  lackedEnd(refusedKeys: readonly string[]): Promise<number> {
    return this.#turn.work(() => {
      this.#settle();
      this.#changes({ removeAbsent: true });
      const count = this.#database.prepare<[object], number>(applySql.COUNT_LACKED_END).pluck();
      const { feedId } = this.#options;
      return count.get({ feedId, refused: lookupKeys(refusedKeys) }) ?? 0;
    });
  }

  apply(options: ApplyOptions): Promise<RooftopChange[]> {
    return this.#turn.finish(() => {
      this.#settle();
      this.#recogniseAgain();
      const changes = this.#changes(options);
      const steps = [
        ...(this.#hasTakeovers ? TAKEOVER_STEPS : []),
        ...applySql.applySteps(this.#options.mode),
      ];
      for (const step of steps) this.#database.prepare(step).run(this.#parameters());
      mergeSupplements(this.#database);
      return changes;
    });
  }

  discard(): Promise<void> {
    this.#turn.end();
    return Promise.resolve();
  }

  #stageAgain({ row, line, rowId, recordHash }: RecognisedVehicle): void {
    const { changes } = this.#stageRecognised.run(row, line, rowId, recordHash);
    if (changes !== 1) throw new Error(CHANGED_MEANWHILE);
  }

  /** Another process may have written since; then the file is read once more, which is what a failed run comes to. */
  #recogniseAgain(): void {
    if (this.#outdatedIn !== undefined && this.#outdatedIn !== this.#dataVersion())
      throw new Error(CHANGED_MEANWHILE);
    if (this.#recognisedIn === undefined || this.#recognisedIn === this.#dataVersion()) return;
    const changed = this.#database.prepare<[], number>(sql.COUNT_UNRECOGNISED).pluck().get();
    if (changed !== 0) throw new Error(CHANGED_MEANWHILE);
  }

  #dropDuplicates(): DuplicateRow[] {
    this.#database.exec(sql.INDEX_IDENTITIES);
    const duplicates = this.#database.prepare<[], FoundDuplicate>(doubtSql.FIND_DUPLICATES).all();
    const drop = this.#database.prepare(sql.DROP_STAGED);
    this.#deduplicated = true;
    return duplicates.map(({ position, keptRooftopId, ...duplicate }) => {
      drop.run(position);
      return keptRooftopId === null ? duplicate : { ...duplicate, keptRooftopId };
    });
  }

  /** Brings the staged rows to at most one statement a vehicle, which comparing and applying rely on. */
  #settle(): void {
    if (!this.#deduplicated) this.#dropDuplicates();
    this.#resolveRemovals();
    this.#database.prepare(removalSql.DROP_VEHICLES_REMOVED_LATER).run();
    this.#database.prepare(removalSql.DROP_REMOVALS_BROUGHT_LATER).run();
  }

  #resolveRemovals(): void {
    if (!this.#namesByNumber) return;
    this.#database.exec(removalSql.INDEX_NAMESAKES);
    this.#database.prepare(removalSql.RESOLVE_REMOVALS).run();
  }

  /** Runs of this connection take turns, so only another one can have changed the lot since it was compared. */
  #changes(options: ApplyOptions): RooftopChange[] {
    const absent = this.#options.mode === 'full' && options.removeAbsent ? 1 : 0;
    const everywhere = options.everywhere === true ? 1 : 0;
    const grace = options.isLastWord === true ? 0 : (this.#options.graceFiles ?? 0);
    const spared = options.spareLackedEnd && lookupKeys(options.spareLackedEnd.refusedKeys);
    const rooftopIds = JSON.stringify(options.rooftopIds ?? []);
    const basis = [absent, everywhere, grace, spared, rooftopIds, this.#dataVersion()].join();
    if (this.#compared?.basis === basis) return this.#compared.changes;
    this.#findListed();
    this.#markTakeovers();
    this.#database.prepare(applySql.FORGET_LEAVING).run();
    this.#database.prepare(applySql.COLLECT_DISMISSED).run(this.#parameters());
    if (absent === 1)
      this.#database
        .prepare(applySql.COLLECT_ABSENT)
        .run({ ...this.#parameters(), everywhere, rooftopIds, grace });
    if (this.#hasTakeovers) this.#database.prepare(applySql.KEEP_TAKEN_OVER).run();
    if (spared !== undefined) {
      const { feedId } = this.#options;
      this.#database.prepare(applySql.SPARE_LACKED_END).run({ feedId, refused: spared });
    }
    const changes = this.#database
      .prepare<[object], CountedChange>(applySql.COUNT_CHANGES)
      .all(this.#parameters())
      .map(withoutIdleCounts);
    this.#addStanding(changes);
    this.#compared = { basis, changes };
    return changes;
  }

  #addStanding(changes: readonly RooftopChange[]): void {
    const named = changes.filter(({ named, moved, before }) => named !== undefined || moved > before);
    if (named.length === 0) return;
    const rooftopIds = JSON.stringify(named.map(({ rooftopId }) => rooftopId));
    const found = this.#database
      .prepare<[string], { rooftopId: string; standing: number }>(applySql.COUNT_STANDING)
      .all(rooftopIds);
    const standing = new Map(found.map((each) => [each.rooftopId, each.standing]));
    for (const change of named) change.standing = standing.get(change.rooftopId) ?? 0;
  }

  /** What was found before another process has written is no longer sure, nor are the row ids of recognised rows. */
  #findListed(): void {
    const now = this.#dataVersion();
    const foundIn = [this.#recognisedIn, this.#listedIn].filter((version) => version !== undefined);
    if (foundIn.some((version) => version !== now)) {
      this.#database.prepare(sql.FORGET_LISTED).run();
      this.#hasTakeovers = false;
    }
    this.#database.prepare(sql.FIND_LISTED).run();
    this.#listedIn = now;
  }

  /** Those found before are on the lot already, as the next look sees it. */
  #markTakeovers(): void {
    this.#hasTakeovers = markTakeovers(this.#database, this.#options.mode) || this.#hasTakeovers;
  }

  #hasOtherFeeds(): boolean {
    const { feedId } = this.#options;
    return this.#database.prepare(doubtSql.FIND_OTHER_FEED).get({ feedId }) !== undefined;
  }

  #parameters(): Record<'feedId' | 'runId' | 'mode', string> & {
    confirmedAt: number;
    keptFeeds: string | null;
  } {
    const { feedId, runId, mode, confirmedAt, keptFeeds } = this.#options;
    return {
      feedId,
      runId,
      mode,
      confirmedAt,
      keptFeeds: keptFeeds === undefined ? null : JSON.stringify(keptFeeds),
    };
  }

  #countValues(statement: string): Record<'price' | 'stock', number> {
    const { feedId } = this.#options;
    const count = this.#database.prepare<[object], Record<'price' | 'stock', number>>(statement);
    return count.get({ feedId }) ?? { price: 0, stock: 0 };
  }
}

const NONE_LISTED: ListedValues = { vehicles: 0, priced: 0, stocked: 0, photographed: 0 };

const CHANGED_MEANWHILE = 'Another process has changed vehicles of this feed while its file was read';

function lookupKeys(keys: readonly string[]): string {
  return JSON.stringify(keys.flatMap((key) => lookupKey(key) ?? []));
}

type CountedChange = Omit<Required<RooftopChange>, 'standing'>;

/** What is about missing and named vehicles is told only where there are some. */
function withoutIdleCounts({ named, missing, missedBefore, ...change }: CountedChange): RooftopChange {
  return {
    ...change,
    ...(named === 0 ? {} : { named }),
    ...(missing === 0 ? {} : { missing }),
    ...(missedBefore === 0 ? {} : { missedBefore }),
  };
}

interface FoundPrices {
  listPrice: number | null;
  price: number | null;
}

function lastPricesOf(found: FoundPrices | undefined): LastPrices | undefined {
  const { listPrice = null, price = null } = found ?? {};
  if (listPrice === null && price === null) return undefined;
  return { ...(listPrice === null ? {} : { list_price: listPrice }), ...(price === null ? {} : { price }) };
}

/** In the order of STAGE_VEHICLE's columns. */
function stagedRow(staged: StagedVehicle): (string | number | Uint8Array | null)[] {
  const { row, line, key, rooftopId, identity, contentHash, vehicle } = staged;
  // A VIN names one car wherever it stands; stock numbers and ids are the rooftop's own.
  const scope = identity.startsWith('vin:') ? '' : rooftopId;
  const vin = vehicle.vin?.trim().toUpperCase() ?? null;
  const stockKey = lookupKey(vehicle.stock) ?? null;
  const vehicleIdKey = lookupKey(vehicle.vehicle_id) ?? null;
  const inventoryDate = vehicle.inventory_date ?? null;
  return [
    row,
    line,
    key,
    rooftopId,
    identity,
    scope,
    vin,
    stockKey,
    vehicleIdKey,
    inventoryDate,
    contentHash,
    staged.lastPrices === undefined ? (staged.recordHash ?? null) : null,
  ];
}
