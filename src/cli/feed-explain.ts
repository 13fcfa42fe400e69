import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { OverdueWatch } from '../feeds/overdue.ts';
import { leavingRun, traceInFeed, type FeedTrace } from '../feeds/tracing/trace.ts';
import { SoughtVehicle } from '../feeds/tracing/sought-vehicle.ts';
import type { InventoryStore, VehicleRecord } from '../inventory/store.ts';
import { formatInstant } from '../model/clock.ts';
import type { OverdueFeed } from '../model/intake.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { explanationText, isKnown, type Explanation, type ExplainedVehicle } from './feed-explain-text.ts';
import { ingestServices, withExistingInventory } from './feed-services.ts';

type ExplainOptions = ConfigOptions & { json?: boolean };

/** `feed explain`: where a vehicle is, or why it is not on the lot. */
export function addFeedExplainCommand(feed: Command): void {
  withConfigOptions(feed.command('explain'))
    .summary('tell where a vehicle is, or why it is not on the lot')
    .description(
      'Looks for a VIN or stock number on the lot, among the vehicles that have left, in the reports of each feed’s ' +
        'last 50 runs and in its newest files: where it is and since when, the file and row it was last seen in, why ' +
        'a row was refused, with which file it left, which held file has or lacks it, and whether an overdue or ' +
        'refused feed is the reason. Changes nothing.',
    )
    .argument('<vin|stock>', 'a VIN, stock number or vehicle id')
    .option('--json', 'as JSON')
    .addHelpText(
      'after',
      `
Exit codes:
  0  something is known of it, on the lot or not
  1  nothing is known of it, or no bridge has run with the data folder

Examples:
  dealer-bridge feed explain 1HGCV1F31KAA90301
  dealer-bridge feed explain "1hgcv 1f31k aa90301"
  dealer-bridge feed explain U3301 --json`,
    )
    .action(explain);
}

async function explain(asked: string, options: ExplainOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const explanation = await withExistingInventory(config, (store) => explanationOf(asked, config, store));
  const text =
    options.json === true ? JSON.stringify(explanation, undefined, 2) : explanationText(explanation);
  process.stdout.write(`${text}\n`);
  if (!isKnown(explanation)) throw new CommandStopped(EXIT_CODES.problems);
}

async function explanationOf(asked: string, config: Config, store: InventoryStore): Promise<Explanation> {
  const services = ingestServices(config, store);
  const records = recordsOf(asked, store);
  const overdue = await new OverdueWatch(config.feeds, services).look();
  const vins = records.flatMap(({ vehicle }) => vehicle.vin ?? []);
  const sought = new SoughtVehicle(asked, vins);
  const traces: FeedTrace[] = [];
  for (const feed of config.feeds) traces.push(await traceInFeed(sought, feed, services));
  return {
    asked,
    vehicles: records.map((record) => explained(record, traces, overdue)),
    feeds: traces.filter((trace) => isTelling(trace, records)).map(({ reports: _, ...told }) => told),
  };
}

/** A VIN may be asked for as people type it, with blanks and hyphens. */
function recordsOf(asked: string, store: InventoryStore): VehicleRecord[] {
  for (const key of new SoughtVehicle(asked).keys) {
    const records = store.findRecords(key);
    if (records.length > 0) return records;
  }
  return [];
}

function explained(
  record: VehicleRecord,
  traces: readonly FeedTrace[],
  overdue: readonly OverdueFeed[],
): ExplainedVehicle {
  const { rooftopId, feedId, toldBy, vehicle, firstSeen, updatedAt, leftAt, missing, supplements } = record;
  const { vin, stock, year, make, model, trim } = vehicle;
  const reports = traces.find((trace) => trace.feedId === (toldBy ?? feedId))?.reports ?? [];
  const late = leftAt === undefined ? overdue.find((each) => each.feedId === feedId) : undefined;
  const leaving = leftAt === undefined ? undefined : leavingRun(reports, leftAt);
  return {
    rooftopId,
    feedId,
    ...(toldBy === undefined ? {} : { toldBy }),
    name: [year, make, model, trim].filter((part) => part !== undefined).join(' '),
    ...(vin === undefined ? {} : { vin }),
    ...(stock === undefined ? {} : { stock }),
    firstSeen: formatInstant(firstSeen),
    confirmedAt: formatInstant(updatedAt),
    ...(leftAt === undefined ? {} : { leftAt: formatInstant(leftAt) }),
    ...(late === undefined ? {} : { overdue: { since: late.since, isHidden: late.isHidden } }),
    ...(missing === undefined ? {} : { missing }),
    ...(supplements.length === 0 ? {} : { supplements }),
    ...(leaving === undefined ? {} : { leftWith: { runId: leaving.runId, fileName: leaving.file.name } }),
  };
}

/**
 * A held file that lacks the vehicle says something only of one that this feed has on the lot, and a refused one of
 * such a vehicle or of one that is on no lot.
 */
function isTelling(trace: FeedTrace, records: readonly VehicleRecord[]): boolean {
  const listed = records.filter(({ leftAt }) => leftAt === undefined);
  const isOnItsLot = listed.some(({ feedId }) => feedId === trace.feedId);
  return (
    trace.mentions.length > 0 ||
    trace.lastSeen !== undefined ||
    trace.held.some(({ rows }) => rows.length > 0 || isOnItsLot) ||
    (trace.refusedFile !== undefined && (isOnItsLot || listed.length === 0))
  );
}
