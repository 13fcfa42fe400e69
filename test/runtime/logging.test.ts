import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as endOfTurn } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BridgeLog, openLog } from '../../src/runtime/logging.ts';
import { readLogs } from './read-logs.ts';

const SETTINGS = {
  level: 'info',
  max_file_mb: 20,
  max_files: 100,
  max_total_mb: 500,
  keep_days: 30,
} as const;

let dataFolder: string;
beforeEach(() => {
  dataFolder = mkdtempSync(join(tmpdir(), 'log-'));
});
afterEach(() => rmSync(dataFolder, { recursive: true, force: true }));

const open = (secrets: string[] = []): BridgeLog => openLog({ dataFolder, log: SETTINGS, secrets });
/** What stands in the files at the end of this turn of the event loop. */
const lines = async (): Promise<Record<string, unknown>[]> => {
  await endOfTurn();
  return readLogs(dataFolder)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
};

it('a line is in the file when the turn ends, a warning at once, without customer data', async () => {
  const log = open();
  log.info({ lead_id: 'lead_1', customer: { email: 'a@b.example' } }, 'lead taken');
  log.debug({}, 'not at this level');
  expect(await lines()).toHaveLength(1);
  expect((await lines())[0]).toMatchObject({
    level: 'info',
    lead_id: 'lead_1',
    customer: '[removed]',
    msg: 'lead taken',
  });
  log.info({}, 'and then');
  log.warn({}, 'a thing broke');
  expect(readLogs(dataFolder)).toMatch(/and then.*\n.*a thing broke/);
});

it('a folder that cannot be made loses lines and nothing else, and tells how many', () => {
  writeFileSync(join(dataFolder, 'logs'), 'a file stands in the way');
  const log = open();
  log.info({}, 'one');
  log.info({}, 'two');
  expect(log.loss).toEqual({ lines: 2, fault: 'EEXIST' });
});

describe('the fence lets through', () => {
  it('no field of a customer or a login, however deep, and leaves the facts as they were', async () => {
    const facts = {
      lead: { id: 7, customer: { first_name: 'Wilma' }, tries: [{ body: 'text', status: 200 }] },
      authorization: 'Bearer x1',
    };
    open().info(facts, 'm');
    expect((await lines())[0]).toMatchObject({
      lead: { id: 7, customer: '[removed]', tries: [{ body: '[removed]', status: 200 }] },
      authorization: '[removed]',
    });
    expect(facts.lead.customer.first_name).toBe('Wilma');
  });

  it('of an error what it is, where and why, and nothing that hangs on it', async () => {
    const fault = Object.assign(new Error('the CRM hung up', { cause: new TypeError('no socket') }), {
      code: 'ECONNRESET',
      response: { data: 'Wilma Underhill' },
    });
    open().error({ err: fault, request_id: 'r1' }, 'call failed');
    expect((await lines())[0]).toMatchObject({
      request_id: 'r1',
      err: {
        type: 'Error',
        message: 'the CRM hung up',
        code: 'ECONNRESET',
        stack: expect.stringContaining('logging.test.ts') as string,
        cause: { type: 'TypeError', message: 'no socket' },
      },
    });
    expect(readLogs(dataFolder)).not.toContain('Underhill');
  });

  it.each([
    ['550 no such user wilma.u+7@mail.example.com', '550 no such user [address]'],
    ['sent Authorization: Bearer eyJhbGciOi.J9-1_x', 'sent Authorization: Bearer [removed]'],
    ['Basic bGVhZHM6c2VjcmV0cw== was refused', 'Basic [removed] was refused'],
    ['basic authentication is disabled', 'basic authentication is disabled'],
    ['GET https://me:pass@feeds.example/x.csv', 'GET https://[removed]@feeds.example/x.csv'],
    ['at node_modules/@scope/package/index.js', 'at node_modules/@scope/package/index.js'],
  ])('%j as %j', async (reason, expected) => {
    open().info({ reason }, 'm');
    expect((await lines())[0]?.reason).toBe(expected);
  });

  it('no secret of the settings, as it is, as JSON writes it, or as a web address does', async () => {
    const log = open(['pass"word\\7', 'two words/7', 'first-line\nsecond-line', 'tiny']);
    log.info({ a: 'x pass"word\\7 y', b: 'q=two%20words%2F7', c: 'second-line', d: 'tiny' }, 'two words/7');
    expect((await lines())[0]).toMatchObject({
      a: 'x [removed] y',
      b: 'q=[removed]',
      c: '[removed]',
      d: 'tiny',
      msg: '[removed]',
    });
  });
});
