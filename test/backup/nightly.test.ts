import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startBackups } from '../../src/bridge/backups.ts';
import { loadConfig } from '../../src/config/load.ts';
import { silentLog } from '../../src/model/log.ts';
import { lookAtBackups } from '../../src/runtime/backup/backup-health.ts';
import { writeDealership } from '../e2e/dealership.ts';
import { dataFolderWithLeads } from './backup-bench.ts';

const DAY = 86_400_000;

async function configOf(dataFolder: string) {
  const file = writeDealership('    - { id: crm, adapter: adf-file, options: { folder: out } }');
  const loaded = await loadConfig({ file, environment: {}, dataFolder });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.value;
}

it('a running bridge makes the backup that is due in a thread of its own', async () => {
  const bench = dataFolderWithLeads();
  await bench.submit(1);
  const config = await configOf(bench.dataFolder);
  expect(config.backup).toEqual({
    enabled: true,
    at: '02:30',
    folder: join(bench.dataFolder, 'backups'),
    keep_daily: 7,
    keep_weekly: 4,
    inventory: 'when_small',
  });
  // A clock that is set forward: the time after the start in which nothing is begun is over at once.
  let now = Date.now() - DAY;
  const backups = await startBackups(() => config, {
    version: '1.2.3',
    clock: { now: () => now },
    log: silentLog,
  });
  onTestFinished(() => backups.stop());
  expect(await backups.health()).toEqual({ enabled: true, overdue: false });
  now = Date.now();
  await backups.look();
  const health = await backups.health();
  expect(health.lastGood?.name).toMatch(/^\d{8}T\d{6}Z$/);
  expect(health.lastFailure).toBeUndefined();
});

it('a bridge that stops gives the backup up, and nothing of it counts', async () => {
  const bench = dataFolderWithLeads();
  const config = await configOf(bench.dataFolder);
  let now = Date.now() - DAY;
  const backups = await startBackups(() => config, {
    version: '1.2.3',
    clock: { now: () => now },
    log: silentLog,
  });
  now = Date.now();
  const looking = backups.look();
  await backups.stop();
  await looking;
  const { lastFailure } = await lookAtBackups({ enabled: true, ...bench.plan }, now);
  expect(lastFailure).toBeUndefined();
});

it('none for two days is told, on a new machine two days after the first start', async () => {
  const bench = dataFolderWithLeads();
  const config = await configOf(bench.dataFolder);
  const start = Date.now();
  const clock = { now: () => start };
  const backups = await startBackups(() => config, { version: '1.2.3', clock, log: silentLog });
  await backups.stop();
  const look = (now: number, enabled = true) => lookAtBackups({ enabled, ...bench.plan }, now);
  expect((await look(start + 2 * DAY)).overdue).toBe(false);
  expect((await look(start + 2 * DAY + 1)).overdue).toBe(true);
  expect((await look(start + 9 * DAY, false)).overdue).toBe(false);
  await bench.backUp(start + DAY);
  expect((await look(start + 2 * DAY + 1)).overdue).toBe(false);
  writeFileSync(join(bench.dataFolder, 'backup-state.json'), '{ spoilt');
  expect((await look(start + DAY)).lastGood?.at).toBe(Math.floor(start + DAY));
});
