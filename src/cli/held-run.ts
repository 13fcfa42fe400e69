import type { Config, FeedConfig } from '../config/config.ts';
import { findHeldFile } from '../feeds/held-files.ts';
import type { InventoryStore } from '../inventory/store.ts';
import { WAITS_IN_TURN, type RunRecord } from '../model/intake.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { feedNamed } from './feed-services.ts';

export interface HeldRun {
  run: RunRecord;
  feed: FeedConfig;
  /** Absolute path of the file that waits; undefined when somebody took it out of the held folder. */
  file: string | undefined;
  /** A run of the same feed that was taken in since and makes this one idle. */
  newer: RunRecord | undefined;
}

/** Runs kept in the record that are looked through for one id. */
const RUNS_LOOKED_AT = 10_000;

/** The held run of that id, or a word on stderr and exit code 1. */
export async function heldRun(runId: string, config: Config, store: InventoryStore): Promise<HeldRun> {
  const runs = await store.listRuns({ limit: RUNS_LOOKED_AT });
  const position = runs.findIndex((known) => known.runId === runId);
  const run = runs[position];
  if (run === undefined) return stop(`there is no run ${runId}; "feed runs" lists them`);
  if (run.status !== 'held') return stop(`run ${runId} is not held but ${run.status}`);
  const feed = feedNamed(run.feedId, config);
  const file = await findHeldFile(runId, feed.id, config.data_folder);
  const newer = runs
    .slice(0, position)
    .filter(({ feedId, status }) => feedId === feed.id && (status === 'ok' || status === 'partial'))
    .find(({ fingerprint }) => !WAITS_IN_TURN.has(run.code ?? '') || fingerprint === run.fingerprint);
  return { run, feed, file, newer };
}

export function stop(message: string): never {
  console.error(message);
  throw new CommandStopped(EXIT_CODES.problems);
}
