import { mkdirSync } from 'node:fs';
import type { Worker } from 'node:worker_threads';
import { DoorMemory } from './agent/door/door.ts';
import { EXIT_CODES } from './cli/exit-codes.ts';
import { Activity } from './bridge/activity.ts';
import { bridgeHealth } from './bridge/health.ts';
import { startHealthAlerts } from './bridge/health-alerts.ts';
import { type Phase, readinessOf } from './bridge/readiness.ts';
import { listenOn } from './bridge/listen.ts';
import { prepareDataFolder } from './bridge/backup-before-migration.ts';
import { startBackups } from './bridge/backups.ts';
import type { Config } from './config/config.ts';
import { lastKnownTime, openDatabases } from './bridge/databases.ts';
import { describeBridge } from './bridge/describe.ts';
import { Ending } from './bridge/ending.ts';
import type { FeedStanding } from './bridge/feed-health.ts';
import { createGeneration, type House } from './bridge/generation.ts';
import { type InventoryThread, startInventoryThread } from './bridge/inventory-thread.ts';
import { IF_INVENTORY_DAMAGED } from './inventory/database.ts';
import { LotInventory } from './inventory/lot-inventory.ts';
import { secretsOf } from './config/secret-values.ts';
import { startLeadUpkeep } from './bridge/lead-upkeep.ts';
import { createDispatcher } from './leads/dispatcher.ts';
import { formatInstant, systemClock } from './model/clock.ts';
import { databaseFault } from './model/database-fault.ts';
import { endOnCrash } from './runtime/crash.ts';
import { lockDataFolder } from './runtime/data-folder-lock.ts';
import { ClockWatch } from './runtime/clock-watch.ts';
import { openLog } from './runtime/logging.ts';
import { programVersion } from './runtime/program-version.ts';
import { forgetStopFile, onStopFile } from './runtime/stop-file.ts';
import { StartedParts } from './runtime/started-parts.ts';
import { onStopSignal } from './runtime/stop-signals.ts';
import { startReload } from './bridge/reload/reload.ts';
import type { SettingsSource } from './bridge/reload/settings-source.ts';
import { SettingsStanding } from './bridge/reload/settings-standing.ts';
import { loadShopperWords } from './bridge/shopper-words.ts';
import type { WorkerSettings } from './bridge/worker-messages.ts';
import { EventLoopWatch } from './runtime/event-loop-watch.ts';
import { createAdminServer } from './web/admin.ts';
import type { HealthReport } from './web/health-report.ts';
import type { Readiness } from './web/probes.ts';
import { createPublicServer } from './web/server.ts';

export interface RunningBridge {
  /** What a person at the terminal wants to know: addresses, folders, what is on the lot. */
  describe(): string;
  /** Ends politely: no new calls, running ones answered, the attempt under way recorded. */
  stop(): Promise<void>;
  /** Whether calls can be answered now. */
  readiness(): Promise<Readiness>;
  /** Resolves when the bridge begins to stop. */
  readonly stopping: Promise<void>;
  /** Resolves when the bridge has ended, by `stop`, by a signal or by a stop file. */
  readonly stopped: Promise<void>;
}

/** The first files may take a while; the bridge serves meanwhile and says so after this time at the latest. */
const FIRST_FILES_MS = 15_000;

/**
 * The composition root: makes the parts out of the config, joins them and starts them in order: leads database,
 * inventory thread, deliveries, servers. They stop in the opposite order, also when one of them does not start.
 *
 * What the settings decide is in `generation` (src/bridge/generation.ts) or asks for them at each use; all else outlives
 * a change of the settings.
 *
 * `worker`: one that was opened early, for the inventory thread. `source`: where the settings came from, to be watched.
 */
export async function startBridge(
  config: Config,
  worker?: Worker,
  source?: SettingsSource,
): Promise<RunningBridge> {
  const parts = new StartedParts();
  try {
    return await startParts(config, parts, worker, config.watch_settings ? source : undefined);
  } catch (fault) {
    await parts.end();
    throw fault;
  }
}

async function startParts(
  config: Config,
  parts: StartedParts,
  worker: Worker | undefined,
  source: SettingsSource | undefined,
): Promise<RunningBridge> {
  const clock = systemClock;
  const dataFolder = config.data_folder;
  mkdirSync(dataFolder, { recursive: true });
  parts.add(lockDataFolder(dataFolder));
  forgetStopFile(dataFolder);
  const clockWatch = new ClockWatch(dataFolder, clock);
  const log = openLog({
    dataFolder,
    log: config.log,
    secrets: secretsOf(config),
    maySayOld: () => clockWatch.maySayOld,
  });
  parts.add(endOnCrash(log, EXIT_CODES.failure));
  const startedAt = formatInstant(clock.now());
  const version = programVersion();

  await prepareDataFolder(config, version, log);
  const { leadStore, inventoryStore, inventoryFile } = openDatabases(dataFolder, parts);
  // It ends when all is done but the closing of the databases: until then it tells that the bridge stops.
  let closeAdminServer = (): Promise<void> => Promise.resolve();
  parts.add(() => closeAdminServer());
  clockWatch.begin(await lastKnownTime(leadStore, inventoryStore));
  parts.add(clockWatch.start());
  const activity = new Activity();

  const inventory = new LotInventory(inventoryStore, config.search, await loadShopperWords(log));
  const feeds: FeedStanding = { overdueFeeds: [], unreachable: [], strays: [] };
  const thread = startInventoryThread(
    workerSettings(config, source?.asLoaded.profiles),
    {
      log,
      onLot: (data) => inventory.swap(data),
      onOverdue: (feedIds) => (feeds.overdueFeeds = feedIds),
      onStrays: (strays) => (feeds.strays = strays),
      onUnreachable: (inboxes) => (feeds.unreachable = inboxes),
      onRun: (run) => activity.noteRun(run),
    },
    worker,
  );
  parts.add(() => thread.stop());

  const dispatcher = createDispatcher({
    store: activity.countAttempts(leadStore),
    destinations: config.leads.destinations,
    rooftops: config.dealer.rooftops,
    dataFolder,
    clock,
    log,
  });

  const house: House = {
    leadStore,
    inventory,
    activity,
    doorMemory: new DoorMemory(),
    onQueued: () => dispatcher.wake(),
    version,
    clock,
    log,
  };
  let generation = createGeneration(config, house);
  const settings = (): Config => generation.config;

  let phase: Phase = 'starting';
  const readiness = readinessOf({ inventoryStore, leadStore, clock, log }, () => phase);
  const publicServer = createPublicServer(generation.agent, config, log, {
    calls: activity.calls,
    readiness,
  });
  const eventLoop = new EventLoopWatch();
  parts.add(() => eventLoop.stop());
  const backups = await startBackups(settings, { version, clock, log });
  parts.add(() => backups.stop());
  const standing = source === undefined ? undefined : new SettingsStanding(clock, log);
  const health = (): Promise<HealthReport> =>
    bridgeHealth(
      {
        ...generation,
        inventory,
        inventoryStore,
        leadStore,
        publicServer,
        log,
        eventLoop,
        adapterFaults: activity.adapterFaults,
        backups: () => backups.health(),
        clock,
      },
      {
        ready: phase === 'serving',
        version,
        startedAt,
        ...feeds,
        settings: standing?.health(),
        clockDoubt: clockWatch.doubt,
      },
    );
  const metrics = async (): Promise<string> => {
    // Loaded for those who ask for it only.
    const { metricsText } = await import('./bridge/metrics/metrics.ts');
    return metricsText(await health(), activity);
  };
  const adminServer = createAdminServer({ health, readiness, metrics }, config.server.admin_host, log);

  await firstLotOf(thread, inventoryFile);
  await dispatcher.start();
  parts.add(() => dispatcher.stop());
  parts.add(startLeadUpkeep(leadStore, settings, { clock, clockWatch }, log));
  const { host, port, admin_host, admin_port } = config.server;
  const { port: adminPort } = await listenOn({ setting: 'admin_', host: admin_host, port: admin_port }, () =>
    adminServer.listen(admin_port, admin_host),
  );
  closeAdminServer = () => adminServer.close();
  const { publicUrl } = await listenOn({ setting: '', host, port }, () => publicServer.listen(port, host));
  parts.add(() => publicServer.close());
  // A first start has an empty lot, which is no answer to anybody, until the first files are in.
  if (inventory.status().vehicles > 0) phase = 'serving';
  log.info(
    { version, public_url: publicUrl, admin_port: adminPort, node: process.version },
    'the bridge serves',
  );

  const ending = new Ending(async (reason) => {
    phase = 'stopping';
    log.info({ reason }, 'the bridge stops');
    await parts.end();
    forgetSignals();
    forgetFile();
    log.info({}, 'the bridge has stopped');
  });
  const forgetSignals = onStopSignal((signal) => void ending.begin(signal));
  const forgetFile = onStopFile(dataFolder, () => void ending.begin('stop file'));

  await firstOf(thread.ready, FIRST_FILES_MS);
  if (!ending.hasBegun) {
    phase = 'serving';
    // Not before: what the first look at the inboxes has not found yet is not over.
    parts.add(startHealthAlerts(health, leadStore.alerts, settings, clock, log));
  }
  if (source !== undefined && standing !== undefined && !ending.hasBegun)
    parts.add(startReload({ source, inUse: settings, putIntoUse, standing, log }));

  /** Whatever may fail comes first; from then on everything changes at once, and no call sees half of it. */
  async function putIntoUse(changed: Config, profiles: string): Promise<void> {
    const words = await loadShopperWords(log);
    const next = createGeneration(changed, house);
    // First of all: from here on its secrets may be met.
    log.change(changed.log, secretsOf(changed));
    publicServer.change(next.agent, changed);
    generation = next;
    inventory.change(changed.search, words);
    dispatcher.change({ destinations: changed.leads.destinations, rooftops: changed.dealer.rooftops });
    thread.change(workerSettings(changed, profiles));
  }

  return {
    describe: () =>
      describeBridge({
        config,
        version,
        publicUrl,
        adminPort,
        status: inventory.status(),
        strays: feeds.strays,
        logFile: log.file,
      }),
    stop: () => ending.begin('asked'),
    readiness,
    stopping: ending.begun,
    stopped: ending.ended,
  };
}

/** @param profiles of a bridge that watches its settings: changes with the text of the profiles. */
function workerSettings(config: Config, profiles: string | undefined): WorkerSettings {
  const { data_folder: dataFolder, dealer, feeds, watch_settings: isWatched } = config;
  return {
    dataFolder,
    rooftops: dealer.rooftops,
    feeds,
    ...(isWatched && profiles !== undefined && { profilesAsOf: profiles }),
  };
}

/** What the thread dies of before its first lot ends the start: the database that it cannot read. */
async function firstLotOf(thread: InventoryThread, inventoryFile: string): Promise<void> {
  try {
    await thread.firstLot;
  } catch (fault) {
    throw databaseFault(fault, inventoryFile, IF_INVENTORY_DAMAGED);
  }
}

async function firstOf(done: Promise<void>, limitMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  await Promise.race([
    done,
    new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    }),
  ]);
  clearTimeout(timer);
}
