import type { Config, FeedConfig } from '../config/config.ts';
import { readSourceRecord } from '../feeds/sources/source-record.ts';
import type { InventoryStore } from '../inventory/store.ts';
import type { RunRecord } from '../model/intake.ts';
import type { SourceHealth, UntakenRunHealth } from '../web/admin.ts';

/** As the looks have written it down, also those of `feed fetch`. */
export async function sourcesHealth({ feeds, data_folder: dataFolder }: Config): Promise<SourceHealth[]> {
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
export async function refusedFiles(
  feeds: readonly FeedConfig[],
  store: Pick<InventoryStore, 'listRuns'>,
): Promise<UntakenRunHealth[]> {
  const newest = await Promise.all(feeds.map(({ id }) => store.listRuns({ feedId: id, limit: 1 })));
  return newest
    .flat()
    .filter(({ status }) => status === 'failed')
    .map(untakenRun);
}

export function untakenRun({ runId, feedId, startedAt, code, message }: RunRecord): UntakenRunHealth {
  return { run_id: runId, feed_id: feedId, since: startedAt, reason: message ?? code ?? '' };
}
