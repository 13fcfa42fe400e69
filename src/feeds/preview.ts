import path from 'node:path';
import type { FeedConfig } from '../config/config.ts';
import { formatInstant } from '../model/clock.ts';
import type { InventoryIntake, RunOptions, StagedRun, StagedVehicle } from '../model/intake.ts';
import { gathered } from '../model/supplement.ts';
import { withoutUnknown, type Vehicle } from '../model/vehicle.ts';
import { safeFileName } from './inbox/file-name.ts';
import type { IngestServices } from './ingest-services.ts';
import type { ReportedRow, RunReport } from './reporting/report.ts';
import { loadFeedProfile } from './loaded-feed.ts';
import { supplementFieldsOf } from './profile/companion-profile.ts';
import { stillWritten, takeIn } from './take-in.ts';

/** What `feed preview --json` prints: the file as it would come out, with nothing done about it. */
export interface Preview {
  file: {
    status: 'accepted' | 'rejected' | 'held';
    code?: string;
    message?: string;
    /** Null when the file was refused before it was decoded: empty, a picture, an archive of two. */
    encoding: string | null;
    delimiter?: string;
    /** Codes such as `possibly_truncated`. */
    warnings?: string[];
  };
  rows: number;
  accepted: number;
  /** Rows of a delta feed that take a vehicle off the lot count here, as `delta_delete`. */
  rejected: number;
  rejections: PreviewedRow[];
  warnings: PreviewedRow[];
  /** In the order of the file, as they would be published. */
  vehicles: Vehicle[];
  /** The file adds to vehicles of another feed: `vehicles` holds what it adds, with the VIN or stock number. */
  companion?: true;
}

type PreviewedRow = Pick<ReportedRow, 'row' | 'key' | 'code' | 'field' | 'value' | 'message'>;

/**
 * Sends a file the way of all files against an inventory that is thrown away afterwards (`services.intake`).
 * Neither the file nor the data folder is touched.
 */
export async function previewFile(
  file: string,
  feed: FeedConfig,
  services: IngestServices,
): Promise<{ preview: Preview; report: RunReport }> {
  const companion = await asCompanion(feed, services);
  const witness = new WitnessedIntake(services.intake);
  const claimed = { path: path.resolve(file), name: safeFileName(path.basename(file)), origin: file };
  const watched = { ...services, intake: witness };
  const report = (await takeIn(claimed, companion, watched, {})) ?? stillWritten(claimed, feed, services);
  return { preview: toPreview(report, isTaken(report) ? witness.vehicles() : []), report };
}

/** A companion profile is shown with all that it maps, as if for a feed that owns it. */
async function asCompanion(feed: FeedConfig, services: IngestServices): Promise<FeedConfig> {
  const profile = await loadFeedProfile(feed, services);
  if (!profile.ok || !profile.value.companion || feed.supplements !== undefined) return feed;
  const fields = supplementFieldsOf(profile.value.map);
  return { ...feed, supplements: { feeds: [], fields, when_both: 'replace' } };
}

function isTaken({ status }: RunReport): boolean {
  return status === 'ok' || status === 'partial';
}

function toPreview(report: RunReport, vehicles: Vehicle[]): Preview {
  const { file, problem, status } = report;
  return {
    file: {
      status: status === 'failed' ? 'rejected' : status === 'held' ? 'held' : 'accepted',
      ...(problem === undefined ? {} : { code: problem.code, message: problem.message }),
      encoding: file.encoding ?? null,
      ...(file.delimiter === undefined ? {} : { delimiter: file.delimiter }),
      ...(file.warnings.length === 0 ? {} : { warnings: file.warnings.map(({ code }) => code) }),
    },
    rows: report.rows,
    accepted: isTaken(report) ? report.accepted : 0,
    rejected: report.rejected + report.removalsAsked,
    rejections: [...report.rejections, ...report.removals].sort((a, b) => a.row - b.row).map(previewedRow),
    warnings: report.warnings.map(previewedRow),
    vehicles,
    ...(report.joined === undefined ? {} : { companion: true }),
  };
}

function previewedRow({ row, key, code, field, value, message }: ReportedRow): PreviewedRow {
  return {
    row,
    key,
    code,
    ...(field === undefined ? {} : { field }),
    ...(value === undefined ? {} : { value }),
    message,
  };
}

/** Passes everything on to an inventory and remembers the vehicles that stay. */
class WitnessedIntake implements InventoryIntake {
  readonly #intake: InventoryIntake;
  readonly #staged = new Map<number, StagedVehicle>();
  #confirmedAt = 0;
  #supplements: RunOptions['supplements'];

  constructor(intake: InventoryIntake) {
    this.#intake = intake;
  }

  vehicles(): Vehicle[] {
    if (this.#supplements !== undefined) return this.#brought(this.#supplements.gather);
    const updated_at = formatInstant(this.#confirmedAt);
    return [...this.#staged.values()].map(({ vehicle }) => ({ ...withoutUnknown(vehicle), updated_at }));
  }

  /** What a companion file brings: parts of vehicles, which say nothing about when these were confirmed. */
  #brought(isGathered: boolean): Vehicle[] {
    const staged = [...this.#staged.values()];
    if (!isGathered) return staged.map(({ vehicle }) => vehicle);
    const last = Number.MAX_VALUE;
    const pieces = Map.groupBy(staged, ({ rooftopId, identity }) => `${rooftopId} ${identity}`);
    return [...pieces.values()].map((rows) =>
      gathered(
        rows
          .toSorted((one, other) => (one.sequence ?? last) - (other.sequence ?? last))
          .map(({ vehicle }) => vehicle),
      ),
    );
  }

  async beginRun(options: RunOptions): Promise<StagedRun> {
    this.#confirmedAt = options.confirmedAt;
    this.#supplements = options.supplements;
    const run = await this.#intake.beginRun(options);
    return {
      stage: (vehicles) => {
        for (const vehicle of vehicles) if ('vehicle' in vehicle) this.#staged.set(vehicle.row, vehicle);
        return run.stage(vehicles);
      },
      stageRemovals: (removals) => run.stageRemovals(removals),
      lastPrices: (vehicles) => run.lastPrices(vehicles),
      dropDuplicates: async () => {
        const dropped = await run.dropDuplicates();
        for (const { row } of dropped) this.#staged.delete(row);
        return dropped;
      },
      sharedStock: () => run.sharedStock(),
      settleElsewhere: async () => {
        const rows = await run.settleElsewhere();
        for (const { row, isLost } of rows) if (isLost) this.#staged.delete(row);
        return rows;
      },
      settleOutdated: async () => {
        const rows = await run.settleOutdated();
        for (const { row, isLost } of rows) if (isLost) this.#staged.delete(row);
        return rows;
      },
      stockOfOthers: () => run.stockOfOthers(),
      ambiguousRemovals: () => run.ambiguousRemovals(),
      joins: () => run.joins(),
      absentAmong: (keys) => run.absentAmong(keys),
      compare: (options) => run.compare(options),
      lackedEnd: (refusedKeys) => run.lackedEnd(refusedKeys),
      listedValues: () => run.listedValues(),
      lostValues: () => run.lostValues(),
      contentOf: (row) => run.contentOf(row),
      hasContent: (content, otherThanRow) => run.hasContent(content, otherThanRow),
      repeatsListed: (row) => run.repeatsListed(row),
      withdraw: (row) => {
        this.#staged.delete(row);
        return run.withdraw(row);
      },
      apply: (options) => run.apply(options),
      discard: () => run.discard(),
    };
  }

  recordRun(): Promise<void> {
    return Promise.resolve();
  }

  listRuns(): Promise<[]> {
    return Promise.resolve([]);
  }
}
