import Database from 'better-sqlite3';
import type { Agent } from '../agent/agent.ts';
import type { Config } from '../config/config.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { InventoryStore } from '../inventory/store.ts';
import { leadAlerts } from '../leads/alerts.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import type { BackupHealth } from '../model/backup-health.ts';
import type { Clock } from '../model/clock.ts';
import type { ClockDoubt } from '../model/clock-doubt.ts';
import { type Trouble, worstOf } from '../model/finding.ts';
import type { EventLoopWatch } from '../runtime/event-loop-watch.ts';
import type { BridgeLog } from '../runtime/logging.ts';
import type { HealthReport, SettingsHealth } from '../web/health-report.ts';
import type { PublicServer } from '../web/server.ts';
import { backupReport } from './backup-report.ts';
import { feedsHealth, type FeedStanding, feedsWithoutStore } from './feed-health.ts';
import { clockHealth } from './clock-health.ts';
import { findingsOf } from './findings/findings.ts';
import { leadsHealth, UNKNOWN_LEADS } from './lead-health.ts';
import { rooftopsHealth } from './lot-health.ts';
import { machineHealth } from './machine-health.ts';

/** What health is asked of. */
export interface HealthParts {
  config: Config;
  inventory: Inventory;
  inventoryStore: InventoryStore;
  leadStore: LeadStore;
  agent: Agent;
  publicServer: PublicServer;
  log: BridgeLog;
  eventLoop: EventLoopWatch;
  /** By destination, why its adapter cannot write leads. */
  adapterFaults: ReadonlyMap<string, string>;
  /** Undefined where no backups are made. */
  backups?: (() => Promise<BackupHealth>) | undefined;
  clock: Clock;
}

/** What only the running bridge knows at this moment. */
export interface Standing extends FeedStanding {
  ready: boolean;
  version: string;
  /** RFC 3339. */
  startedAt: string;
  /** Undefined where changes of the settings are not watched for. */
  settings?: SettingsHealth | undefined;
  /** Undefined while the clock is believed. */
  clockDoubt?: ClockDoubt | undefined;
}

/** How all parts are, for the admin port. A database that does not answer is one of the findings. */
export async function bridgeHealth(parts: HealthParts, standing: Standing): Promise<HealthReport> {
  const { config, inventory, inventoryStore, leadStore, agent, publicServer, backups, clock } = parts;
  const now = clock.now();
  const lot = inventory.status();
  const { destinations } = config.leads;
  const [feeds, leads, backup] = await Promise.all([
    orFault(() => feedsHealth(inventoryStore, config, standing, now)),
    orFault(async () => ({
      report: await leadsHealth(leadStore, config, parts.adapterFaults, now),
      alerts: await leadAlerts({ store: leadStore, destinations, alerts: config.alerts, clock })(),
    })),
    backups?.(),
  ]);
  const databases = {
    ...('fault' in leads && { leads: leads.fault }),
    ...('fault' in feeds && { inventory: feeds.fault }),
  };
  const alerts: readonly Trouble[] = 'fault' in leads ? [] : leads.value.alerts;
  const facts = {
    ready: standing.ready,
    version: standing.version,
    versions: {
      program: standing.version,
      node: process.versions.node,
      sqlite: sqliteVersion(),
      platform: `${process.platform}-${process.arch}`,
    },
    started_at: standing.startedAt,
    lot: {
      vehicles: lot.vehicles,
      version: lot.lotVersion,
      rooftops: rooftopsHealth(config.dealer.rooftops, lot, now),
      ...(standing.strays.length > 0 && { not_shown: [...standing.strays] }),
    },
    feeds: 'fault' in feeds ? await feedsWithoutStore(config, standing) : feeds.value,
    access: accessHealth(agent, publicServer),
    leads: 'fault' in leads ? UNKNOWN_LEADS : leads.value.report,
    machine: await machineHealth(config.data_folder, parts, databases),
    ...(standing.settings && { settings: standing.settings }),
    ...(backup && { backup: backupReport(backup, now) }),
    clock: clockHealth(now, standing.clockDoubt),
  };
  const checks = findingsOf(facts, alerts, config.alerts, now);
  return { status: worstOf(checks), ...facts, checks };
}

async function orFault<T>(ask: () => Promise<T>): Promise<{ value: T } | { fault: string }> {
  try {
    return { value: await ask() };
  } catch (fault) {
    return { fault: fault instanceof Error ? fault.message : String(fault) };
  }
}

function accessHealth({ door }: Agent, publicServer: PublicServer): HealthReport['access'] {
  const { tokens, fault } = door.status();
  const tls = publicServer.tls();
  return {
    tokens,
    ...(fault === undefined ? {} : { tokens_file_fault: fault }),
    ...(tls === undefined ? {} : { tls }),
  };
}

let knownSqliteVersion: string | undefined;

function sqliteVersion(): string {
  if (knownSqliteVersion === undefined) {
    const database = new Database(':memory:');
    knownSqliteVersion = String(database.prepare('SELECT sqlite_version()').pluck().get());
    database.close();
  }
  return knownSqliteVersion;
}
