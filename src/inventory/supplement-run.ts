import { hash } from 'node:crypto';
import type { Database, Statement } from 'better-sqlite3';
import type {
  ApplyOptions,
  DuplicateRow,
  Joins,
  KnownPrices,
  RecognisedVehicle,
  RooftopChange,
  RunOptions,
  Scope,
  StagedRemoval,
  StagedRun,
  StagedVehicle,
  SupplementRun,
} from '../model/intake.ts';
import { gathered, ownedPart } from '../model/supplement.ts';
import type { Vehicle } from '../model/vehicle.ts';
import { lookupKey } from './lookup-key.ts';
import { StagingTurn } from './staging-turn.ts';
import { mergeSupplements, ruleText, saveRule } from './supplement-merge.ts';
import * as sql from './supplement-sql.ts';

/**
 * One file of a companion feed. It writes what the file says of vehicles, whoever has brought them, and what is
 * published of those that are on the lot follows in the same transaction. Vehicles neither come nor go by it.
 * `ended` is called once, when the staging tables are free again.
 */
export class SqliteSupplementRun implements StagedRun {
  readonly #database: Database;
  readonly #options: RunOptions;
  readonly #rule: SupplementRun;
  readonly #turn: StagingTurn;
  readonly #stage: Statement;
  readonly #stageRemoval: Statement;
  #settled = false;

  constructor(database: Database, options: RunOptions, rule: SupplementRun, ended: () => void) {
    this.#database = database;
    this.#options = { ...options, confirmedAt: Math.trunc(options.confirmedAt) };
    this.#rule = rule;
    database.exec(sql.SUPPLEMENT_STAGING_TABLES);
    this.#turn = new StagingTurn(database, options.runId, sql.CLEAR_SUPPLEMENT_STAGING, ended);
    addGathering(database);
    this.#stage = database.prepare(sql.STAGE_SUPPLEMENT);
    this.#stageRemoval = database.prepare(sql.STAGE_SUPPLEMENT_REMOVAL);
  }

  stage(vehicles: readonly (StagedVehicle | RecognisedVehicle)[]): Promise<void> {
    return this.#turn.work(() => {
      this.#settled = false;
      for (const staged of vehicles) {
        if ('rowId' in staged) throw new Error('A companion file has no known records');
        this.#stage.run(...this.#stagedRow(staged));
      }
    });
  }

  stageRemovals(removals: readonly StagedRemoval[]): Promise<void> {
    return this.#turn.work(() => {
      this.#settled = false;
      for (const { row, rooftopId, identity } of removals)
        this.#stageRemoval.run({ row, rooftopId, identity });
    });
  }

  lastPrices(
    vehicles: readonly Pick<StagedVehicle, 'identity' | 'rooftopId' | 'vehicle'>[],
  ): Promise<(KnownPrices | undefined)[]> {
    return this.#turn.work(() => {
      const find = this.#database.prepare<[object], Record<keyof KnownPrices, unknown>>(
        sql.FIND_KNOWN_PRICES,
      );
      return vehicles.map(({ identity, rooftopId, vehicle }) => {
        const { vin, stockKey } = keysOf(vehicle);
        const found = find.get({ ...this.#parameters(), rooftopId, identity, vin, stockKey }) ?? {};
        const known = Object.entries(found).filter(([, value]) => value !== null);
        return known.length === 0 ? undefined : Object.fromEntries(known);
      });
    });
  }

  dropDuplicates(): Promise<DuplicateRow[]> {
    return this.#turn.work(() => this.#dropDuplicates());
  }

  sharedStock(): Promise<[]> {
    return Promise.resolve([]);
  }

  settleElsewhere(): Promise<[]> {
    return Promise.resolve([]);
  }

  settleOutdated(): Promise<[]> {
    return Promise.resolve([]);
  }

  /** `joins` tells them. */
  stockOfOthers(): Promise<[]> {
    return Promise.resolve([]);
  }

  ambiguousRemovals(): Promise<[]> {
    return Promise.resolve([]);
  }

  joins(): Promise<Joins> {
    return this.#turn.work(() => {
      this.#settle();
      const count = (statement: string, ...parameters: object[]): number =>
        Number(
          this.#database
            .prepare(statement)
            .pluck()
            .get(...parameters),
        );
      const onLot = count(sql.COUNT_JOINED, { feeds: this.#feeds() });
      return {
        onLot,
        notOnLot: count(sql.COUNT_STAGED) - onLot,
        ambiguous: this.#database
          .prepare<[object], Joins['ambiguous'][number]>(sql.FIND_AMBIGUOUS)
          .all({ feeds: this.#feeds() }),
        contradictory: this.#database
          .prepare<[object], Joins['contradictory'][number]>(sql.FIND_CONTRADICTORY)
          .all({ feeds: this.#feeds() }),
      };
    });
  }

  compare(scope: Scope = {}): Promise<RooftopChange[]> {
    return this.#turn.work(() => this.#changes({ removeAbsent: true, ...scope }));
  }

  /** What is lost here returns with the next file, and no vehicle goes with it. */
  lackedEnd(): Promise<number> {
    return Promise.resolve(0);
  }

  absentAmong(): Promise<[]> {
    return Promise.resolve([]);
  }

  contentOf(row: number): Promise<string | undefined> {
    return this.#turn.work(() => this.#database.prepare<[number], string>(sql.FIND_CONTENT).pluck().get(row));
  }

  hasContent(content: string, otherThanRow: number): Promise<boolean> {
    return this.#turn.work(
      () => this.#database.prepare(sql.FIND_ROW_WITH_CONTENT).get(content, otherThanRow) !== undefined,
    );
  }

  repeatsListed(row: number): Promise<boolean> {
    const { feedId } = this.#options;
    return this.#turn.work(
      () => this.#database.prepare(sql.FIND_REPEATED_SUPPLEMENT).get({ feedId, row }) !== undefined,
    );
  }

  listedValues(): ReturnType<StagedRun['listedValues']> {
    return Promise.resolve({ vehicles: 0, priced: 0, stocked: 0, photographed: 0 });
  }

  lostValues(): ReturnType<StagedRun['lostValues']> {
    return Promise.resolve({ price: { had: 0, lost: 0 }, stock: { had: 0, lost: 0 } });
  }

  withdraw(row: number): Promise<boolean> {
    return this.#turn.work(() => this.#database.prepare(sql.WITHDRAW_ROW).run(row).changes > 0);
  }

  apply(options: ApplyOptions): Promise<RooftopChange[]> {
    const { feedId, confirmedAt } = this.#options;
    return this.#turn.finish(() => {
      const changes = this.#changes(options);
      for (const step of sql.APPLY_SUPPLEMENT_STEPS) {
        this.#database.prepare(step).run(step.includes('@feedId') ? { feedId } : {});
      }
      saveRule(this.#database, feedId, ruleText(this.#rule));
      mergeSupplements(this.#database, confirmedAt);
      return changes;
    });
  }

  discard(): Promise<void> {
    this.#turn.end();
    return Promise.resolve();
  }

  #changes({ removeAbsent, everywhere }: ApplyOptions): RooftopChange[] {
    this.#settle();
    const absent = this.#options.mode === 'full' && removeAbsent ? 1 : 0;
    const { feedId } = this.#options;
    this.#database.prepare(sql.FORGET_LEAVING_SUPPLEMENTS).run();
    this.#database
      .prepare(sql.COLLECT_LEAVING_SUPPLEMENTS)
      .run({ feedId, absent, everywhere: everywhere === true ? 1 : 0 });
    return this.#database
      .prepare<[object], RooftopChange>(sql.COUNT_SUPPLEMENT_CHANGES)
      .all(this.#parameters());
  }

  /** Brings the staged rows to at most one statement a vehicle. */
  #settle(): void {
    if (this.#settled) return;
    this.#dropDuplicates();
    this.#database.prepare(sql.DROP_SUPPLEMENTS_REMOVED_LATER).run();
    this.#database.prepare(sql.DROP_SUPPLEMENT_REMOVALS_BROUGHT_LATER).run();
    this.#settled = true;
  }

  #dropDuplicates(): DuplicateRow[] {
    this.#database.exec(sql.INDEX_STAGED);
    if (this.#rule.gather) {
      this.#gather();
      return [];
    }
    const repeated = this.#database.prepare<[], DuplicateRow & { position: number }>(sql.FIND_REPEATED).all();
    const drop = this.#database.prepare(sql.DROP_STAGED_SUPPLEMENT);
    return repeated.map(({ position, ...duplicate }) => {
      drop.run(position);
      return duplicate;
    });
  }

  #gather(): void {
    this.#database.prepare(sql.GATHER_PIECES).run();
    this.#database.prepare(sql.DROP_GATHERED).run();
  }

  #stagedRow(staged: StagedVehicle): (string | number | null)[] {
    const { row, line, key, rooftopId, identity, vehicle, lastPrices, sequence = null } = staged;
    const { vin, stockKey } = keysOf(vehicle);
    const json = JSON.stringify(ownedPart(vehicle, this.#rule.fields));
    const { list_price = null, price = null } = lastPrices ?? {};
    const date = vehicle.inventory_date ?? null;
    return [
      ...[row, line, key, rooftopId, identity, vin, stockKey, date, sequence],
      ...[json, contentHash(json), list_price, price],
    ];
  }

  #parameters(): { feedId: string; feeds: string } {
    return { feedId: this.#options.feedId, feeds: this.#feeds() };
  }

  #feeds(): string {
    return JSON.stringify(this.#rule.feeds);
  }
}

function keysOf(vehicle: Vehicle): { vin: string | null; stockKey: string | null } {
  return { vin: lookupKey(vehicle.vin) ?? null, stockKey: lookupKey(vehicle.stock) ?? null };
}

function contentHash(json: string): string {
  return hash('sha1', json, 'base64url');
}

/** The SQL functions of GATHER_PIECES: one vehicle at a time is in memory. */
function addGathering(database: Database): void {
  database.function('supplement_hash', { deterministic: true }, (json: unknown) => contentHash(String(json)));
  database.aggregate('gathered_json', {
    start: (): Vehicle[] => [],
    step: (pieces, json: unknown) => {
      pieces.push(JSON.parse(String(json)) as Vehicle);
      return pieces;
    },
    result: (pieces) => JSON.stringify(gathered(pieces)),
  });
}
