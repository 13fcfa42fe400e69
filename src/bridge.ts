import { mkdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAgent } from './agent/agent.ts';
import type { Config } from './config/config.ts';
import { describeBridge } from './describe-bridge.ts';
import { startInventoryThread } from './inventory-thread.ts';
import { LotInventory } from './inventory/lot-inventory.ts';
import { openInventoryStore } from './inventory/store.ts';
import { createLeadDesk } from './leads/accept.ts';
import { createDispatcher } from './leads/dispatcher.ts';
import { leadsDatabaseFile, openLeadStore } from './leads/store.ts';
import { formatInstant, systemClock } from './model/clock.ts';
import { openLog } from './runtime/logging.ts';
import { onStopSignal } from './runtime/stop-signals.ts';
import { createAdminServer, type HealthReport } from './web/admin.ts';
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
 * inventory thread, servers, deliveries. They stop in the opposite order.
 */
export async function startBridge(config: Config): Promise<RunningBridge> {
  const dataFolder = config.data_folder;
  mkdirSync(dataFolder, { recursive: true });
  const log = openLog({ dataFolder, level: config.log.level });
  const startedAt = formatInstant(systemClock.now());
  const version = await programVersion();

  const leadStore = openLeadStore(leadsDatabaseFile(dataFolder));
  const inventoryFile = join(dataFolder, 'inventory.db');
  // Opened once for writing, so that the file exists when the reading connection below looks for it.
  openInventoryStore(inventoryFile).close();
  const inventoryStore = openInventoryStore(inventoryFile, { readonly: true });
  const inventory = new LotInventory(inventoryStore, config.search);
  const thread = startInventoryThread(
    { dataFolder, rooftops: config.dealer.rooftops, feeds: config.feeds },
    { log, onLot: (data) => inventory.swap(data) },
  );

  const { destinations } = config.leads;
  const { rooftops } = config.dealer;
  const dispatcher = createDispatcher({
    store: leadStore,
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
    leadDesk,
    log,
    clock: systemClock,
    programVersion: version,
  });
  const publicServer = createPublicServer(agent, config, log);
  const adminServer = createAdminServer(health, log);
  let ready = false;

  async function health(): Promise<HealthReport> {
    const { vehicles, lotVersion, rooftops: onTheLot } = inventory.status();
    const [runs, deliveries] = await Promise.all([inventoryStore.listRuns(), leadStore.countDeliveries()]);
    return {
      ready,
      version,
      started_at: startedAt,
      lot: {
        vehicles,
        version: lotVersion,
        rooftops: onTheLot.map(({ rooftopId, vehicles: count, confirmedAt }) => ({
          rooftop_id: rooftopId,
          vehicles: count,
          ...(confirmedAt === undefined ? {} : { confirmed_at: confirmedAt }),
        })),
      },
      feeds: { held_runs: runs.filter((run) => run.status === 'held').length },
      leads: {
        queued: deliveries.queued + deliveries.sending,
        uncertain: deliveries.uncertain,
        dead: deliveries.dead,
      },
    };
  }

  await thread.firstLot;
  const { server } = config;
  const { publicUrl } = await listenOn('server.port', server.port, () =>
    publicServer.listen(server.port, server.host),
  );
  const { port: adminPort } = await listenOn('server.admin_port', server.admin_port, () =>
    adminServer.listen(server.admin_port, server.admin_host),
  );
  await dispatcher.start();
  ready = true;
  log.info(
    { version, public_url: publicUrl, admin_port: adminPort, node: process.version },
    'the bridge serves',
  );
  await firstOf(thread.ready, FIRST_FILES_MS);

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
    ready = false;
    log.info({ reason }, 'the bridge stops');
    await Promise.all([publicServer.close(), adminServer.close()]);
    await dispatcher.stop();
    await thread.stop();
    inventoryStore.close();
    await leadStore.close();
    forgetSignals();
    log.info({}, 'the bridge has stopped');
    log.flush();
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

/** A port in use is the operator's commonest fault at start, so it is told in words. */
async function listenOn<T>(setting: string, port: number, listen: () => Promise<T>): Promise<T> {
  try {
    return await listen();
  } catch (fault) {
    const code = (fault as NodeJS.ErrnoException).code;
    if (code === 'EADDRINUSE') {
      throw new Error(
        `Port ${port} (${setting}) is already in use. Is another dealer-bridge running? Stop it or choose another port.`,
        { cause: fault },
      );
    }
    if (code === 'EACCES') {
      throw new Error(`Port ${port} (${setting}) may not be opened by this account. Choose one above 1023.`, {
        cause: fault,
      });
    }
    throw fault;
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
