import type { Config, FeedConfig } from '../config/config.ts';
import type { UnreachableInbox } from '../feeds/inbox/feed-inbox.ts';
import { readSourceRecord } from '../feeds/sources/source-record.ts';
import type { InventoryStore } from '../inventory/store.ts';
import { DISCARDED_BY_HAND, type RunRecord } from '../model/intake.ts';
import type { StrayVehicles } from './stray-vehicles.ts';
import type { HealthReport, LastGoodFile, SourceHealth, UntakenRunHealth } from '../web/health-report.ts';

/** What the inventory thread says of the feeds. */
export interface FeedStanding {
  overdueFeeds: readonly string[];
  unreachable: readonly UnreachableInbox[];
  strays: readonly StrayVehicles[];
}

export async function feedsHealth(
  store: InventoryStore,
  config: Pick<Config, 'feeds' | 'data_folder'>,
  standing: FeedStanding,
  now: number,
): Promise<HealthReport['feeds']> {
  const held = store.listHeldRuns();
  const [sources, refused, lastGood] = await Promise.all([
    sourcesHealth(config),
    refusedFiles(config.feeds, store),
    lastGoodFiles(config.feeds, store, now),
  ]);
  return {
    held_runs: held.length,
    held: held.map(untakenRun),
    refused,
    ...standingHealth(standing),
    sources,
    last_good: lastGood,
  };
}

/** What is known of the feeds while the inventory's database does not answer. */
export async function feedsWithoutStore(
  config: Pick<Config, 'feeds' | 'data_folder'>,
  standing: FeedStanding,
): Promise<HealthReport['feeds']> {
  const sources = await sourcesHealth(config);
  const last_good = config.feeds.map(({ id }) => ({ feed_id: id }));
  return { held_runs: 0, held: [], refused: [], ...standingHealth(standing), sources, last_good };
}

function standingHealth({ overdueFeeds, unreachable }: FeedStanding) {
  return {
    overdue: [...overdueFeeds],
    unreachable_folders: unreachable.map(({ feedId, since, code }) => ({
      feed_id: feedId,
      since,
      reason: code,
    })),
  };
}

/** As the looks have written it down, also those of `feed fetch`. */
async function sourcesHealth({
  feeds,
  data_folder: dataFolder,
}: Pick<Config, 'feeds' | 'data_folder'>): Promise<SourceHealth[]> {
  const fetched = feeds.flatMap(({ id, source }) => (source === undefined ? [] : [{ id, source }]));
  return Promise.all(
    fetched.map(async ({ id, source }) => {
      const { is_failing, last_success, last_failure, next_look } = await readSourceRecord(
        dataFolder,
        id,
        source,
      );
      return {
        feed_id: id,
        ok: !is_failing,
        ...(last_success === undefined ? {} : { last_success }),
        ...(last_failure === undefined ? {} : { last_failure }),
        ...(next_look === undefined ? {} : { next_look }),
      };
    }),
  );
}

/** Of each feed whose newest file was refused as a whole, or discarded: that file. */
async function refusedFiles(
  feeds: readonly FeedConfig[],
  store: Pick<InventoryStore, 'listRuns'>,
): Promise<UntakenRunHealth[]> {
  const newest = await Promise.all(feeds.map(({ id }) => store.listRuns({ feedId: id, limit: 1 })));
  return newest
    .flat()
    .filter(({ status }) => status === 'failed')
    .map(untakenRun);
}

function lastGoodFiles(
  feeds: readonly FeedConfig[],
  store: Pick<InventoryStore, 'listRuns'>,
  now: number,
): Promise<LastGoodFile[]> {
  return Promise.all(
    feeds.map(async ({ id }) => {
      const [last] = await store.listRuns({ feedId: id, limit: 1, takenIn: true });
      if (last === undefined) return { feed_id: id };
      const { finishedAt: at, accepted, rejected } = last;
      const age = Math.floor((now - Date.parse(at)) / 1000);
      return { feed_id: id, at, age_seconds: Math.max(0, age), accepted, rejected };
    }),
  );
}

function untakenRun({ runId, feedId, startedAt, code, message }: RunRecord): UntakenRunHealth {
  return {
    run_id: runId,
    feed_id: feedId,
    since: startedAt,
    reason: message ?? code ?? '',
    ...(message?.endsWith(DISCARDED_BY_HAND) === true && { discarded: true }),
  };
}
