import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
const lines = (): Record<string, unknown>[] =>
  readLogs(dataFolder)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

it('a line is in the file when the call returns, without customer data', () => {
  const log = open();
  log.info({ lead_id: 'lead_1', customer: { email: 'a@b.example' } }, 'lead taken');
  log.debug({}, 'not at this level');
  expect(lines()).toHaveLength(1);
  expect(lines()[0]).toMatchObject({
    level: 'info',
    lead_id: 'lead_1',
    customer: '[removed]',
    msg: 'lead taken',
  });
});

it('a folder that cannot be made loses lines and nothing else, and tells how many', () => {
  writeFileSync(join(dataFolder, 'logs'), 'a file stands in the way');
  const log = open();
  log.info({}, 'one');
  log.info({}, 'two');
  expect(log.loss).toEqual({ lines: 2, fault: 'EEXIST' });
});

describe('the fence lets through', () => {
  it('no field of a customer or a login, however deep, and leaves the facts as they were', () => {
    const facts = {
      lead: { id: 7, customer: { first_name: 'Wilma' }, tries: [{ body: 'text', status: 200 }] },
      authorization: 'Bearer x1',
    };
    open().info(facts, 'm');
    expect(lines()[0]).toMatchObject({
      lead: { id: 7, customer: '[removed]', tries: [{ body: '[removed]', status: 200 }] },
      authorization: '[removed]',
    });
    expect(facts.lead.customer.first_name).toBe('Wilma');
  });

  it('of an error what it is, where and why, and nothing that hangs on it', () => {
    const fault = Object.assign(new Error('the CRM hung up', { cause: new TypeError('no socket') }), {
      code: 'ECONNRESET',
      response: { data: 'Wilma Underhill' },
    });
    open().error({ err: fault, request_id: 'r1' }, 'call failed');
    expect(lines()[0]).toMatchObject({
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
  ])('%j as %j', (reason, expected) => {
    open().info({ reason }, 'm');
    expect(lines()[0]?.reason).toBe(expected);
  });

  it('no secret of the settings, as it is, as JSON writes it, or as a web address does', () => {
    const log = open(['pass"word\\7', 'two words/7', 'first-line\nsecond-line', 'tiny']);
    log.info({ a: 'x pass"word\\7 y', b: 'q=two%20words%2F7', c: 'second-line', d: 'tiny' }, 'two words/7');
    expect(lines()[0]).toMatchObject({
      a: 'x [removed] y',
      b: 'q=[removed]',
      c: '[removed]',
      d: 'tiny',
      msg: '[removed]',
    });
  });
});
