import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parentPort } from 'node:worker_threads';
import type { InboxWatch } from '../feeds/inbox/inbox.ts';
import type { FeedConfig } from '../config/config.ts';
import { priceTerms, repriced } from '../feeds/checking/price-terms.ts';
import { OverdueWatch } from '../feeds/overdue.ts';
import { supplementRules, vehicleFeeds } from '../feeds/supplement-rules.ts';
import { buildLot } from '../inventory/lot/build-lot.ts';
import { lotTransferList } from '../inventory/lot/lot-data.ts';
import { openInventoryStore } from '../inventory/store.ts';
import { type LogWriteBack, openLogWriteBack } from '../leads/log-write-back.ts';
import { leadsDatabaseFile } from '../leads/store.ts';
import { systemClock } from '../model/clock.ts';
import type { OverdueFeed } from '../model/intake.ts';
import type { Log } from '../model/log.ts';
import { RepeatedStep } from '../runtime/repeated-step.ts';
import { strayVehicles, type StrayVehicles } from './stray-vehicles.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts';

/**
 * The worker thread: takes files in, keeps inventory.db, builds the lot, writes the log of leads.db back. It has its own
 * database connections, so that the main thread only serves. Everything here may be killed at any instant; the next start
 * goes on.
 */

/** Another process (`feed run`) may have changed the lot, a feed may be overdue; it costs little to look. */
const LOOK_MS = 1000;
/** How often is looked at the log of leads.db while it is filling up. */
const WRITE_BACK_MS = 250;
/** Else once a second: the same few pages change with each lead, and are written a quarter as often. */
const LOOKS_TO_PASS = 3;

const port = parentPort;
if (port === null) throw new Error('bridge/worker.ts runs as a worker thread of the bridge');

function tell(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

const log: Log = {
  debug: (facts, message) => tell({ kind: 'log', level: 'debug', facts, message }),
  info: (facts, message) => tell({ kind: 'log', level: 'info', facts, message }),
  warn: (facts, message) => tell({ kind: 'log', level: 'warn', facts, message }),
  error: (facts, message) => tell({ kind: 'log', level: 'error', facts, message }),
};

const toldSettings = Promise.withResolvers<WorkerSettings>();
const toldToStop = Promise.withResolvers<undefined>();
/** Those told last, not yet in use. */
let next: WorkerSettings | undefined;
port.on('message', (message: ToWorker) => {
  if (message.kind === 'stop') toldToStop.resolve(undefined);
  else {
    next = message.settings;
    toldSettings.resolve(message.settings);
  }
});

let settings = await toldSettings.promise;
if (next === settings) next = undefined;
const { dataFolder } = settings;
const store = openInventoryStore(join(dataFolder, 'inventory.db'));
settleStore();
let seenVersion = store.dataVersion();

const overdueWatch = new OverdueWatch(settings.feeds, { intake: store, dataFolder, clock: systemClock, log });
let overdue: OverdueFeed[] | undefined;
/** The lot of the main thread is not the one in the store. */
let isLotOld = true;

let strays: StrayVehicles[] | undefined;

/** Tells when other vehicles than before are kept back because the settings have no such feed or rooftop. */
function lookForStrays(): StrayVehicles[] {
  const found = strayVehicles(store.vehicleOwners(), settings);
  if (isDeepStrictEqual(found, strays)) return found;
  strays = found;
  tell({ kind: 'strays', strays });
  for (const { kind, id, vehicles } of strays)
    log.warn({ [kind]: id, vehicles }, `vehicles are not shown: the settings have no such ${kind}`);
  return found;
}

/** What other settings change about vehicles that are stored already. */
function settleStore(): void {
  store.configureSupplements(supplementRules(settings.feeds));
  const vehicles = store.bringPricesInLine(priceTerms(settings.feeds, settings.rooftops), repriced);
  if (vehicles > 0) log.info({ vehicles }, 'prices were brought in line with the settings');
}

function handOverLot(): void {
  const stray = lookForStrays();
  const strayFeeds = stray.filter(({ kind }) => kind === 'feed');
  const data = buildLot(
    store,
    [
      ...(overdue ?? []).filter(({ isHidden }) => isHidden),
      ...strayFeeds.map(({ id, confirmed_at: since }) => ({ feedId: id, since })),
    ],
    stray.filter(({ kind }) => kind === 'rooftop').map(({ id }) => id),
  );
  tell({ kind: 'lot', data }, lotTransferList(data));
  isLotOld = false;
}

/** A lot that has changed, or that shows other feeds than before, goes to the main thread. */
async function lookAtLot(): Promise<void> {
  const version = store.dataVersion();
  const isForeignChange = version !== seenVersion;
  seenVersion = version;
  if (isForeignChange) log.info({}, 'another process changed the inventory; the lot is built anew');
  const found = await overdueWatch.look();
  const isNews = !isDeepStrictEqual(found, overdue);
  overdue = found;
  if (isNews) tell({ kind: 'overdue', feedIds: found.map(({ feedId }) => feedId) });
  isLotOld ||= isNews || isForeignChange;
  if (isLotOld) handOverLot();
}

/** A person may have missed the word that came with the file, and it waits until somebody acts. */
function tellHeldRuns(): void {
  for (const { runId, feedId, fileName, startedAt, code } of store.listHeldRuns()) {
    const facts = { run_id: runId, feed: feedId, file: fileName, since: startedAt, code };
    log.warn(facts, 'a held file waits for a person: feed release or feed discard settles it');
  }
}

tellHeldRuns();
await lookAtLot();

// A lot that cannot be built ends the thread: its next start opens the database anew.
const looks = new RepeatedStep(lookAtLot, LOOK_MS, (fault) => {
  setImmediate(() => {
    throw fault;
  });
});

let leadLog: LogWriteBack | undefined;
let looksToPass = 0;
const writingBack = new RepeatedStep(writeLeadLogBack, WRITE_BACK_MS, (fault) => {
  log.warn({ err: fault }, 'the log of leads.db is written back by the thread that serves from now on');
  void writingBack.stop();
});

// eslint-disable-next-line @typescript-eslint/require-await -- SQLite takes its time, and here it may
async function writeLeadLogBack(): Promise<void> {
  if (looksToPass-- > 0) return;
  leadLog ??= openLogWriteBack(leadsDatabaseFile(dataFolder));
  looksToPass = leadLog?.writeBack().isHalfFull === true ? 0 : LOOKS_TO_PASS;
}

// The lot kept from before is served while the code that reads files is still being loaded.
const { watchInboxes } = await import('../feeds/inbox/inbox.ts');
const { watchSources } = await import('../feeds/sources/schedule.ts');
const { readingRule } = await import('../feeds/sources/reading-rule.ts');
const { KeptFeeds } = await import('../feeds/kept-feeds.ts');
const keptFeeds = new KeptFeeds(dataFolder);

function openInboxes(): InboxWatch {
  return watchInboxes(
    settings.feeds,
    {
      dataFolder,
      rooftops: settings.rooftops,
      vehicleFeeds: vehicleFeeds(settings.feeds),
      intake: store,
      clock: systemClock,
      log,
      ...(settings.profilesAsOf === undefined ? {} : { keptFeeds }),
    },
    {
      onRun: (report) => {
        const { feedId, status, accepted, rejected } = report;
        tell({ kind: 'run', run: { feedId, status, accepted, rejected } });
        isLotOld ||= report.status === 'ok' || report.status === 'partial';
        return looks.now();
      },
      onReach: (unreachable) => tell({ kind: 'unreachable', inboxes: unreachable }),
    },
  );
}

async function keepProfiles(): Promise<void> {
  if (settings.profilesAsOf !== undefined) await keptFeeds.renew(settings.feeds);
}

function readingRuleInUse(feed: FeedConfig): ReturnType<typeof readingRule> {
  const { rooftops } = settings;
  return readingRule(feed, { dataFolder, rooftops, intake: store, clock: systemClock, keptFeeds });
}

await keepProfiles();
let inboxes = openInboxes();
const sources = watchSources(
  settings.feeds,
  { dataFolder, clock: systemClock, log, readingRule: readingRuleInUse },
  { onLanded: () => void inboxes.scanNow() },
);

let isStopping = (): boolean => false;
/** The file under way is finished by the settings that it was begun with; of several new ones the last counts. */
const changes = new RepeatedStep(takeNextSettings, LOOK_MS, (fault) => {
  setImmediate(() => {
    throw fault;
  });
});

async function takeNextSettings(): Promise<void> {
  if (next === undefined || isStopping()) return;
  await inboxes.finish();
  if (isStopping()) return;
  settings = next;
  next = undefined;
  settleStore();
  overdueWatch.change(settings.feeds);
  await keepProfiles();
  inboxes = openInboxes();
  isLotOld = true;
  await looks.now();
  await sources.change(settings.feeds);
  log.info({ feeds: settings.feeds.map(({ id }) => id) }, 'the feeds go by the new settings');
}

void toldToStop.promise.then(stop);

await inboxes.firstRound;
tell({ kind: 'ready' });

async function stop(): Promise<void> {
  isStopping = () => true;
  await sources.stop();
  await inboxes.stop();
  // A change that was under way may have opened them anew.
  await changes.stop();
  await inboxes.stop();
  await looks.stop();
  await writingBack.stop();
  leadLog?.close();
  store.close();
  port?.close();
}
