import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { Worker } from 'node:worker_threads';
import type { UnreachableInbox } from '../feeds/inbox/feed-inbox.ts';
import type { LotData } from '../inventory/lot/lot-data.ts';
import type { Log } from '../model/log.ts';
import type { FinishedRun } from './activity.ts';
import type { StrayVehicles } from './stray-vehicles.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.ts';

/** The worker thread as the main thread sees it. */
export interface InventoryThread {
  /** The first lot is there: what the database held at start. */
  readonly firstLot: Promise<void>;
  /** What lay in the inboxes at start has been taken in. */
  readonly ready: Promise<void>;
  /** The file under way is taken in by the old settings, the next one by these. */
  change(settings: WorkerSettings): void;
  stop(): Promise<void>;
}

const STOP_GRACE_MS = 10_000;
/**
 * Half of what the engine would take. A file goes by in short-lived texts: with less room they are cleared away more
 * often, which costs no time that can be measured and keeps an import of 100,000 rows 80 MB smaller.
 */
const YOUNG_GENERATION_MEBIBYTES = 48;
const RESTART_MS = 1000;

/** The file is `worker.ts` in a clone and `worker.js` in a package, as this one. */
const WORKER = fileURLToPath(new URL(`./worker${extname(import.meta.filename)}`, import.meta.url));

/**
 * A worker that loads its code and then waits for its settings: whoever opens it early has it ready on the other
 * core by the time that the settings are read. Must be handed to `startInventoryThread` or terminated.
 */
export function openInventoryWorker(): Worker {
  return new Worker(WORKER, {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MEBIBYTES },
  });
}

/**
 * Starts the worker and starts it again when it dies: what it had under way is found in the work folder. The lot
 * in service stays as it is meanwhile.
 */
export function startInventoryThread(
  firstSettings: WorkerSettings,
  parts: {
    log: Log;
    onLot: (data: LotData) => void;
    onOverdue?: (feedIds: string[]) => void;
    onStrays?: (strays: StrayVehicles[]) => void;
    onUnreachable?: (inboxes: UnreachableInbox[]) => void;
    onRun?: (run: FinishedRun) => void;
  },
  firstWorker: Worker = openInventoryWorker(),
): InventoryThread {
  const { log, onLot, onOverdue, onStrays, onUnreachable, onRun } = parts;
  const firstLot = Promise.withResolvers<undefined>();
  const ready = Promise.withResolvers<undefined>();
  let settings = firstSettings;
  let stopping = false;
  /** Undefined between its death and its next start. */
  let worker: Worker | undefined = start(firstWorker);

  function start(started: Worker): Worker {
    started.on('message', (message: FromWorker) => {
      if (message.kind === 'log') log[message.level](message.facts, message.message);
      else if (message.kind === 'ready') ready.resolve(undefined);
      else if (message.kind === 'overdue') onOverdue?.(message.feedIds);
      else if (message.kind === 'strays') onStrays?.(message.strays);
      else if (message.kind === 'unreachable') onUnreachable?.(message.inboxes);
      else if (message.kind === 'run') onRun?.(message.run);
      else {
        onLot(message.data);
        firstLot.resolve(undefined);
      }
    });
    started.on('error', (fault) => {
      log.error(
        { fault: fault instanceof Error ? fault.stack : String(fault) },
        'the inventory thread failed',
      );
      firstLot.reject(fault);
    });
    started.on('exit', () => {
      worker = undefined;
      if (stopping) return;
      log.warn({}, 'the inventory thread ended and is started again');
      setTimeout(() => {
        if (!stopping) worker = start(openInventoryWorker());
      }, RESTART_MS);
    });
    tell(started, { kind: 'settings', settings });
    return started;
  }

  return {
    firstLot: firstLot.promise,
    ready: ready.promise,
    change: (changed) => {
      if (isDeepStrictEqual(changed, settings)) return;
      settings = changed;
      // One that is about to be started again is told then.
      if (worker !== undefined) tell(worker, { kind: 'settings', settings });
    },
    stop: async () => {
      stopping = true;
      const running = worker;
      if (running === undefined) return;
      const ended = new Promise<void>((resolve) => running.once('exit', () => resolve()));
      tell(running, { kind: 'stop' });
      const impatience = setTimeout(() => void running.terminate(), STOP_GRACE_MS);
      await ended;
      clearTimeout(impatience);
    },
  };
}

function tell(worker: Worker, message: ToWorker): void {
  worker.postMessage(message);
}
