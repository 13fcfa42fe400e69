import type { Command } from 'commander';
import { leavingRun, traceInFeed, type FeedTrace } from '../feeds/tracing/trace.ts';
import { SoughtVehicle } from '../feeds/tracing/sought-vehicle.ts';
import type { InventoryStore, VehicleRecord } from '../inventory/store.ts';
import { formatInstant } from '../model/clock.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { explanationText, type Explanation, type ExplainedVehicle } from './feed-explain-text.ts';
import { withExistingInventory } from './feed-services.ts';

type ExplainOptions = ConfigOptions & { json?: boolean };

/** `feed explain`: where a vehicle is, or why it is not on the lot. */
export function addFeedExplainCommand(feed: Command): void {
  withConfigOptions(feed.command('explain'))
    .summary('tell where a vehicle is, or why it is not on the lot')
    .description(
      'Looks for a VIN or stock number on the lot, among the vehicles that have left, in the reports of each feed’s ' +
        'last 50 runs and in its newest files. Exit code 1 when nothing is known of it. Changes nothing.',
    )
    .argument('<vin|stock>', 'a VIN, stock number or vehicle id')
    .option('--json', 'as JSON')
    .action(explain);
}

async function explain(asked: string, options: ExplainOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const services = { dataFolder: config.data_folder, rooftops: config.dealer.rooftops };
  const records = await withExistingInventory(config, (store) => Promise.resolve(recordsOf(asked, store)));
  const traces: FeedTrace[] = [];
  for (const feed of config.feeds) traces.push(await traceInFeed(asked, feed, services));
  const explanation: Explanation = {
    asked,
    vehicles: records.map((record) => explained(record, traces)),
    feeds: traces
      .map(({ feedId, mentions, lastSeen, held }) => ({
        feedId,
        mentions,
        ...(lastSeen === undefined ? {} : { lastSeen }),
        held,
      }))
      .filter((trace) => isTelling(trace, records)),
  };
  const text =
    options.json === true ? JSON.stringify(explanation, undefined, 2) : explanationText(explanation);
  process.stdout.write(`${text}\n`);
  if (explanation.vehicles.length + explanation.feeds.length === 0)
    throw new CommandStopped(EXIT_CODES.problems);
}

/** A VIN may be asked for as people type it, with blanks and hyphens. */
function recordsOf(asked: string, store: InventoryStore): VehicleRecord[] {
  for (const key of new SoughtVehicle(asked).keys) {
    const records = store.findRecords(key);
    if (records.length > 0) return records;
  }
  return [];
}

function explained(record: VehicleRecord, traces: readonly FeedTrace[]): ExplainedVehicle {
  const { rooftopId, feedId, vehicle, firstSeen, updatedAt, leftAt } = record;
  const { vin, stock, year, make, model, trim } = vehicle;
  const reports = traces.find((trace) => trace.feedId === feedId)?.reports ?? [];
  const leaving = leftAt === undefined ? undefined : leavingRun(reports, leftAt);
  return {
    rooftopId,
    feedId,
    name: [year, make, model, trim].filter((part) => part !== undefined).join(' '),
    ...(vin === undefined ? {} : { vin }),
    ...(stock === undefined ? {} : { stock }),
    firstSeen: formatInstant(firstSeen),
    confirmedAt: formatInstant(updatedAt),
    ...(leftAt === undefined ? {} : { leftAt: formatInstant(leftAt) }),
    ...(leaving === undefined ? {} : { leftWith: { runId: leaving.runId, fileName: leaving.file.name } }),
  };
}

/** A held file that lacks the vehicle says something only of one that this feed has on the lot. */
function isTelling(trace: Omit<FeedTrace, 'reports'>, records: readonly VehicleRecord[]): boolean {
  const isOnItsLot = records.some(({ feedId, leftAt }) => feedId === trace.feedId && leftAt === undefined);
  return (
    trace.mentions.length > 0 ||
    trace.lastSeen !== undefined ||
    trace.held.some(({ rows }) => rows.length > 0 || isOnItsLot)
  );
}
