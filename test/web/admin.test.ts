import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { silentLog } from '../../src/model/log.ts';
import { createAdminServer } from '../../src/web/admin.ts';
import type { HealthReport } from '../../src/web/admin.ts';

const report: HealthReport = {
  ready: true,
  version: '0.1.0',
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
  },
  access: { tokens: 0 },
  leads: { queued: 2, uncertain: 0, paused_destinations: [], dead: 0 },
};

let health: () => HealthReport;
const server = createAdminServer(() => health(), silentLog);
let origin: string;
beforeEach(async () => {
  health = () => report;
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
    health = () => ({ ...report, ready: false });
    const response = await fetch(`${origin}/health/ready`);
    expect([response.status, await response.json()]).toEqual([503, { ready: false }]);
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
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
    const second = createAdminServer(() => report, silentLog);
    await expect(second.listen(port, '127.0.0.1')).rejects.toThrow(/EADDRINUSE/);
  });
});
