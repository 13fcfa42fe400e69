import { cpSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command } from 'commander';
import { simpleParser } from 'mailparser';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { CommandStopped } from '../../src/cli/command-stopped.ts';
import { addLeadPreviewCommand } from '../../src/cli/lead-preview.ts';
import { openInventoryStore } from '../../src/inventory/store.ts';

const PROGRAM = fileURLToPath(new URL('../../', import.meta.url));
const sample = (name: string): string => join(PROGRAM, 'samples', 'leads', `${name}.json`);
const FIXED = ['--lead-id', 'lead_0001', '--received-at', '2026-04-30T11:05:10Z'];

let folder: string;
let data: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'lead-preview-'));
  data = join(folder, 'data');
});

afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true, force: true });
});

interface Run {
  out: string;
  err: string;
  exitCode: number;
}

async function preview(...words: string[]): Promise<Run> {
  const out: string[] = [];
  const err: string[] = [];
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => out.push(String(text)) > 0);
  vi.spyOn(console, 'error').mockImplementation((text: string) => void err.push(text));
  const lead = new Command('lead').exitOverride();
  addLeadPreviewCommand(lead);
  let exitCode = 0;
  try {
    await lead.parseAsync(['preview', '--data', data, ...words], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommandStopped)) throw error;
    exitCode = error.exitCode;
  } finally {
    vi.restoreAllMocks();
  }
  return { out: out.join(''), err: err.join('\n'), exitCode };
}

/** The demo's settings with more destinations. */
function configWith(destinations: string): string {
  const config = join(folder, 'config');
  cpSync(join(PROGRAM, 'config'), config, { recursive: true });
  cpSync(join(PROGRAM, 'samples', 'feeds'), join(folder, 'samples', 'feeds'), { recursive: true });
  const file = join(config, 'bridge.yaml');
  const text = readFileSync(file, 'utf8');
  writeFileSync(
    file,
    text.replace(/^ {2}destinations:\n/m, (line) => `${line}${destinations}`),
  );
  return file;
}

const MAIL_DESTINATION = `    - id: crm-mail
      adapter: adf-email
      options:
        smtp: { host: smtp.example.com, user: u, password: top-secret }
        from: { name: Harbor Point, address: leads@harborpoint.example }
        to: [{ address: store@crm.example }]
        adf: { names: full }
`;

describe('lead preview', () => {
  test('prints the ADF of a bare payload, and touches nothing', async () => {
    const { out, err, exitCode } = await preview(sample('general-question'), ...FIXED);
    expect([err, exitCode]).toEqual(['', 0]);
    expect(out).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n[\s\S]*<\/adf>\n$/);
    expect(out).toContain('>lead_0001</id>');
    expect(out).toContain('<vendorname>Harbor Point Motors</vendorname>');
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is the same for the whole JSON-RPC call', async () => {
    const payload = JSON.parse(readFileSync(sample('vin-only'), 'utf8')) as object;
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'hi' }, { data: payload }] } },
    };
    const file = join(folder, 'call.json');
    writeFileSync(file, `\uFEFF${JSON.stringify(call)}`);
    expect((await preview(file, ...FIXED)).out).toBe((await preview(sample('vin-only'), ...FIXED)).out);
  });

  test('shows the mail of a destination by mail', async () => {
    const config = configWith(MAIL_DESTINATION);
    const words = [sample('general-question'), '--config', config, '--destination', 'crm-mail', ...FIXED];
    const adf = await preview(...words);
    expect([adf.err, adf.exitCode]).toEqual(['', 0]);
    expect(adf.out).toContain('<name part="full" type="individual">Anna Kowalska</name>');
    const { out } = await preview(...words, '--mail');
    expect(out.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(out).not.toContain('top-secret');
    const mail = await simpleParser(out);
    expect(mail.text).toBe(adf.out);
    expect(mail.subject).toBe('New lead for Harbor Point Motors');
    expect(mail.from!.value[0]!.address).toBe('leads@harborpoint.example');
  });

  test('shows the mail that adf-email would write for any other destination', async () => {
    const { out, err, exitCode } = await preview(
      sample('general-question'),
      '--destination',
      'demo-crm',
      '--mail',
      ...FIXED,
    );
    expect(exitCode).toBe(0);
    expect(err).toContain('demo-crm gets its leads another way than by mail');
    const mail = await simpleParser(out);
    expect(mail.text).toBe((await preview(sample('general-question'), ...FIXED)).out);
    expect(mail.messageId).toMatch(/^<lead_0001@/);
  });

  test('an unknown destination is told with those that there are', async () => {
    const { err, exitCode, out } = await preview(sample('vin-only'), '--destination', 'nowhere');
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toContain('nowhere');
    expect(err).toContain('demo-crm');
  });

  test('every fault of a lead is told', async () => {
    const file = join(folder, 'lead.json');
    writeFileSync(
      file,
      JSON.stringify({ type: 'lead.submit.request', customer: { first_name: 1 }, extra: true }),
    );
    const { err, exitCode, out } = await preview(file);
    expect([exitCode, out]).toEqual([1, '']);
    for (const place of ['consent', 'source_agent', 'extra', 'customer.first_name', 'last_name']) {
      expect(err).toContain(place);
    }
  });

  test.each([
    ['not JSON', '{'],
    ['nothing', ''],
    ['no object', '[1]'],
  ])('a file with %s is a fault, not a crash', async (_, content) => {
    const file = join(folder, 'lead.json');
    writeFileSync(file, content);
    expect((await preview(file)).exitCode).toBe(1);
  });

  test('a file that is not there is told before anything else', async () => {
    await expect(preview(join(folder, 'missing.json'))).rejects.toThrow('There is no such file.');
  });

  test('finds our listing and its rooftop in the inventory, and leaves the inventory as it is', async () => {
    mkdirSync(data);
    const file = join(data, 'inventory.db');
    const store = openInventoryStore(file);
    const run = await store.beginRun({
      runId: 'run_1',
      feedId: 'lakeview',
      mode: 'full',
      confirmedAt: Date.parse('2026-04-30T08:00:00Z'),
    });
    await run.stage([
      {
        row: 1,
        line: 2,
        key: '1HGCY2F57RA000001',
        rooftopId: 'LPO03',
        identity: 'vin:1HGCY2F57RA000001',
        vehicle: { vin: '1HGCY2F57RA000001', year: 2022, make: 'Honda', model: 'Civic', status: 'available' },
        contentHash: 'h',
      },
    ]);
    await run.apply({ removeAbsent: true });
    store.close();
    const before = readFileSync(file);
    const { out, err, exitCode } = await preview(sample('vin-only'), ...FIXED);
    expect([err, exitCode]).toEqual(['', 0]);
    expect(out).toContain('<make>Honda</make>');
    expect(out).toContain('<vendorname>Lakeview Pre-Owned</vendorname>');
    expect(readdirSync(data)).toEqual(['inventory.db']);
    expect(readFileSync(file).equals(before)).toBe(true);
  });

  test('goes on without a listing when the inventory cannot be read', async () => {
    mkdirSync(data);
    writeFileSync(
      join(data, 'inventory.db'),
      'this is no database, and long enough to be taken for one'.repeat(20),
    );
    const { out, err, exitCode } = await preview(sample('vin-only'), ...FIXED);
    expect(exitCode).toBe(0);
    expect(err).toMatch(/^The vehicle was not looked up: /);
    expect(out).toContain('<vin>1HGCY2F57RA000001</vin>');
  });
});
