import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLog } from '../../src/runtime/logging.ts';

let dataFolder: string;
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'log-'));
});
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

it('a line is in the file when the call returns, without customer data', () => {
  const log = openLog({ dataFolder, level: 'info' });
  log.info({ lead_id: 'lead_1', customer: { email: 'a@b.example' } }, 'lead taken');
  log.debug({}, 'not at this level');
  const lines = readFileSync(log.file, 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    lead_id: 'lead_1',
    customer: '[removed]',
    msg: 'lead taken',
  });
});

// Linux gives a device on which every write ends with "no space left".
it.skipIf(!existsSync('/dev/full'))('a full disk loses lines and nothing else', () => {
  mkdirSync(join(dataFolder, 'logs'));
  symlinkSync('/dev/full', join(dataFolder, 'logs', 'bridge.log'));
  const log = openLog({ dataFolder, level: 'info' });
  expect(() => log.info({}, 'one')).not.toThrow();
  expect(() => log.info({}, 'two')).not.toThrow();
});
