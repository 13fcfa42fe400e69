import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { watchInboxes } from './feeds/inbox/inbox.ts';
import { buildLot } from './inventory/lot/build-lot.ts';
import { lotTransferList } from './inventory/lot/lot-data.ts';
import { openInventoryStore } from './inventory/store.ts';
import { systemClock } from './model/clock.ts';
import type { Log } from './model/log.ts';
import type { FromWorker, WorkerSettings } from './worker-messages.ts';

/**
 * The worker thread: takes files in, keeps inventory.db, builds the lot. It has its own database connection, so
 * that the main thread only serves. Everything here may be killed at any instant; the next start goes on.
 */

/** Another process (`feed run`) may have changed the lot; one pragma a second tells. */
const LOOK_FOR_OTHERS_MS = 1000;

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

function handOverLot(): void {
  const data = buildLot(store);
  tell({ kind: 'lot', data }, lotTransferList(data));
}

handOverLot();

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
    onRun: (report) => {
      if (report.status === 'ok' || report.status === 'partial') handOverLot();
      return Promise.resolve();
    },
  },
);

const lookForOthers = setInterval(() => {
  const version = store.dataVersion();
  if (version === seenVersion) return;
  seenVersion = version;
  log.info({}, 'another process changed the inventory; the lot is built anew');
  handOverLot();
}, LOOK_FOR_OTHERS_MS);

// The main thread says one thing only: stop.
port.once('message', () => void stop());

await inboxes.firstRound;
tell({ kind: 'ready' });

async function stop(): Promise<void> {
  clearInterval(lookForOthers);
  await inboxes.stop();
  store.close();
  port?.close();
}
