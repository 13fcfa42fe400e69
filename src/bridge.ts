import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { createAgent } from './agent/agent.ts';
import { EXIT_CODES } from './cli/exit-codes.ts';
import { Activity } from './bridge/activity.ts';
import { bridgeHealth } from './bridge/health.ts';
import { startHealthAlerts } from './bridge/health-alerts.ts';
import { type Phase, readinessOf } from './bridge/readiness.ts';
import { listenOn } from './bridge/listen.ts';
import { prepareDataFolder } from './bridge/backup-before-migration.ts';
import { startBackups } from './bridge/backups.ts';
import type { Config } from './config/config.ts';
import { describeBridge } from './bridge/describe.ts';
import type { UnreachableInbox } from './feeds/inbox/feed-inbox.ts';
import { type InventoryThread, startInventoryThread } from './bridge/inventory-thread.ts';
import { IF_INVENTORY_DAMAGED } from './inventory/database.ts';
import { LotInventory } from './inventory/lot-inventory.ts';
import { openInventoryStore } from './inventory/store.ts';
import { secretsOf } from './config/secret-values.ts';
import { startLeadUpkeep } from './bridge/lead-upkeep.ts';
import { createLeadDesk } from './leads/accept.ts';
import { createDispatcher } from './leads/dispatcher.ts';
import { leadsDatabaseFile, openLeadStore } from './leads/store.ts';
import { formatInstant, systemClock } from './model/clock.ts';
import { databaseFault } from './model/database-fault.ts';
import { endOnCrash } from './runtime/crash.ts';
import { lockDataFolder } from './runtime/data-folder-lock.ts';
import { openLog } from './runtime/logging.ts';
import { StartedParts } from './runtime/started-parts.ts';
import { onStopSignal } from './runtime/stop-signals.ts';
import { loadShopperWords } from './bridge/shopper-words.ts';
import { EventLoopWatch } from './runtime/event-loop-watch.ts';
import { createAdminServer } from './web/admin.ts';
import type { HealthReport } from './web/health-report.ts';
import { createPublicServer } from './web/server.ts';

export interface RunningBridge {
  /** What a person at the terminal wants to know: addresses, folders, what is on the lot. */
  describe(): string;
  /** Ends politely: no new calls, running ones answered, the attempt under way recorded. */
  stop(): Promise<void>;
  /** Resolves when the bridge has ended, by `stop` or by a signal. */
  readonly stopped: Promise<void>;
}

/** The first files may take a while; the bridge serves meanwhile and says so after this time at the latest. */
const FIRST_FILES_MS = 15_000;

/**
 * The composition root: makes the parts out of the config, joins them and starts them in order: leads database,
 * inventory thread, deliveries, servers. They stop in the opposite order, also when one of them does not start.
 * `worker`: one that was opened early, for the inventory thread.
 */
export async function startBridge(config: Config, worker?: Worker): Promise<RunningBridge> {
  const parts = new StartedParts();
  try {
    return await startParts(config, parts, worker);
  } catch (fault) {
    await parts.end();
    throw fault;
  }
}

async function startParts(config: Config, parts: StartedParts, worker?: Worker): Promise<RunningBridge> {
  const dataFolder = config.data_folder;
  mkdirSync(dataFolder, { recursive: true });
  parts.add(lockDataFolder(dataFolder));
  const log = openLog({ dataFolder, log: config.log, secrets: secretsOf(config) });
  parts.add(endOnCrash(log, EXIT_CODES.failure));
  const startedAt = formatInstant(systemClock.now());
  const version = await programVersion();

  await prepareDataFolder(config, version, log);
  const leadStore = openLeadStore(leadsDatabaseFile(dataFolder));
  parts.add(() => leadStore.close());
  const inventoryFile = join(dataFolder, 'inventory.db');
  // Opened once for writing, so that the file exists when the reading connection below looks for it.
  openInventoryStore(inventoryFile).close();
  const inventoryStore = openInventoryStore(inventoryFile, { readonly: true });
  parts.add(() => inventoryStore.close());
  const inventory = new LotInventory(inventoryStore, config.search, await loadShopperWords(log));
  const activity = new Activity();
  let overdueFeeds: string[] = [];
  let unreachable: UnreachableInbox[] = [];
  const thread = startInventoryThread(
    { dataFolder, rooftops: config.dealer.rooftops, feeds: config.feeds },
    {
      log,
      onLot: (data) => inventory.swap(data),
      onOverdue: (feedIds) => (overdueFeeds = feedIds),
      onUnreachable: (inboxes) => (unreachable = inboxes),
      onRun: (run) => activity.noteRun(run),
    },
    worker,
  );
  parts.add(() => thread.stop());

  const { destinations } = config.leads;
  const { rooftops } = config.dealer;
  const dispatcher = createDispatcher({
    store: activity.countAttempts(leadStore),
    destinations,
    rooftops,
    dataFolder,
    clock: systemClock,
    log,
  });
  const leadDesk = createLeadDesk({
    store: leadStore,
    lookup: inventory,
    leads: config.leads,
    dealer: config.dealer,
    clock: systemClock,
    log,
    onQueued: () => dispatcher.wake(),
  });

  const agent = createAgent({
    config,
    inventory,
    leadDesk: activity.countLeads(leadDesk),
    log,
    clock: systemClock,
    programVersion: version,
  });
  let phase: Phase = 'starting';
  const readiness = readinessOf({ inventoryStore, leadStore, clock: systemClock, log }, () => phase);
  const publicServer = createPublicServer(agent, config, log, { calls: activity.calls, readiness });
  const eventLoop = new EventLoopWatch();
  parts.add(() => eventLoop.stop());
  const { adapterFaults } = activity;
  const backups = await startBackups(config, { version, clock: systemClock, log });
  parts.add(() => backups.stop());
  const health = (): Promise<HealthReport> =>
    bridgeHealth(
      {
        config,
        inventory,
        inventoryStore,
        leadStore,
        agent,
        publicServer,
        log,
        eventLoop,
        adapterFaults,
        backups: () => backups.health(),
        clock: systemClock,
      },
      { ready: phase === 'serving', version, startedAt, overdueFeeds, unreachable },
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
  parts.add(startLeadUpkeep(leadStore, config, systemClock, log));
  const { host, port, admin_host, admin_port } = config.server;
  const { port: adminPort } = await listenOn({ setting: 'admin_', host: admin_host, port: admin_port }, () =>
    adminServer.listen(admin_port, admin_host),
  );
  parts.add(() => adminServer.close());
  const { publicUrl } = await listenOn({ setting: '', host, port }, () => publicServer.listen(port, host));
  parts.add(() => publicServer.close());
  // A first start has an empty lot, which is no answer to anybody, until the first files are in.
  if (inventory.status().vehicles > 0) phase = 'serving';
  log.info(
    { version, public_url: publicUrl, admin_port: adminPort, node: process.version },
    'the bridge serves',
  );

  const ended = Promise.withResolvers<undefined>();
  let stopping: Promise<void> | undefined;
  const stop = (reason: string): Promise<void> => {
    stopping ??= endInOrder(reason).then(
      () => ended.resolve(undefined),
      (fault: unknown) => ended.reject(fault),
    );
    return stopping;
  };
  const forgetSignals = onStopSignal((signal) => void stop(signal));

  async function endInOrder(reason: string): Promise<void> {
    phase = 'stopping';
    log.info({ reason }, 'the bridge stops');
    await parts.end();
    forgetSignals();
    log.info({}, 'the bridge has stopped');
  }

  await firstOf(thread.ready, FIRST_FILES_MS);
  if (stopping === undefined) {
    phase = 'serving';
    // Not before: what the first look at the inboxes has not found yet is not over.
    parts.add(startHealthAlerts(health, leadStore.alerts, config, systemClock, log));
  }

  return {
    describe: () =>
      describeBridge({
        config,
        version,
        publicUrl,
        adminPort,
        status: inventory.status(),
        logFile: log.file,
      }),
    stop: () => stop('asked'),
    stopped: ended.promise,
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

async function programVersion(): Promise<string> {
  const text = await readFile(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
