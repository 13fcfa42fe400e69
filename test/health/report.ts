import type { HealthReport } from '../../src/web/health-report.ts';

const MEBIBYTE = 1024 * 1024;

export const NOON = Date.parse('2026-11-30T12:00:00Z');

export const THRESHOLDS = {
  undelivered_after_minutes: 60,
  paused_after_minutes: 10,
  lot_max_age_hours: 72,
  source_failing_minutes: 120,
  disk_free_mb: 2000,
  certificate_days: 14,
};

/** A bridge that is well: one rooftop, two feeds, one destination. */
export function wellReport(): HealthReport {
  return {
    ready: true,
    status: 'ok',
    checks: [],
    version: '1.2.3',
    versions: { program: '1.2.3', node: '24.0.0', sqlite: '3.50.0', platform: 'linux-x64' },
    started_at: '2026-11-30T10:00:00Z',
    lot: {
      vehicles: 12,
      version: 3,
      rooftops: [
        { rooftop_id: 'HPM01', vehicles: 12, confirmed_at: '2026-11-30T11:00:00Z', age_seconds: 3600 },
        { rooftop_id: 'CRA02', vehicles: 0 },
      ],
    },
    feeds: {
      held_runs: 0,
      held: [],
      refused: [],
      overdue: [],
      sources: [{ feed_id: 'photos', ok: true, last_success: '2026-11-30T11:50:00Z' }],
      unreachable_folders: [],
      last_good: [
        { feed_id: 'main', at: '2026-11-30T11:00:00Z', age_seconds: 3600, accepted: 12, rejected: 1 },
        { feed_id: 'photos' },
      ],
    },
    access: { tokens: 0, tls: { expires_at: '2027-02-28T00:00:00Z', days_left: 90 } },
    leads: {
      queued: 2,
      uncertain: 0,
      dead: 0,
      paused_destinations: [],
      unencrypted_destinations: [],
      deliveries: { queued: 2, delivered: 40 },
      destinations: [
        {
          id: 'crm',
          waiting: 2,
          oldest: { lead_id: 'lead_1', since: '2026-11-30T11:59:00Z', age_seconds: 60 },
        },
      ],
    },
    clock: { now: '2026-11-30T12:00:00Z' },
    machine: {
      disk: { free_bytes: 9000 * MEBIBYTE, total_bytes: 90_000 * MEBIBYTE },
      event_loop: { delay_p99_ms: 2, delay_max_ms: 8 },
      databases: {},
      log: { lost_lines: 0 },
    },
    backup: {
      enabled: true,
      overdue: false,
      last_good: { at: '2026-11-30T02:00:00Z', name: '20261130T020000Z-nightly', age_seconds: 36_000 },
    },
  };
}
