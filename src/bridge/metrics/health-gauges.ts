import type { Registry } from 'prom-client';
import type { HealthReport } from '../../web/health-report.ts';
import { gauge } from './families.ts';

const STATUS_VALUES = { ok: 0, warn: 1, fail: 2 } as const;

/** What stands at this moment, as the health page has it. */
export function addHealthGauges(registry: Registry, report: HealthReport): void {
  const { ready, status, version, versions, checks, machine, backup, access } = report;
  gauge(registry, 'ready', 'Whether calls are answered (1) or not (0).', [], [[[], Number(ready)]]);
  gauge(registry, 'status', 'The health page: 0 ok, 1 warn, 2 fail.', [], [[[], STATUS_VALUES[status]]]);
  gauge(registry, 'build_info', 'Versions; always 1.', ['version', 'node'], [[[version, versions.node], 1]]);
  gauge(
    registry,
    'troubles',
    'Findings of the health page that are not ok.',
    ['status'],
    (['warn', 'fail'] as const).map((bad) => [[bad], checks.filter((check) => check.status === bad).length]),
  );
  addLot(registry, report);
  addFeeds(registry, report);
  addLeads(registry, report);
  const { disk, log, event_loop: loop } = machine;
  gauge(registry, 'disk_free_bytes', 'Free on the disk of the data folder.', [], one(disk?.free_bytes));
  gauge(
    registry,
    'log_lost_lines',
    'Log lines that could not be written since the start.',
    [],
    one(log.lost_lines),
  );
  gauge(
    registry,
    'event_loop_delay_seconds',
    'How late things that were due began, in the last minute or two.',
    ['quantile'],
    [
      [['0.99'], loop.delay_p99_ms / 1000],
      [['1'], loop.delay_max_ms / 1000],
    ],
  );
  gauge(
    registry,
    'backup_age_seconds',
    'Since the last good backup.',
    [],
    one(backup?.last_good?.age_seconds),
  );
  gauge(registry, 'certificate_days_left', 'Until the certificate ends.', [], one(access.tls?.days_left));
}

function addLot(registry: Registry, { lot }: HealthReport): void {
  gauge(
    registry,
    'lot_vehicles',
    'Vehicles for sale.',
    ['rooftop'],
    lot.rooftops.map(({ rooftop_id, vehicles }) => [[rooftop_id], vehicles]),
  );
  gauge(
    registry,
    'lot_confirmed_age_seconds',
    'Since a file last confirmed vehicles of the rooftop.',
    ['rooftop'],
    lot.rooftops.flatMap(({ rooftop_id, age_seconds: age }) => keyed(rooftop_id, age)),
  );
}

function addFeeds(registry: Registry, { feeds }: HealthReport): void {
  gauge(
    registry,
    'feed_last_good_age_seconds',
    'Since the last good file of the feed.',
    ['feed'],
    feeds.last_good.flatMap(({ feed_id, age_seconds: age }) => keyed(feed_id, age)),
  );
  gauge(
    registry,
    'feed_overdue',
    'Whether the feed has brought no good file for longer than expected.',
    ['feed'],
    feeds.last_good.map(({ feed_id }) => [[feed_id], Number(feeds.overdue.includes(feed_id))]),
  );
  gauge(registry, 'held_runs', 'Files that wait for a person.', [], [[[], feeds.held_runs]]);
}

function addLeads(registry: Registry, { leads }: HealthReport): void {
  gauge(
    registry,
    'deliveries',
    'Deliveries of leads by where they stand.',
    ['state'],
    Object.entries(leads.deliveries).map(([state, number]) => [[state], number]),
  );
  gauge(
    registry,
    'deliveries_waiting',
    'Leads that are not at the destination yet.',
    ['destination'],
    leads.destinations.map(({ id, waiting }) => [[id], waiting]),
  );
  gauge(
    registry,
    'oldest_undelivered_seconds',
    'How long the lead waits that waits longest; 0 when none does.',
    ['destination'],
    leads.destinations.map(({ id, oldest }) => [[id], oldest?.age_seconds ?? 0]),
  );
  gauge(
    registry,
    'destination_paused',
    'Whether the destination refuses all leads.',
    ['destination'],
    leads.destinations.map(({ id, paused }) => [[id], Number(paused !== undefined)]),
  );
}

type Sample = readonly [values: readonly string[], value: number];

function one(value: number | undefined): Sample[] {
  return value === undefined ? [] : [[[], value]];
}

function keyed(id: string, value: number | undefined): Sample[] {
  return value === undefined ? [] : [[[id], value]];
}
