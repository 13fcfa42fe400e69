import { expect, it } from 'vitest';
import { Activity } from '../../src/bridge/activity.ts';
import { metricsText } from '../../src/bridge/metrics/metrics.ts';
import type { LeadDesk, LeadOutcome } from '../../src/leads/lead-desk.ts';
import type { LeadSubmitRequest } from '../../src/model/lead.ts';
import { CallCounts } from '../../src/web/call-counts.ts';
import { openStore } from '../leads/lead-harness.ts';
import { readPrometheusText, valueOf } from './prometheus-text.ts';
import { wellReport } from './report.ts';

it('shows what the health page shows, in the text that Prometheus reads', async () => {
  const samples = readPrometheusText(await metricsText(wellReport(), new Activity()));
  const at = (name: string, labels?: Record<string, string>) =>
    valueOf(samples, `dealer_bridge_${name}`, labels);
  expect([at('ready'), at('status'), at('build_info', { version: '1.2.3' })]).toEqual([1, 0, 1]);
  expect([at('lot_vehicles', { rooftop: 'HPM01' }), at('lot_vehicles', { rooftop: 'CRA02' })]).toEqual([
    12, 0,
  ]);
  expect(at('feed_last_good_age_seconds')).toBe(3600);
  expect(at('feed_overdue', { feed: 'photos' })).toBe(0);
  expect([
    at('deliveries', { state: 'delivered' }),
    at('deliveries_waiting', { destination: 'crm' }),
  ]).toEqual([40, 2]);
  expect(at('oldest_undelivered_seconds', { destination: 'crm' })).toBe(60);
  expect(at('disk_free_bytes')).toBe(9000 * 1024 * 1024);
  expect([at('backup_age_seconds'), at('certificate_days_left')]).toEqual([36_000, 90]);
  expect(at('event_loop_delay_seconds', { quantile: '1' })).toBe(0.008);
  expect(valueOf(samples, 'process_start_time_seconds')).toBeGreaterThan(1_700_000_000);
});

it('leaves out what there is not, instead of showing a nought', async () => {
  const { backup: _, ...report } = wellReport();
  delete report.access.tls;
  const samples = readPrometheusText(await metricsText(report, new Activity()));
  const names = samples.map(({ name }) => name);
  expect(names).not.toContain('dealer_bridge_backup_age_seconds');
  expect(names).not.toContain('dealer_bridge_certificate_days_left');
});

it('counts calls by skill and code, and sorts their durations', async () => {
  const activity = new Activity();
  const { a2a, mcp } = activity.calls;
  a2a.count('inventory.search', 'ok', 0.5);
  a2a.count('inventory.search', 'ok', 1);
  a2a.count('inventory.search', 'RATE_LIMITED', 30);
  a2a.count(undefined, '-32700', 20_000);
  mcp.count('lead.submit', 'ok', 100);
  const samples = readPrometheusText(await metricsText(wellReport(), activity));
  const at = (name: string, labels: Record<string, string>) =>
    valueOf(samples, `dealer_bridge_${name}`, labels);
  const search = { door: 'a2a', skill: 'inventory.search' };
  expect(at('requests_total', { ...search, code: 'ok' })).toBe(2);
  expect(at('requests_total', { ...search, code: 'RATE_LIMITED' })).toBe(1);
  expect(at('requests_total', { door: 'a2a', skill: 'none', code: '-32700' })).toBe(1);
  expect(at('requests_rate_limited_total', { door: 'a2a' })).toBe(1);
  const upTo = (le: string, labels: object = search) =>
    at('request_duration_seconds_bucket', { ...labels, le });
  expect(['0.001', '0.025', '0.05', '+Inf'].map((le) => upTo(le))).toEqual([2, 2, 3, 3]);
  expect(at('request_duration_seconds_count', search)).toBe(3);
  expect(at('request_duration_seconds_sum', search)).toBeCloseTo(0.0315, 10);
  expect(['10', '+Inf'].map((le) => upTo(le, { door: 'a2a', skill: 'none' }))).toEqual([0, 1]);
});

it('keeps to sixty codes a skill, whatever comes', () => {
  const counts = new CallCounts();
  for (let index = 0; index < 1000; index++) counts.count('inventory.search', `made up ${index}`, 1);
  const outcomes = [...counts.outcomes()];
  expect(outcomes).toHaveLength(61);
  expect(outcomes.at(-1)).toEqual({ skill: 'inventory.search', code: 'other', calls: 940 });
});

it('counts leads, attempts, runs and rows, and knows which adapter cannot write', async () => {
  const activity = new Activity();
  const outcome: LeadOutcome = { kind: 'refused', code: 'CONTACT_CONSENT_REQUIRED', message: 'no' };
  const desk = activity.countLeads({ submit: () => Promise.resolve(outcome) } satisfies LeadDesk);
  const request = { appointment: { appointment_type: 'service' } } as LeadSubmitRequest;
  expect(await desk.submit(request)).toBe(outcome);

  const claimed = [7, 8].map((deliveryId) => ({ deliveryId, destination: 'crm' }));
  const store = activity.countAttempts({
    ...openStore(),
    claimNext: () => Promise.resolve(claimed.shift() as never),
    finishAttempt: () => Promise.resolve(true),
  });
  const attempt = (deliveryId: number, stage: string, verdict: string) =>
    store.finishAttempt({
      deliveryId,
      owner: 'me',
      attempt: { startedAt: 0, finishedAt: 1, stage, sent: 'no', verdict, reason: 'no such field' },
      state: 'queued',
      mayHaveArrived: false,
    });
  await store.claimNext({} as never);
  await attempt(7, 'build', 'retry');
  expect([...activity.adapterFaults]).toEqual([['crm', 'no such field']]);
  await store.claimNext({} as never);
  await attempt(8, 'http', 'delivered');
  expect(activity.adapterFaults.size).toBe(0);

  activity.noteRun({ feedId: 'main', status: 'partial', accepted: 90, rejected: 10 });
  activity.noteRun({ feedId: 'main', status: 'ok', accepted: 5, rejected: 0 });
  const samples = readPrometheusText(await metricsText(wellReport(), activity));
  const at = (name: string, labels: Record<string, string>) =>
    valueOf(samples, `dealer_bridge_${name}`, labels);
  expect(at('leads_total', { type: 'visit_service', result: 'CONTACT_CONSENT_REQUIRED' })).toBe(1);
  expect(at('delivery_attempts_total', { destination: 'crm', verdict: 'retry' })).toBe(1);
  expect(at('delivery_attempts_total', { destination: 'crm', verdict: 'delivered' })).toBe(1);
  expect(at('feed_runs_total', { feed: 'main', result: 'partial' })).toBe(1);
  expect(at('feed_rows_total', { feed: 'main', result: 'accepted' })).toBe(95);
  expect(at('feed_rows_total', { feed: 'main', result: 'refused' })).toBe(10);
});
