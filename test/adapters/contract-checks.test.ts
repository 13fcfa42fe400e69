import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkCrmAdapter } from '../../src/adapters/contract-checks.ts';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'contract-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const LEAD = { lead_id: 'lead_1', received_at: '2026-04-30T10:15:00Z', request: { message: 'Hello' } };
const DELIVERY = { kind: 'file', folder: 'out', name: 'lead_1.xml', content: 'Hello\nfrom out\n' };
const CODE = {
  check: '() => []',
  build:
    "(lead, options) => ({ kind: 'file', folder: options.folder, name: lead.lead_id + '.xml', content: lead.request.message + '\\nfrom ' + options.folder + '\\n' })",
  classify: "(outcome) => ({ state: outcome.sent === 'yes' ? 'delivered' : 'retry', reason: 'told' })",
};

/** An adapter that keeps the contract, with one function or one fixture file changed by the test. */
async function check(code: Partial<typeof CODE>, files: Record<string, unknown> = {}): Promise<string[]> {
  const folder = join(root, 'acme');
  const functions = Object.entries({ ...CODE, ...code }).map(([name, text]) => `${name}: ${text}`);
  const all: Record<string, unknown> = {
    'adapter.json': { name: 'acme', kind: 'crm', version: '1.0.0', contract: 1 },
    'options.schema.json': { type: 'object', properties: { folder: { type: 'string', default: 'out' } } },
    'package.json': { type: 'module' },
    'fixtures/plain.lead.json': LEAD,
    'fixtures/plain.delivery.json': DELIVERY,
    ...files,
  };
  await mkdir(join(folder, 'fixtures'), { recursive: true });
  await writeFile(join(folder, 'adapter.js'), `let calls = 0;\nexport default { ${functions.join(',\n')} };`);
  for (const [name, value] of Object.entries(all)) {
    if (value === undefined) continue;
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), JSON.stringify(value));
  }
  return (await checkCrmAdapter(folder)).map(({ code, message }) => `${code} ${message}`);
}

describe('the contract checks', () => {
  it('are content with an adapter that keeps the contract', async () => {
    expect(
      await check(
        {},
        {
          'fixtures/other.lead.json': LEAD,
          'fixtures/other.options.json': { folder: 'in' },
          'fixtures/other.delivery.json': { ...DELIVERY, folder: 'in', content: 'Hello\nfrom in\n' },
        },
      ),
    ).toEqual([]);
  });

  it('show where the delivery differs from the expected one', async () => {
    expect(
      await check({}, { 'fixtures/plain.delivery.json': { ...DELIVERY, content: 'Hello\nfrom Out\n' } }),
    ).toEqual([
      'ADAPTER_FIXTURE_DIFFERS fixture plain: build gives another delivery than expected at content (line 2): got "out\\n", expected "Out\\n".',
    ]);
    expect(await check({}, { 'fixtures/plain.delivery.json': { ...DELIVERY, mode: 1 } })).toEqual([
      'ADAPTER_FIXTURE_DIFFERS fixture plain: build gives another delivery than expected at mode: got nothing, expected 1.',
    ]);
  });

  it.each([
    [
      'a build that counts its calls',
      { build: `(lead, o) => (++calls > 1 ? {} : (${CODE.build})(lead, o))` },
      'build gives another result the second time',
    ],
    [
      'a build that reads Date.now',
      { build: `(lead, o) => (Date.now() > ${Date.now() + 86_400_000} ? {} : (${CODE.build})(lead, o))` },
      'what build gives depends on the clock',
    ],
    [
      'a build that makes a new Date',
      { build: `(lead, o) => (new Date() > ${Date.now() + 86_400_000} ? {} : (${CODE.build})(lead, o))` },
      'what build gives depends on the clock',
    ],
    [
      'a build that changes the lead',
      { build: `(lead, o) => { lead.request.message = 'x'; return {}; }` },
      'build throws: Cannot assign to read only property',
    ],
    ['a check that throws', { check: `() => { throw new Error('ouch') }` }, 'check throws: ouch'],
  ])('find %s', async (_name, code, reason) => {
    const problems = await check(code);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(`ADAPTER_CONTRACT_BROKEN fixture plain: ${reason}`);
  });

  it.each([
    ["() => ({ state: 'lost', reason: 'x' })", 'an unknown state'],
    ["() => ({ state: 'retry', reason: ' ' })", 'no reason'],
    ['() => undefined', 'no verdict'],
    ["() => ({ state: 'retry', reason: 'x', retryAfterMs: NaN })", 'a retryAfterMs that is no wait'],
    ["() => ({ state: 'delivered', reason: 'x', reference: 5 })", 'a reference that is no text'],
  ])('find a verdict that is none: %s', async (classify, reason) => {
    const problems = await check({ classify });
    expect(problems).toHaveLength(20);
    expect(problems[0]).toContain(`with ${reason}`);
  });

  it('find a classify that breaks on one outcome', async () => {
    const classify = `(outcome) => (outcome.status === 302 ? null.x : (${CODE.classify})(outcome))`;
    const problems = await check({ classify });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('classify throws on {"kind":"http","sent":"yes","status":302');
  });

  it('tell fixtures that are missing or do not fit', async () => {
    expect(await check({}, { 'fixtures/plain.delivery.json': undefined })).toEqual([
      'ADAPTER_FILE_MISSING plain.delivery.json is missing.',
    ]);
    expect(await check({}, { 'fixtures/plain.options.json': { folder: 1 } })).toEqual([
      expect.stringContaining('fixture plain: options /folder must be text, not a number'),
    ]);
    await rm(join(root, 'acme'), { recursive: true });
    expect(await check({}, { 'fixtures/plain.lead.json': undefined })).toEqual([
      'ADAPTER_FIXTURE_INVALID fixture *.lead.json: there is none.',
    ]);
  });

  it('leave the clock as it was', async () => {
    await check({ build: '() => { throw new Error() }' });
    // performance has a clock of its own.
    expect(Math.abs(Date.now() - performance.timeOrigin)).toBeLessThan(86_400_000);
    expect(new Date(0).toISOString()).toBe('1970-01-01T00:00:00.000Z');
  });
});

const SHIPPED = fileURLToPath(new URL('../../adapters/crm/', import.meta.url));

describe('every shipped CRM adapter', async () => {
  const entries = await readdir(SHIPPED, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && entry.name !== 'presets')
    .map(({ name }) => name);
  it.each(names)('%s keeps the contract', async (name) => {
    expect(await checkCrmAdapter(join(SHIPPED, name))).toEqual([]);
  });
});
