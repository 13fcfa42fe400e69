import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDealership, SMALL, type Dealership } from './dealership.ts';
import { DEFAULT_FEED_LIMITS } from '../../src/feeds/limits.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
});
afterAll(() => dealer.remove());

const COMPLETE = `dealer:
  id: two-stores
  name: Two Stores
  welcome_message: Hello.
  rooftops:
    - id: AAA1
      name: First Store
      feed_ids: [First Store, "4711"]
      geo: { latitude: 43.5, longitude: -70.25 }
      phones:
        - { name: Sales, value: '+12075550110' }
      address: { country: US, state: ME, zip: '04101' }
      schedules:
        - name: sales
          value:
            monday: { open: '09:00', close: '18:00' }
            sunday: null
      timezone: America/New_York
      fees:
        - { name: Documentation fee, amount: 389 }
      capabilities: [sales]
    - id: BBB2
      name: Second Store
server:
  public_url: https://agent.dealer.example/
feeds:
  - id: first
    profile: plainlist
    rooftop: AAA1
    price_basis: base_plus_fees
    sample: samples/first.csv
  - id: second
    profile: ./profiles/own.yaml
    folder: ../drop
    files: '*_INV.csv'
    mode: delta
    rooftop: { from: column, otherwise: BBB2 }
    done_marker: .done
    settle_ms: 500
    guard: { max_removed_percent: 5 }
  - { id: third, profile: plainlist, rooftop: { from: column } }
leads:
  default_rooftop: BBB2
  follow_up_channels: [phone]
  destinations:
    - id: files
      adapter: pickup
      options: { folder: outgoing, key: 'k-\${env:PICKUP_KEY}-\${file:secrets/tail}' }
      rooftops: [AAA1]
      retry: { first_seconds: 5, max_minutes: 1, give_up_hours: 0.5 }
      on_uncertain: stop
    - id: acme
      preset: acme-crm
      options: { pace: { burst: 9 } }
`;

describe('complete settings', () => {
  beforeAll(async () => {
    await dealer.write('samples/first.csv', 'a,b\n');
    await dealer.write('profiles/own.yaml', 'name: own\n');
    await dealer.write('secrets/tail', 'tail\n');
  });

  async function loadComplete() {
    const loaded = await dealer.load(COMPLETE, { environment: { PICKUP_KEY: 'head' } });
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    return loaded.value;
  }

  it('become a Config with absolute paths and milliseconds', async () => {
    const config = await loadComplete();
    expect(config.file).toBe(dealer.file);
    expect(config.data_folder).toBe(dealer.data);
    expect(config.server).toEqual({
      host: '127.0.0.1',
      port: 8080,
      admin_host: '127.0.0.1',
      admin_port: 8081,
      public_url: 'https://agent.dealer.example',
      body_limit_bytes: 262144,
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
    });
    expect(config.access).toEqual({ require_token: 'none', tokens: [] });
    expect(config.rate_limits).toEqual({
      enabled: true,
      limit_local_calls: false,
      max_clients: 10_000,
      searches: { per_minute: 120, burst: 60, all_clients_per_minute: 12_000 },
      leads: { per_minute: 20, burst: 10, all_clients_per_minute: 600 },
    });
    expect(config.feeds).toEqual([
      {
        id: 'first',
        profile: 'plainlist',
        folder: join(dealer.data, 'inbox', 'first'),
        files: '*',
        mode: 'full',
        rooftop: { kind: 'fixed', id: 'AAA1' },
        price_basis: 'base_plus_fees',
        sample: join(dealer.folder, 'samples', 'first.csv'),
        settle_ms: 2000,
        grace_files: 0,
        limits: DEFAULT_FEED_LIMITS,
        guard: { max_removed_percent: 20, max_removed_vehicles: 10 },
        price_checks: { max_over_msrp_percent: 200, max_under_msrp_percent: 90 },
      },
      {
        id: 'second',
        profile: join(dealer.folder, 'profiles', 'own.yaml'),
        folder: join(dealer.folder, '..', 'drop'),
        files: '*_INV.csv',
        mode: 'delta',
        rooftop: { kind: 'column', otherwise: 'BBB2' },
        settle_ms: 500,
        grace_files: 0,
        limits: DEFAULT_FEED_LIMITS,
        done_marker: '.done',
        guard: { max_removed_percent: 5, max_removed_vehicles: 10 },
        price_checks: { max_over_msrp_percent: 200, max_under_msrp_percent: 90 },
      },
      expect.objectContaining({ id: 'third', rooftop: { kind: 'column' } }),
    ]);
  });

  it('keep the rooftop profile apart from the ids', async () => {
    const { rooftops } = (await loadComplete()).dealer;
    expect(rooftops[0]).toEqual({
      id: 'AAA1',
      feed_ids: ['First Store', '4711'],
      profile: {
        name: 'First Store',
        geo: { latitude: 43.5, longitude: -70.25 },
        phones: [{ name: 'Sales', value: '+12075550110' }],
        address: { country: 'US', state: 'ME', zip: '04101' },
        schedules: [{ name: 'sales', value: { monday: { open: '09:00', close: '18:00' }, sunday: null } }],
        timezone: 'America/New_York',
        fees: [{ name: 'Documentation fee', amount: 389 }],
        capabilities: ['sales'],
      },
    });
    expect(rooftops[1]).toEqual({ id: 'BBB2', feed_ids: [], profile: { name: 'Second Store' } });
  });

  it('carry destinations with secrets, presets and adapter defaults worked in', async () => {
    const { destinations, ...leads } = (await loadComplete()).leads;
    expect(leads).toEqual({
      default_rooftop: 'BBB2',
      duplicate_window_hours: 24,
      appointments: { holidays: [], rules: [] },
      follow_up_channels: ['phone'],
      retention_days: 90,
    });
    const [files, acme] = destinations;
    expect(files).toMatchObject({
      id: 'files',
      adapter: 'pickup',
      options: { folder: 'outgoing', key: 'k-head-tail', pace: { a_minute: 10, burst: 3 } },
      rooftops: ['AAA1'],
      retry: { first_ms: 5000, max_ms: 60_000, give_up_ms: 1_800_000 },
      on_uncertain: 'stop',
    });
    expect(acme).toMatchObject({
      id: 'acme',
      adapter: 'pickup',
      options: { folder: 'acme', pace: { a_minute: 5, burst: 9 } },
      rooftops: ['AAA1', 'BBB2'],
      retry: { first_ms: 30_000, max_ms: 1_800_000, give_up_ms: 259_200_000 },
      on_uncertain: 'retry',
    });
    expect(acme?.crm.classify({ kind: 'file', sent: 'yes' }, {}).state).toBe('delivered');
  });

  it('let the command line win over the ports', async () => {
    const loaded = await dealer.load(SMALL, { port: 0, adminPort: 9001 });
    expect(loaded).toMatchObject({ ok: true, value: { server: { port: 0, admin_port: 9001 } } });
  });
});

describe('short settings', () => {
  it('get every default', async () => {
    const loaded = await dealer.load(SMALL);
    expect(loaded).toMatchObject({
      ok: true,
      value: {
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
        leads: { default_rooftop: 'ONE', follow_up_channels: ['email', 'phone', 'sms'] },
        alerts: { undelivered_after_minutes: 60, disk_free_mb: 2000, certificate_days: 14 },
        log: { level: 'info', max_file_mb: 20, max_files: 100, max_total_mb: 500, keep_days: 30 },
      },
    });
  });

  it('take the data folder ./data of the working directory', async () => {
    const loaded = await dealer.load(SMALL.replace('pickup', 'adf-file'), { dataFolder: undefined as never });
    expect(loaded).toMatchObject({ ok: true, value: { data_folder: join(process.cwd(), 'data') } });
  });

  it('need no destination when leads are off', async () => {
    const yaml = `${SMALL.slice(0, SMALL.indexOf('leads:'))}skills: { lead.submit: false }\n`;
    expect(await dealer.problems(yaml)).toEqual([]);
    expect(await dealer.problems(yaml.replace('false', 'true'))).toEqual([
      'bridge.yaml:1:1 leads: leads have no destination. Add one under leads.destinations, or switch the skill lead.submit off.',
    ]);
  });

  it('are checked without creating anything', async () => {
    const before = await readdir(dealer.data, { recursive: true });
    await dealer.problems(SMALL);
    expect(await readdir(dealer.data, { recursive: true })).toEqual(before);
  });
});
