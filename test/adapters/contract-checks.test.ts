import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkAdapter, type CheckLimits } from '../../src/adapters/contract-checks.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'contract-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const LEAD = {
  lead_id: 'lead_1',
  received_at: '2026-04-30T10:15:00Z',
  request: {
    customer: { first_name: 'Anna', last_name: 'Lee' },
    message: 'Hello',
    source_agent: { name: 'a' },
  },
};
const DELIVERY = {
  kind: 'http',
  method: 'POST',
  url: 'https://crm.example/leads',
  headers: { 'Content-Type': 'application/json' },
  body: '{"id":"lead_1","message":"Hello"}',
  timeoutMs: 1000,
};
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    url: { description: 'Where.', type: 'string', default: 'https://crm.example/leads' },
    token: { description: 'Who.', type: 'string', default: 'token-of-the-dealer' },
  },
};
const CODE = {
  check: '() => []',
  build: `(lead, options) => ({
    kind: 'http', method: 'POST', url: options.url, headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ id: lead.lead_id, message: lead.request.message }), timeoutMs: 1000 })`,
  classify: `(outcome) => {
    if (outcome.sent === 'maybe') return { state: 'uncertain', reason: 'no answer' };
    const ok = outcome.sent === 'yes' && outcome.status >= 200 && outcome.status < 300;
    return { state: ok ? 'delivered' : 'retry', reason: 'told' }; }`,
};
const READ = `async *read(text, options, context) {
  let rest = '', number = 0, row = 0;
  const line = (content) => ({ row: ++row, line: number, cells: new Map([['stock', [content]]]) });
  for await (const chunk of text) {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const content of lines) { number++; yield line(content); }
  }
  if (rest !== '') { number++; yield line(rest); }
}`;

/** What the checks find in an adapter whose code and files are these: `check: message`. */
async function problemsOf(
  code: string,
  files: Record<string, unknown>,
  limits?: CheckLimits,
): Promise<string[]> {
  const folder = join(root, 'acme');
  const all: Record<string, unknown> = { 'adapter.js': code, 'options.schema.json': SCHEMA, ...files };
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  }
  const { results } = await checkAdapter(folder, limits);
  return results.flatMap(({ check, problems }) => problems.map(({ message }) => `${check}: ${message}`));
}

function crm(
  code: Partial<typeof CODE> & { top?: string } = {},
  files: Record<string, unknown> = {},
  limits?: CheckLimits,
): Promise<string[]> {
  const { top = '', ...functions } = { ...CODE, ...code };
  const members = Object.entries(functions).map(([name, text]) => `${name}: ${text}`);
  const manifest = { name: 'acme', kind: 'crm', version: '1.0.0', contract: 1 };
  return problemsOf(
    `${top}\nexport default { ${members.join(',\n')} };`,
    {
      'adapter.json': manifest,
      'fixtures/plain.lead.json': LEAD,
      'fixtures/plain.delivery.json': DELIVERY,
      ...files,
    },
    limits,
  );
}

function reader(read = READ, files: Record<string, unknown> = {}): Promise<string[]> {
  const row = (number: number, stock: string) => ({ row: number, line: number, cells: { stock: [stock] } });
  return problemsOf(`export default { ${read} };`, {
    'adapter.json': { name: 'acme', kind: 'feed-reader', version: '1.0.0', contract: 1 },
    'fixtures/two.txt': '00417\n1E5',
    'fixtures/two.rows.json': { columns: [], warnings: [], rows: [row(1, '00417'), row(2, '1E5')] },
    ...files,
  });
}

const BUILD = `(${CODE.build})(lead, options)`;

describe('the checks of a CRM adapter', () => {
  it('are content with one that keeps the contract', async () => {
    expect(await crm()).toEqual([]);
  });

  it.each<[string, Partial<typeof CODE> & { top?: string }, string]>([
    ['a build that throws', { build: `(lead) => lead.request.trade_in.make` }, 'leads: fixture plain'],
    [
      'a build that breaks on hostile texts',
      { build: `(lead, options) => ({ ...${BUILD}, body: '{"message":"' + lead.request.message + '"}' })` },
      'leads: lead "markup" with the options of fixture plain (and ',
    ],
    [
      'XML that is not escaped',
      {
        build: `(lead, options) => ({ ...${BUILD}, headers: { 'Content-Type': 'text/xml' }, body: '<a>' + lead.request.message + '</a>' })`,
      },
      'the content is no well-formed XML',
    ],
    [
      'a header with a line break of the buyer',
      { build: `(lead, options) => ({ ...${BUILD}, headers: { 'X-Name': lead.request.message ?? '' } })` },
      'the header "X-Name" holds characters',
    ],
    [
      'a file name that leads elsewhere',
      {
        build: `(lead) => ({ kind: 'file', folder: 'out', name: (lead.request.message ?? '') + '.txt', content: '' })`,
      },
      'name is no plain file name',
    ],
    [
      'a mail to the customer',
      {
        build: `(lead) => ({ kind: 'email', server: { host: 'mail.example', port: 25, security: 'none', timeoutMs: 1 },
          from: { name: '', address: 'a@b.example' }, to: [{ name: '', address: lead.request.customer.email ?? 'c@d.example' }],
          subject: 'x', text: 'x', attachments: [], messageId: 'a@b', date: lead.received_at })`,
      },
      `addresses: lead "marked" with the options of fixture plain`,
    ],
    ['a build that answers later', { build: 'async () => ({})' }, 'leads: fixture plain (and '],
    ['a kind that is none', { build: `() => ({ kind: 'fax' })` }, 'kind must be email, http, file or sftp'],
    [
      'a huge delivery',
      { build: `(lead, options) => ({ ...${BUILD}, headers: {}, body: 'x'.repeat(3000000) })` },
      '2097152 is the most',
    ],
    [
      'a build that changes the lead',
      { build: `(lead, options) => { lead.request.message = 'x'; return ${BUILD}; }` },
      'input: fixture plain (and ',
    ],
    [
      'a classify that changes its options',
      { classify: `(outcome, options) => { options.seen = 1; return (${CODE.classify})(outcome); }` },
      'input: fixture plain, answer',
    ],
    [
      'a build that counts its calls',
      {
        top: 'let calls = 0;',
        build: `(lead, options) => ({ ...${BUILD}, headers: { 'X-Call': String(++calls) } })`,
      },
      'repeats: fixture plain (and ',
    ],
    [
      'a date of when it was loaded',
      {
        top: 'const day = new Date().getFullYear();',
        build: `(lead, options) => ({ ...${BUILD}, headers: { 'X-Day': String(day) } })`,
      },
      'gives something else on another day, in another time zone or language, at headers.X-Day',
    ],
    [
      'local time of the machine',
      {
        build: `(lead, options) => ({ ...${BUILD}, headers: { 'X-Hour': String(new Date(lead.received_at).getHours()) } })`,
      },
      'gives something else on another day, in another time zone or language, at headers.X-Hour',
    ],
    [
      'the clock',
      { build: `(lead, options) => { Date.now(); return ${BUILD}; }` },
      'pure: build uses the clock (Date)',
    ],
    [
      'a clock kept from before',
      { top: 'const now = Date.now;', build: `(lead, options) => { now(); return ${BUILD}; }` },
      'pure: build uses the clock (Date)',
    ],
    [
      'randomness',
      { build: `(lead, options) => { Math.random(); return ${BUILD}; }` },
      'pure: build uses randomness (Math.random)',
    ],
    [
      'a random id',
      {
        top: `import { randomUUID } from 'node:crypto';`,
        build: `(lead, options) => { randomUUID(); return ${BUILD}; }`,
      },
      'pure: build uses randomness (node:crypto)',
    ],
    [
      'the network',
      { check: `() => { try { fetch('http://127.0.0.1:9') } catch {} return [] }` },
      'pure: check uses fetch',
    ],
    [
      'a file',
      {
        top: `import { existsSync } from 'node:fs';`,
        check: `() => { try { existsSync('/etc') } catch {} return [] }`,
      },
      'pure: check uses node:fs existsSync',
    ],
    [
      'a socket',
      {
        top: `import net from 'node:net';`,
        classify: `(outcome) => { try { net.connect(9) } catch {} return (${CODE.classify})(outcome); }`,
      },
      'pure: classify uses node:net connect',
    ],
    [
      'the environment',
      { classify: `(outcome) => { process.env.HOME; return (${CODE.classify})(outcome); }` },
      'pure: classify uses process.env',
    ],
    [
      'the console',
      { build: `(lead, options) => { try { console.log(lead) } catch {} return ${BUILD}; }` },
      'pure: build uses console.log',
    ],
    [
      'work left for later',
      {
        build: `(lead, options) => { Promise.resolve().then(() => fetch('http://127.0.0.1:9')).catch(() => {}); return ${BUILD}; }`,
      },
      'pure: work left for later uses fetch',
    ],
    [
      'a verdict that is none',
      { classify: `() => ({ state: 'lost', reason: 'x' })` },
      'classify answers with an unknown state',
    ],
    [
      'a verdict without reason',
      { classify: `() => ({ state: 'retry', reason: ' ' })` },
      'classify answers with no reason',
    ],
    ['no verdict', { classify: '() => undefined' }, 'classify answers with no verdict'],
    [
      'a wait that is none',
      { classify: `() => ({ state: 'retry', reason: 'x', retryAfterMs: NaN })` },
      'a retryAfterMs that is no wait',
    ],
    [
      'a reference that is no text',
      { classify: `() => ({ state: 'retry', reason: 'x', reference: 5 })` },
      'a reference that is no text',
    ],
    [
      'a classify that trusts every body',
      { classify: `(outcome) => (JSON.parse(outcome.body ?? '{}'), (${CODE.classify})(outcome))` },
      'verdicts: fixture plain, answer',
    ],
    [
      'delivered for a login page',
      {
        classify: `(outcome) => ({ state: outcome.sent === 'yes' ? 'delivered' : outcome.sent === 'no' ? 'retry' : 'uncertain', reason: 'x' })`,
      },
      '"delivered" for status 302',
    ],
    [
      'a lead given up for an expired password',
      {
        classify: `(outcome) => outcome.status === 401 ? { state: 'rejected', reason: 'x' } : (${CODE.classify})(outcome)`,
      },
      '"rejected", for good, for status 401',
    ],
    [
      'certainty where there is none',
      {
        classify: `(outcome) => outcome.sent === 'maybe' ? { state: 'retry', reason: 'x' } : (${CODE.classify})(outcome)`,
      },
      'of which nobody knows whether it arrived',
    ],
    [
      'delivered where nothing was sent',
      {
        classify: `(outcome) => outcome.sent === 'no' ? { state: 'delivered', reason: 'x' } : (${CODE.classify})(outcome)`,
      },
      'that was certainly not taken',
    ],
    [
      'a secret in a verdict',
      {
        classify: `(outcome, options) => ({ ...(${CODE.classify})(outcome), reason: 'with ' + options.token })`,
      },
      'secrets: fixture plain, answer',
    ],
    [
      'a check that throws',
      { check: `() => { throw new Error('ouch') }` },
      'options: fixture plain: check throws: ouch',
    ],
    [
      'a check that refuses the fixture',
      { check: `() => [{ code: 'x', message: 'too old' }]` },
      'fixtures: fixture plain: check refuses its options: too old',
    ],
  ])('find %s', async (_name, code, expected) => {
    expect((await crm(code)).join('\n')).toContain(expected);
  });

  it('find a call that never comes back, and say which', async () => {
    const build = `(lead, options) => { while (lead.request.message?.includes('CDATA')) ; return ${BUILD}; }`;
    const problems = await crm({ build }, {}, { callMs: 2000, totalMs: 6000 });
    expect(problems).toContain(
      'bounds: lead "markup" with the options of fixture plain: build: no end within 6 s. The checks after it were not made.',
    );
  });

  it('find code that never ends when it is read, long before all checks would have to be done', async () => {
    const problems = await crm({ top: 'for (;;);' }, {}, { callMs: 2000, totalMs: 120_000, stepMs: 5000 });
    expect(problems).toEqual([
      'bounds: importing the code: no end within 5 s. The checks after it were not made.',
    ]);
  });

  it('find a call that takes too long', async () => {
    const build = `(lead, options) => { let n = 0; for (let i = 0; i < 6e7; i++) n += i % 7; return ${BUILD}; }`;
    const problems = await crm({ build }, {}, { callMs: 20, totalMs: 120_000 });
    expect(problems.join('\n')).toMatch(/bounds: .*build took \d+ ms of processor time; 20 ms is the most/);
  });

  it('find an adapter that ends the program', async () => {
    const problems = await crm({ top: 'process.exit(0);' });
    expect(problems).toEqual([
      'bounds: importing the code: the process ended (exit code 0). The checks after it were not made.',
    ]);
  });

  it('find settings that nobody explained, and unknown ones that are taken', async () => {
    const schema = {
      type: 'object',
      properties: {
        url: { type: 'string', default: 'https://crm.example/leads' },
        token: { $ref: '#/$defs/none' },
      },
      $defs: { none: { type: 'string' } },
    };
    const problems = await crm({}, { 'options.schema.json': schema });
    expect(problems).toEqual([
      expect.stringContaining('options: options.schema.json: it takes unknown keys'),
      'options: options.schema.json: url has no description.',
      'options: options.schema.json: token has no description.',
    ]);
  });

  it('show where a delivery or a verdict differs from the expected one', async () => {
    const body = '{"id":"lead_1","message":"Hallo"}';
    const outcome = { kind: 'http', sent: 'yes', status: 200 };
    const problems = await crm(
      {},
      {
        'fixtures/plain.delivery.json': { ...DELIVERY, body },
        'fixtures/plain.answers.json': [{ outcome, verdict: { state: 'delivered', reason: 'taken' } }],
      },
    );
    expect(problems).toEqual([
      'fixtures: fixture plain: build gives another delivery than plain.delivery.json at body (line 1): got "ello\\"}", expected "allo\\"}".',
      `fixtures: fixture plain, answer ${JSON.stringify(outcome)}: classify gives another verdict than expected at reason (line 1): got "old", expected "aken".`,
    ]);
  });

  it('tell fixtures that are missing or do not fit', async () => {
    expect(await crm({}, { 'fixtures/plain.delivery.json': undefined })).toEqual([
      'fixtures: plain.delivery.json is missing.',
    ]);
    expect(await crm({}, { 'fixtures/plain.options.json': { url: 1 } })).toEqual([
      expect.stringContaining('fixtures: fixture plain: url: must be text, not a number'),
    ]);
    await rm(join(root, 'acme'), { recursive: true });
    expect(await crm({}, { 'fixtures/plain.lead.json': undefined })).toEqual([
      'fixtures: there is no fixture: no file *.lead.json.',
    ]);
  });

  it('tell an adapter that does not load, and nothing else', async () => {
    expect(await crm({ top: `import './missing.js';` })).toEqual([
      expect.stringContaining('loads: adapter.js does not load: Cannot find module'),
    ]);
    expect(await crm({ top: `throw new Error('no licence');` })).toEqual([
      'loads: adapter.js does not load: no licence.',
    ]);
  });
});

describe('the checks of a feed reader', () => {
  it('are content with one that keeps the contract', async () => {
    expect(await reader()).toEqual([]);
  });

  it.each<[string, string, string]>([
    [
      'a reader that takes a chunk for a line',
      `async *read(text) { let row = 0; for await (const chunk of text) for (const line of chunk.split('\\n')) { row++; yield { row, line: row, cells: new Map([['stock', [line]]]) }; } }`,
      'chunks: fixture two, cut after 1 characters',
    ],
    ['numbers where texts were', READ.replace('[content]', '[Number(content)]'), 'rows: fixture two'],
    [
      'a column that is not normalised',
      READ.replace("'stock'", "'Stock No'"),
      'the column "Stock No" is not normalised',
    ],
    ['rows that are not counted', READ.replace('++row', '7'), 'rows: fixture two (and '],
    [
      'a crash on an empty file',
      READ.replace(
        "if (rest !== '')",
        "if (number + rest.length === 0) throw new Error('no rows'); if (rest !== '')",
      ),
      'files: "no text at all" with the options of fixture two (and ',
    ],
    [
      'a crash on a file cut off',
      READ.replace("if (rest !== '')", "if (rest === '1') throw new Error('half'); if (rest !== '')"),
      'files: fixture two cut off after 7 characters',
    ],
    [
      'memory between two files',
      `calls: 0, ${READ.replace("let rest = ''", "let rest = String(this.calls++ % 2 || '')")}`,
      'repeats: fixture two, the second time',
    ],
    ['the clock', READ.replace('let rest', 'Date.now(); let rest'), 'pure: read uses the clock (Date)'],
    [
      'the disk',
      READ.replace('let rest', `process.cwd.call(process); let rest`),
      'pure: read uses process.cwd',
    ],
    ['options that it changes', READ.replace('let rest', 'options.seen = 1; let rest'), 'input: fixture two'],
  ])('find %s', async (_name, read, expected) => {
    expect((await reader(read)).join('\n')).toContain(expected);
  });

  it('find rows other than the expected ones', async () => {
    expect((await reader(READ, { 'fixtures/two.txt': '417\n1E5' })).join('\n')).toContain(
      'fixtures: fixture two: read gives something else than two.rows.json at rows[0].cells.stock[0]',
    );
  });
});
