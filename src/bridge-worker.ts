import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parentPort, workerData } from 'node:worker_threads';
import { watchInboxes } from './feeds/inbox/inbox.ts';
import { OverdueWatch } from './feeds/overdue.ts';
import { watchSources } from './feeds/sources/schedule.ts';
import { buildLot } from './inventory/lot/build-lot.ts';
import { lotTransferList } from './inventory/lot/lot-data.ts';
import { openInventoryStore } from './inventory/store.ts';
import { systemClock } from './model/clock.ts';
import type { OverdueFeed } from './model/intake.ts';
import type { Log } from './model/log.ts';
import type { FromWorker, WorkerSettings } from './worker-messages.ts';

/**
 * The worker thread: takes files in, keeps inventory.db, builds the lot. It has its own database connection, so
 * that the main thread only serves. Everything here may be killed at any instant; the next start goes on.
 */

/** Another process (`feed run`) may have changed the lot, a feed may be overdue; it costs little to look. */
const LOOK_MS = 1000;

const port = parentPort;
if (port === null) throw new Error('bridge-worker.ts runs as a worker thread of bridge.ts');
const settings = workerData as WorkerSettings;

function tell(message: FromWorker, transfer: ArrayBuffer[] = []): void {
  port?.postMessage(message, transfer);
}

const log: Log = {
  debug: (facts, message) => tell({ kind: 'log', level: 'debug', facts, message }),
  info: (facts, message) => tell({ kind: 'log', level: 'info', facts, message }),
  warn: (facts, message) => tell({ kind: 'log', level: 'warn', facts, message }),
  error: (facts, message) => tell({ kind: 'log', level: 'error', facts, message }),
};

const store = openInventoryStore(join(settings.dataFolder, 'inventory.db'));
let seenVersion = store.dataVersion();

const overdueWatch = new OverdueWatch(settings.feeds, { intake: store, clock: systemClock, log });
let overdue: OverdueFeed[] = [];

function handOverLot(): void {
  const data = buildLot(
    store,
    overdue.filter(({ isHidden }) => isHidden),
  );
  tell({ kind: 'lot', data }, lotTransferList(data));
}

/** A lot that has changed, or that shows other feeds than before, goes to the main thread. */
async function lookAtLot({ hasChanged }: { hasChanged: boolean }): Promise<void> {
  const found = await overdueWatch.look();
  const isNews = !isDeepStrictEqual(found, overdue);
  overdue = found;
  if (isNews) tell({ kind: 'overdue', feedIds: found.map(({ feedId }) => feedId) });
  if (isNews || hasChanged) handOverLot();
}

await lookAtLot({ hasChanged: true });

const inboxes = watchInboxes(
  settings.feeds,
  {
    dataFolder: settings.dataFolder,
    rooftops: settings.rooftops,
    intake: store,
    clock: systemClock,
    log,
  },
  {
    onRun: (report) => lookAtLot({ hasChanged: report.status === 'ok' || report.status === 'partial' }),
  },
);

const sources = watchSources(
  settings.feeds,
  { dataFolder: settings.dataFolder, clock: systemClock, log },
  { onLanded: () => void inboxes.scanNow() },
);

const looks = setInterval(() => {
  const version = store.dataVersion();
  const hasChanged = version !== seenVersion;
  seenVersion = version;
  if (hasChanged) log.info({}, 'another process changed the inventory; the lot is built anew');
  void lookAtLot({ hasChanged });
}, LOOK_MS);

// The main thread says one thing only: stop.
port.once('message', () => void stop());

await inboxes.firstRound;
tell({ kind: 'ready' });

async function stop(): Promise<void> {
  clearInterval(looks);
  await sources.stop();
  await inboxes.stop();
  store.close();
  port?.close();
}
