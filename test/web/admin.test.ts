import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/model/log.ts';
import { createAdminServer } from '../../src/web/admin.ts';
import type { HealthReport } from '../../src/web/health-report.ts';
import type { Readiness } from '../../src/web/probes.ts';
import type { Listener } from '../../src/web/http-listener.ts';
import { speakRaw } from './live-agent.ts';

const report: HealthReport = {
  ready: true,
  status: 'warn',
  checks: [
    { key: 'disk-low', status: 'warn', text: 'The disk has 7 MB free, less than 9.', remedy: 'Make room.' },
  ],
  version: '0.1.0',
  versions: { program: '0.1.0', node: '24.0.0', sqlite: '3.50.0', platform: 'linux-x64' },
  started_at: '2026-04-30T10:00:00Z',
  lot: {
    vehicles: 12,
    version: 3,
    rooftops: [{ rooftop_id: 'HPM01', vehicles: 12, confirmed_at: '2026-04-30T09:00:00Z', age_seconds: 60 }],
  },
  feeds: {
    held_runs: 1,
    held: [{ run_id: 'run_1', feed_id: 'main-lot', since: '2026-04-30T08:00:00Z', reason: 'too few' }],
    refused: [{ run_id: 'run_2', feed_id: 'photos', since: '2026-04-30T07:00:00Z', reason: 'empty' }],
    overdue: ['main-lot'],
    sources: [{ feed_id: 'main-lot', ok: true, last_success: '2026-04-30T09:00:00Z' }],
    unreachable_folders: [],
    last_good: [
      { feed_id: 'main-lot', at: '2026-04-30T09:00:00Z', age_seconds: 60, accepted: 12, rejected: 0 },
    ],
  },
  access: { tokens: 0 },
  leads: {
    queued: 2,
    uncertain: 0,
    paused_destinations: [],
    unencrypted_destinations: [],
    dead: 0,
    deliveries: { queued: 2 },
    destinations: [{ id: 'crm', waiting: 2 }],
  },
  clock: { now: '2026-04-30T10:00:00Z' },
  machine: {
    event_loop: { delay_p99_ms: 1, delay_max_ms: 2 },
    databases: {},
    log: { lost_lines: 0 },
  },
};

let health: () => HealthReport;
let ready: Readiness;
const readiness = (): Readiness => ready;
const metrics = (): Promise<string> => Promise.resolve('up 1\n');
let server: Listener;
let origin: string;
beforeEach(async () => {
  health = () => report;
  ready = { ready: true };
  server = createAdminServer({ health: () => health(), readiness, metrics }, 'bridge.dealer.lan', silentLog);
  const { port } = await server.listen(0, '127.0.0.1');
  origin = `http://127.0.0.1:${port}`;
});
afterEach(() => server.close());

describe('the admin server', () => {
  it('tells how the bridge is', async () => {
    const response = await fetch(`${origin}/health`);
    expect([response.status, await response.json()]).toEqual([200, report]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('is ready only when the bridge is', async () => {
    expect((await fetch(`${origin}/health/ready`)).status).toBe(200);
    ready = { ready: false, reason: 'stopping' };
    const response = await fetch(`${origin}/health/ready`);
    expect([response.status, await response.json()]).toEqual([503, ready]);
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
  });

  it('gives the metrics as text', async () => {
    const response = await fetch(`${origin}/metrics`);
    expect([response.headers.get('content-type'), await response.text()]).toEqual([
      'text/plain; version=0.0.4; charset=utf-8',
      'up 1\n',
    ]);
    expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(405);
  });

  it('answers everything else in JSON', async () => {
    const missing = await fetch(`${origin}/`);
    expect([missing.status, missing.headers.get('content-type')]).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
    expect((await fetch(`${origin}/health`, { method: 'POST' })).status).toBe(405);
    health = () => {
      throw new Error('secret place');
    };
    const broken = await fetch(`${origin}/health`);
    expect(broken.status).toBe(500);
    expect(await broken.text()).not.toContain('secret');
  });

  it('says so when its port is taken', async () => {
    const port = Number(new URL(origin).port);
    const second = createAdminServer({ health, readiness, metrics }, '127.0.0.1', silentLog);
    await expect(second.listen(port, '127.0.0.1')).rejects.toThrow(/EADDRINUSE/);
  });

  describe.each(['/health', '/health/live', '/metrics', '/nothing'])(
    'to a page that has rebound its name: %s',
    (path) => {
      it.each(['evil.example', '127.0.0.1.evil.example:8081', 'localhost.evil.example', 'a@localhost', ''])(
        'tells nothing under the Host %j',
        async (host) => {
          const reply = await ask(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n`);
          expect(reply).toMatch(/^HTTP\/1\.1 403 /);
          expect(reply).not.toMatch(/HPM01|bridge\.dealer\.lan/);
        },
      );
    },
  );

  it.each(['127.0.0.1:8081', '192.168.4.7', '[::1]:8081', 'LOCALHOST', 'bridge.dealer.lan:8081', hostname()])(
    'answers under the Host %s',
    async (host) => {
      expect(await ask(`GET /health HTTP/1.1\r\nHost: ${host}\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
    },
  );

  it('answers a program that sends no Host, as HTTP/1.0 allows', async () => {
    expect(await ask('GET /health/ready HTTP/1.0\r\n')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

function ask(head: string): Promise<string> {
  return speakRaw(Number(new URL(origin).port), `${head}Connection: close\r\n\r\n`);
}
