import { mkdirSync, mkdtempSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import type { HealthReport } from '../../src/web/health-report.ts';
import { BridgeProcess, eventually } from './bridge-process.ts';
import { leadRequest, writeDealership } from './dealership.ts';

const DAY = 86_400_000;
const PICKUP = `    - id: pickup
      adapter: adf-file
      options: { folder: pickup }`;

/** A bridge with a lead that was delivered 100 days ago by its clock, and a log file of that time; stopped. */
async function stoppedBridge() {
  const configFile = writeDealership(PICKUP);
  const dataFolder = mkdtempSync(join(tmpdir(), 'clock-'));
  const bridge = new BridgeProcess({ configFile, dataFolder });
  onTestFinished(() => bridge.dispose());
  await bridge.start();
  await bridge.ask(leadRequest());
  await eventually('the lead is delivered', async () => {
    const metrics = await (await fetch(`${bridge.adminUrl}/metrics`)).text();
    return metrics.includes('deliveries{state="delivered"} 1') ? true : undefined;
  });
  await bridge.stop();
  const then = Date.now() - 100 * DAY;
  onDatabase(dataFolder, (database) => {
    database.prepare('UPDATE leads SET received_at = ?').run(then);
    database.prepare('UPDATE deliveries SET queued_at = ?, settled_at = ?').run(then, then);
    database.prepare('UPDATE attempts SET started_at = ?, finished_at = ?').run(then, then);
  });
  mkdirSync(join(dataFolder, 'logs'), { recursive: true });
  const oldLog = join(dataFolder, 'logs', 'bridge-20260101-0001.log');
  writeFileSync(oldLog, 'old\n');
  utimesSync(oldLog, then / 1000, then / 1000);
  const seen = (seenAt: number) => writeFileSync(bridge.path('clock.json'), JSON.stringify({ seenAt }));
  const left = () => ({
    erased: onDatabase(dataFolder, (database) =>
      database.prepare('SELECT erased_at IS NOT NULL FROM leads').pluck().get(),
    ),
    oldLog: readdirSync(join(dataFolder, 'logs')).includes('bridge-20260101-0001.log'),
  });
  const words = ['--config', configFile, '--data', dataFolder];
  return { bridge, seen, left, then, words };
}

function onDatabase<T>(dataFolder: string, work: (database: Database.Database) => T): T {
  const database = new Database(join(dataFolder, 'leads.db'));
  try {
    return work(database);
  } finally {
    database.close();
  }
}

it('erases no customer and no log when the clock says that months have passed, and says so', async () => {
  const { bridge, seen, left, then, words } = await stoppedBridge();
  seen(then);
  const refused = await runCommand(['leads', 'erase-due', ...words]);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('Nothing was erased: the clock says');
  await bridge.start();
  await eventually('the upkeep has said no', async () =>
    (await bridge.log()).includes('no customer data is erased') ? true : undefined,
  );
  const health = (await (await fetch(`${bridge.adminUrl}/health`)).json()) as HealthReport;
  expect(health.checks.find(({ key }) => key === 'clock')).toMatchObject({ status: 'warn' });
  expect(health.clock.jump).toMatchObject({ kind: 'ahead' });
  await bridge.stop();
  // Another start is no proof.
  await bridge.start();
  await bridge.stop();
  expect(left()).toEqual({ erased: 0, oldLog: true });

  const trusted = await runCommand(['leads', 'erase-due', '--trust-clock', ...words]);
  expect(trusted).toMatchObject({ code: 0, out: 'Erased the customer of 1 lead.\n' });
});

it('goes by the last lead where nothing is remembered, as after a restore', async () => {
  const { bridge, left } = await stoppedBridge();
  writeFileSync(bridge.path('clock.json'), '');
  await bridge.start();
  await bridge.stop();
  expect(left()).toEqual({ erased: 0, oldLog: true });
});

it('erases both when the bridge has run until lately', async () => {
  const { bridge, seen, left } = await stoppedBridge();
  seen(Date.now() - DAY);
  await bridge.start();
  await eventually('the customer is erased', () => (left().erased === 1 ? true : undefined));
  expect(left()).toEqual({ erased: 1, oldLog: false });
});
