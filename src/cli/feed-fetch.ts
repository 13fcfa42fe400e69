import { join } from 'node:path';
import type { Command } from 'commander';
import type { Config, FeedConfig, SourceConfig } from '../config/config.ts';
import { visibleText } from '../feeds/reporting/visible-text.ts';
import { hasCome, lookAtSource } from '../feeds/sources/look-at-source.ts';
import type { Findings } from '../feeds/sources/look.ts';
import { readingRule } from '../feeds/sources/reading-rule.ts';
import type { ReadingRule } from '../feeds/sources/source-memory.ts';
import { failureAt, noteInSourceRecord, successAt } from '../feeds/sources/source-record.ts';
import { placeOf, reasonOf } from '../feeds/sources/source-words.ts';
import { openInventoryStore, type InventoryStore } from '../inventory/store.ts';
import { systemClock } from '../model/clock.ts';
import { isBridgeRunning } from '../runtime/data-folder-lock.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { feedNamed } from './feed-services.ts';

type FetchOptions = ConfigOptions & { again?: boolean };
type FetchedFeed = FeedConfig & { source: SourceConfig };

/** `feed fetch`: looks at the source of a feed now. */
export function addFeedFetchCommand(feed: Command): void {
  withConfigOptions(feed.command('fetch'))
    .summary('fetch the files of a feed from its source now')
    .description(
      'Looks at the source of a feed at once, without waiting for its time, and says what came or why nothing did. ' +
        'What came lies in the folder of the feed like a file that was dropped there: a bridge that is running takes ' +
        'it in, else the next start does.',
    )
    .argument('<feed>', 'id of a feed whose settings name a source')
    .option('--again', 'fetch it also if it has not changed since it was fetched last')
    .action(fetchNow);
}

async function fetchNow(id: string, options: FetchOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const feed = feedNamed(id, config);
  const { source } = feed;
  if (source === undefined) {
    console.error(`feed ${id} has no source; its files are dropped into ${feed.folder}`);
    throw new CommandStopped(EXIT_CODES.problems);
  }
  const findings = await look({ ...feed, source }, config, options.again === true);
  for (const line of findingsText(findings, feed, config)) console.log(line);
}

async function look(feed: FetchedFeed, config: Config, again: boolean): Promise<Findings> {
  const dataFolder = config.data_folder;
  const onLanded = (name: string): void => console.log(`fetched ${visibleText(name)} into ${feed.folder}`);
  const services = {
    ...{ dataFolder, clock: systemClock, again, onLanded },
    readingRule: (asked: FeedConfig) => readingRuleOf(asked, config),
  };
  try {
    const findings = await lookAtSource(feed, feed.source, services, new AbortController().signal);
    const now = systemClock.now();
    await noteInSourceRecord(dataFolder, feed, () => successAt(now, hasCome(findings, feed, now)));
    return findings;
  } catch (fault) {
    const reason = reasonOf(fault, feed.source);
    console.error(`${placeOf(feed.source)}: ${reason}`);
    await noteInSourceRecord(dataFolder, feed, (record) => failureAt(systemClock.now(), reason, record));
    throw new CommandStopped(EXIT_CODES.problems);
  }
}

/** Undefined before the first run of a bridge, or beside one of another release. */
async function readingRuleOf(feed: FeedConfig, config: Config): Promise<ReadingRule | undefined> {
  const { data_folder: dataFolder, dealer } = config;
  let intake: InventoryStore | undefined;
  try {
    intake = openInventoryStore(join(dataFolder, 'inventory.db'), { readonly: true });
    return await readingRule(feed, { dataFolder, rooftops: dealer.rooftops, intake, clock: systemClock });
  } catch {
    return undefined;
  } finally {
    intake?.close();
  }
}

function findingsText({ landed, offered, waits }: Findings, feed: FeedConfig, config: Config): string[] {
  const waiting =
    waits === undefined
      ? []
      : [`an earlier ${visibleText(waits)} still lies in ${feed.folder}; it has to be taken in first`];
  if (landed.length > 0 || waits !== undefined) return [...waiting, whatHappensNext(config)];
  if (offered === 0) return [`nothing there: the source has no file whose name matches ${feed.files}`];
  return ['nothing new: the source has what was fetched before (--again fetches it all the same)'];
}

function whatHappensNext(config: Config): string {
  return isBridgeRunning(config.data_folder)
    ? 'The bridge that is running takes it in; "feed runs" shows what became of it.'
    : 'No bridge is running on this data folder; the next start takes it in.';
}
