import type { Agent } from '../agent/agent.ts';
import type { Config, DestinationConfig } from '../config/config.ts';
import type { UnreachableInbox } from '../feeds/inbox/feed-inbox.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { InventoryStore } from '../inventory/store.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import type { Clock } from '../model/clock.ts';
import type { HealthReport } from '../web/admin.ts';
import type { PublicServer } from '../web/server.ts';
import { refusedFiles, sourcesHealth, untakenRun } from './feed-health.ts';
import { rooftopsHealth } from './lot-health.ts';

/** What health is asked of. */
export interface HealthParts {
  config: Config;
  inventory: Inventory;
  inventoryStore: InventoryStore;
  leadStore: LeadStore;
  agent: Agent;
  publicServer: PublicServer;
  clock: Clock;
}

/** What only the running bridge knows at this moment. */
export interface Standing {
  ready: boolean;
  version: string;
  /** RFC 3339. */
  startedAt: string;
  overdueFeeds: readonly string[];
  unreachable: readonly UnreachableInbox[];
}

/** How all parts are, for the admin port. */
export async function bridgeHealth(parts: HealthParts, standing: Standing): Promise<HealthReport> {
  const { config, inventory, agent, publicServer, clock } = parts;
  const lot = inventory.status();
  const [feeds, leads] = await Promise.all([feedsHealth(parts, standing), leadsHealth(parts)]);
  return {
    ready: standing.ready,
    version: standing.version,
    started_at: standing.startedAt,
    lot: {
      vehicles: lot.vehicles,
      version: lot.lotVersion,
      rooftops: rooftopsHealth(config.dealer.rooftops, lot, clock.now()),
    },
    feeds,
    access: accessHealth(agent, publicServer),
    leads,
  };
}

async function feedsHealth(
  { config, inventoryStore }: HealthParts,
  { overdueFeeds, unreachable }: Standing,
): Promise<HealthReport['feeds']> {
  const held = inventoryStore.listHeldRuns();
  const [sources, refused] = await Promise.all([
    sourcesHealth(config),
    refusedFiles(config.feeds, inventoryStore),
  ]);
  return {
    held_runs: held.length,
    held: held.map(untakenRun),
    refused,
    overdue: [...overdueFeeds],
    sources,
    unreachable_folders: unreachable.map(({ feedId, since, code }) => ({
      feed_id: feedId,
      since,
      reason: code,
    })),
  };
}

async function leadsHealth({ config, leadStore }: HealthParts): Promise<HealthReport['leads']> {
  const { destinations } = config.leads;
  const [deliveries, pauses] = await Promise.all([
    leadStore.countDeliveries(),
    Promise.all(destinations.map(({ id }) => leadStore.findPause(id))),
  ]);
  const ids = (chosen: DestinationConfig[]): string[] => chosen.map(({ id }) => id);
  return {
    queued: deliveries.queued + deliveries.sending,
    uncertain: deliveries.uncertain,
    dead: deliveries.dead,
    paused_destinations: ids(destinations.filter((_, index) => pauses[index] !== undefined)),
    unencrypted_destinations: ids(destinations.filter(isUnencrypted)),
  };
}

function isUnencrypted({ crm, options }: DestinationConfig): boolean {
  const place = crm.place?.(options);
  return place !== undefined && 'address' in place && place.unencrypted === true;
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
