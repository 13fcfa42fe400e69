import { InvalidArgumentError, type Command } from 'commander';
import { visibleText } from '../feeds/reporting/visible-text.ts';
import { WAITS_IN_TURN, type RunRecord, type RunStatus } from '../model/intake.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { feedNamed, withExistingInventory } from './feed-services.ts';

/** Only a run of which nothing was refused is small and quiet: the others want to be seen. */
const STATUS_WORDS: Readonly<Record<RunStatus, string>> = {
  ok: 'ok',
  partial: 'PARTIAL',
  held: 'HELD',
  failed: 'FAILED',
};

type RunsOptions = ConfigOptions & { feed?: string; limit: number; json?: boolean };

/** `feed runs`: what became of the files that came in. */
export function addFeedRunsCommand(feed: Command): void {
  withConfigOptions(feed.command('runs'))
    .summary('list what became of the files that came in')
    .description(
      'Lists the runs, newest first: one file taken in, held or refused. Held ones wait for a person.',
    )
    .option('--feed <id>', 'only this feed')
    .option('--limit <number>', 'how many at most', parseLimit, 20)
    .option('--json', 'as JSON')
    .action(list);
}

async function list(options: RunsOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const feedId = options.feed === undefined ? undefined : feedNamed(options.feed, config).id;
  const filter = { limit: options.limit, ...(feedId === undefined ? {} : { feedId }) };
  const runs = await withExistingInventory(config, (store) => store.listRuns(filter));
  if (options.json === true) console.log(JSON.stringify(runs, undefined, 2));
  else if (runs.length === 0) console.log('No file has come in yet.');
  else for (const line of runTexts(runs)) console.log(line);
}

/** Newest first, so what has been seen of a feed is newer: a held run below it can no longer be released. */
function runTexts(runs: readonly RunRecord[]): string[] {
  const wentOn = new Set<string>();
  return runs.map((run) => {
    const isIdle = wentOn.has(WAITS_IN_TURN.has(run.code ?? '') ? fileOf(run) : run.feedId);
    const text = runText(run, !isIdle);
    if (run.status === 'ok' || run.status === 'partial') wentOn.add(run.feedId).add(fileOf(run));
    return text;
  });
}

function fileOf({ feedId, fingerprint }: RunRecord): string {
  return `${feedId} ${fingerprint}`;
}

function runText(run: RunRecord, isLatest: boolean): string {
  const refused = run.rejected === 0 ? '' : ` (${run.rejected} refused)`;
  const counts = `${run.rows} rows${refused}, ${run.added} added, ${run.changed} changed, ${run.removed} removed`;
  const reason = run.message === undefined ? '' : `\n    ${run.code ?? ''}: ${visibleText(run.message)}`;
  const hint = run.status === 'held' ? `\n    ${whatToDo(run, isLatest)}` : '';
  return `${run.startedAt}  ${STATUS_WORDS[run.status].padEnd(7)}  ${run.feedId}  ${run.fileName}  ${counts}${reason}${hint}`;
}

function whatToDo({ runId }: RunRecord, isLatest: boolean): string {
  if (isLatest) return `feed release ${runId}   or   feed discard ${runId}`;
  return `nothing waits: a newer file was taken in since   (feed discard ${runId} puts it away)`;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0 && limit <= 10_000) return limit;
  throw new InvalidArgumentError('A number from 1 to 10000.');
}
