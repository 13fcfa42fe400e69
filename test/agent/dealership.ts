import { createAgent } from '../../src/agent/agent.ts';
import type { Agent } from '../../src/agent/agent.ts';
import type { Config } from '../../src/config/config.ts';
import type { Found, Inventory, InventoryStatus, SearchRequest } from '../../src/inventory/inventory.ts';
import type { LeadDesk, LeadOutcome } from '../../src/leads/lead-desk.ts';
import type { LeadSubmitRequest } from '../../src/model/lead.ts';
import { silentLog } from '../../src/model/log.ts';
import type { Log } from '../../src/model/log.ts';
import type { Listing } from '../../src/model/vehicle.ts';
import { facets, VIN } from './payloads.ts';

/** A small dealership behind the agent: what the endpoint needs, with every call written down. */
export interface Dealership {
  agent: Agent;
  config: Config;
  searches: SearchRequest[];
  leads: LeadSubmitRequest[];
}

const NOW = Date.parse('2026-04-30T10:15:30Z');

export const CIVIC: Listing = {
  vin: VIN,
  stock: 'T12345',
  vehicle_id: 'veh_1',
  dealer_id: 'HPM01',
  year: 2022,
  make: 'Honda',
  model: 'Civic',
  trim: 'EX',
  condition: 'cpo',
  status: 'available',
  rooftop: 'Harbor Point Motors',
  list_price: 24990,
  price: 26780,
  updated_at: '2026-04-30T10:15:00Z',
};

/** As stored: its blanks show that the text goes out untouched. */
export const CIVIC_TEXT = JSON.stringify(CIVIC, null, 1).replaceAll('\n', ' ');

export const SOLD_VIN = '1HGCY2F57RA000002';

export interface DealershipOptions {
  config?: (config: Config) => Config;
  /** Replaces the desk's answer. */
  submit?: (request: LeadSubmitRequest) => Promise<LeadOutcome>;
  search?: Inventory['search'];
  facets?: Inventory['facets'];
  whyNone?: Inventory['whyNone'];
  /** What the lot knows of them; nothing = no confirmation yet. */
  rooftops?: InventoryStatus['rooftops'];
  log?: Log;
}

export function openDealership(options: DealershipOptions = {}): Dealership {
  const searches: SearchRequest[] = [];
  const leads: LeadSubmitRequest[] = [];
  const inventory: Inventory = {
    search: (request) => {
      searches.push(request);
      if (options.search !== undefined) return options.search(request);
      const matches = request.filters.make?.includes('Tesla') ? [] : [CIVIC_TEXT];
      const vehicles = matches.slice(request.skip, request.skip + request.limit);
      return {
        total: matches.length,
        skip: request.skip,
        limit: request.limit,
        vehicles,
        ...(request.includeFacets ? { facets: facets() } : {}),
      };
    },
    facets: options.facets ?? (() => facets()),
    whyNone: options.whyNone ?? (() => ({ kind: 'together' })),
    find: ({ vin, stock, vehicle_id }): Found => {
      if (vin === SOLD_VIN) return { kind: 'gone', leftAt: '2026-04-29T18:00:00Z', rooftopId: 'HPM01' };
      if ((vin ?? VIN) !== VIN || (stock ?? 'T12345') !== 'T12345' || (vehicle_id ?? 'veh_1') !== 'veh_1') {
        return { kind: 'unknown' };
      }
      return { kind: 'listed', listing: CIVIC, json: CIVIC_TEXT, rooftopId: 'HPM01' };
    },
    status: () => ({ vehicles: 1, lotVersion: 1, rooftops: options.rooftops ?? [] }),
  };
  const leadDesk: LeadDesk = {
    submit: (request) => {
      leads.push(request);
      if (options.submit !== undefined) return options.submit(request);
      return Promise.resolve({
        kind: 'answered',
        answer: {
          lead_id: `lead_${leads.length}`,
          status: 'received',
          dealer: { name: 'Harbor Point Motors', phone: '+14155550100' },
        },
        message: 'We will call you.',
        replayed: false,
      });
    },
  };
  const config = (options.config ?? ((unchanged) => unchanged))(dealerConfig());
  const agent = createAgent({
    config,
    inventory,
    leadDesk,
    log: options.log ?? silentLog,
    clock: { now: () => NOW },
    programVersion: '0.1.0',
  });
  return { agent, config, searches, leads };
}

function dealerConfig(): Config {
  return {
    file: '/dealer/bridge.yaml',
    watch_settings: true,
    data_folder: '/dealer/data',
    dealer: {
      id: 'harbor',
      name: 'Harbor Group',
      welcome_message: 'Hello.',
      rooftops: [
        {
          id: 'HPM01',
          feed_ids: ['harbor-secret-feed-id'],
          profile: {
            name: 'Harbor Point Motors',
            website: 'https://harbor.example.com',
            phones: [{ value: '+14155550100' }],
          },
        },
        { id: 'CRA02', feed_ids: [], profile: { name: 'Cedar Ridge Auto Center' } },
      ],
    },
    server: {
      host: '127.0.0.1',
      port: 0,
      admin_host: '127.0.0.1',
      admin_port: 0,
      body_limit_bytes: 262_144,
      trusted_proxies: [],
      proxy_header: 'x-forwarded-for',
      limits: {
        max_header_bytes: 16_384,
        max_headers: 100,
        max_connections: 2000,
        max_connections_per_client: 256,
        max_requests_per_connection: 1000,
        max_pipelined_requests: 32,
        header_timeout_seconds: 10,
        request_timeout_seconds: 30,
        keep_alive_seconds: 15,
        idle_timeout_seconds: 60,
      },
    },
    access: { require_token: 'none', tokens: [] },
    rate_limits: {
      enabled: true,
      limit_local_calls: false,
      max_clients: 10_000,
      searches: { per_minute: 120, burst: 60, all_clients_per_minute: 12_000 },
      leads: { per_minute: 20, burst: 10, all_clients_per_minute: 600 },
    },
    a2a: { require_version_header: false, require_extension: false },
    mcp: { enabled: true, allowed_hosts: [], allowed_origins: [] },
    skills: {
      'dealer.information': true,
      'inventory.facets': true,
      'inventory.search': true,
      'inventory.vehicle': true,
      'lead.submit': true,
    },
    search: { default_limit: 20, max_limit: 100, include_facets: false, max_facet_values: 1000 },
    feeds: [],
    leads: {
      default_rooftop: 'HPM01',
      duplicate_window_hours: 24,
      retention_days: 90,
      follow_up_channels: ['email', 'phone'],
      appointments: { holidays: [], rules: [] },
      destinations: [],
    },
    backup: {
      enabled: false,
      at: '02:30',
      folder: '/var/lib/bridge/backups',
      keep_daily: 7,
      keep_weekly: 4,
      inventory: 'when_small',
    },
    alerts: {
      undelivered_after_minutes: 60,
      paused_after_minutes: 2,
      lot_max_age_hours: 72,
      source_failing_minutes: 120,
      disk_free_mb: 2000,
      certificate_days: 14,
    },
    log: { level: 'info', max_file_mb: 20, max_files: 100, max_total_mb: 500, keep_days: 30 },
  };
}
