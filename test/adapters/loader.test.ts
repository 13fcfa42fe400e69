import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { findCrmAdapters, loadCrmAdapter, loadFeedReader, locate } from '../../src/adapters/loader.ts';
import type { Result } from '../../src/model/problem.ts';

const run = promisify(execFile);

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'adapters-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const CODE = 'export default { check: () => [], build() {}, classify() {} };';

/** Writes an adapter folder; a file given as undefined is left out. */
async function adapter(path: string, files: Record<string, string | undefined> = {}): Promise<string> {
  const folder = join(root, path);
  const name = path.split('/').at(-1);
  const all: Record<string, string | undefined> = {
    'adapter.json': JSON.stringify({ name, kind: 'crm', version: '1.0.0', contract: 1 }),
    'options.schema.json': '{"type":"object","properties":{"pace":{"type":"integer","default":3}}}',
    'adapter.mjs': undefined,
    'adapter.js': CODE,
    'package.json': '{"type":"module"}',
    ...files,
  };
  await mkdir(folder, { recursive: true });
  for (const [file, text] of Object.entries(all)) {
    if (text === undefined) continue;
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  return folder;
}

function codes(result: Result<unknown>): string[] {
  return result.ok ? [] : result.problems.map(({ code }) => code);
}

function messages(result: Result<unknown>): string[] {
  return result.ok ? [] : result.problems.map(({ message }) => message);
}

describe('finding', () => {
  it('lists the folders of every root by name, without registration', async () => {
    const other = join(root, 'other');
    await adapter('crm/zeta');
    await adapter('other/crm/alpha');
    await mkdir(join(root, 'crm/presets'), { recursive: true });
    await mkdir(join(root, 'crm/.hidden'), { recursive: true });
    await writeFile(join(root, 'crm/file'), '');
    expect(await findCrmAdapters([root, other, join(root, 'none')])).toEqual([
      { name: 'alpha', folder: join(other, 'crm/alpha') },
      { name: 'zeta', folder: join(root, 'crm/zeta') },
    ]);
  });

  it('refuses a name that two roots have', async () => {
    await adapter('crm/acme');
    await adapter('other/crm/acme');
    const found = await findCrmAdapters([root, join(root, 'other')]);
    expect(codes(locate('acme', found))).toEqual(['ADAPTER_TWICE']);
    expect(messages(locate('acmee', found))).toEqual(['no adapter "acmee"; did you mean "acme"?']);
  });
});

describe('loading a CRM adapter', () => {
  it('gives its three functions and fills option defaults in', async () => {
    const loaded = await loadCrmAdapter(await adapter('crm/acme'));
    if (!loaded.ok) throw new Error(messages(loaded).join());
    const options = {};
    expect(loaded.value.checkOptions(options)).toEqual([]);
    expect(options).toEqual({ pace: 3 });
    expect(loaded.value.crm.check(options)).toEqual([]);
    expect(loaded.value.checkOptions({ pace: 'x' })).toEqual([
      { pointer: '/pace', keyword: 'type', message: 'must be a whole number, not text' },
    ]);
  });

  it.each<[string, Record<string, string | undefined>, string, string]>([
    ['no manifest', { 'adapter.json': undefined }, 'ADAPTER_FILE_MISSING', 'adapter.json is missing.'],
    ['broken JSON', { 'adapter.json': '{' }, 'ADAPTER_FILE_UNREADABLE', 'adapter.json can not be read'],
    [
      'another contract',
      { 'adapter.json': '{"name":"acme","kind":"crm","version":"1.0.0","contract":2}' },
      'ADAPTER_MANIFEST_INVALID',
      'adapter.json: contract must be 1.',
    ],
    [
      'another name',
      { 'adapter.json': '{"name":"emca","kind":"crm","version":"1.0.0","contract":1}' },
      'ADAPTER_MANIFEST_INVALID',
      'adapter.json: name "emca" differs from the folder\'s name "acme".',
    ],
    [
      'another kind',
      { 'adapter.json': '{"name":"acme","kind":"feed-reader","version":"1.0.0","contract":1}' },
      'ADAPTER_MANIFEST_INVALID',
      'adapter.json: kind must be crm here.',
    ],
    [
      'no options schema',
      { 'options.schema.json': undefined },
      'ADAPTER_FILE_MISSING',
      'options.schema.json is missing.',
    ],
    [
      'an options schema with a misspelled keyword',
      { 'options.schema.json': '{"type":"object","propertys":{}}' },
      'ADAPTER_OPTIONS_SCHEMA_INVALID',
      'options.schema.json is no usable JSON Schema: strict mode: unknown keyword: "propertys".',
    ],
    ['no code', { 'adapter.js': undefined }, 'ADAPTER_FILE_MISSING', 'adapter.ts or adapter.js is missing.'],
    [
      'code that throws',
      { 'adapter.js': 'throw new Error("no licence\\nstack")' },
      'ADAPTER_IMPORT_FAILED',
      'adapter.js does not load: no licence.',
    ],
    [
      'a missing function',
      { 'adapter.js': 'export default { build() {} };' },
      'ADAPTER_CONTRACT_BROKEN',
      'adapter.js: its default export lacks the functions check, classify.',
    ],
    [
      'no default export',
      { 'adapter.js': 'export const build = 1;' },
      'ADAPTER_CONTRACT_BROKEN',
      'adapter.js: its default export lacks the functions check, build, classify.',
    ],
  ])('tells %s', async (_name, files, code, message) => {
    const folder = await adapter('crm/acme', files);
    const loaded = await loadCrmAdapter(folder);
    expect(codes(loaded)).toEqual([code]);
    expect(messages(loaded)[0]).toContain(message);
    if (!loaded.ok) expect(loaded.problems[0]?.where?.file).toContain(folder);
  });

  it('refuses links that lead out of the folder', async () => {
    const elsewhere = await adapter('elsewhere/acme');
    const folder = await adapter('crm/acme', { 'adapter.js': undefined });
    await symlink(join(elsewhere, 'adapter.js'), join(folder, 'adapter.js'));
    expect(codes(await loadCrmAdapter(folder))).toEqual(['ADAPTER_OUTSIDE_FOLDER']);
    await symlink(elsewhere, join(root, 'crm/linked'));
    expect((await findCrmAdapters([root])).map(({ name }) => name)).toEqual(['acme', 'linked']);
    expect(codes(await loadCrmAdapter(join(root, 'crm/linked')))).toEqual(['ADAPTER_OUTSIDE_FOLDER']);
  });
});

/** Node itself must load it, as it does for the bridge: the test runner would find modules in its own way. */
test('an adapter far from the program finds the contract by its name, in JavaScript and in TypeScript', async () => {
  const contract = "from 'dealer-bridge/adapter'";
  const plain = await adapter('crm/plain', {
    'adapter.js': `import { isMailAddress } ${contract}; ${CODE.replace('[]', "isMailAddress('a@b.example')")}`,
  });
  const typed = await adapter('crm/typed', {
    'adapter.js': undefined,
    'adapter.ts': `import type { CrmAdapter } ${contract}; const crm: Pick<CrmAdapter, 'check'> = { check: () => [] };
      export default { ...crm, build() {}, classify() {} };`,
  });
  const loader = new URL('../../src/adapters/loader.ts', import.meta.url).href;
  const script = `const { loadCrmAdapter } = await import(${JSON.stringify(loader)});
    for (const folder of process.argv.slice(1)) {
      const loaded = await loadCrmAdapter(folder);
      console.log(loaded.ok ? JSON.stringify(loaded.value.crm.check({})) : loaded.problems[0].message);
    }`;
  const { stdout, stderr } = await run(process.execPath, ['--input-type=module', '-e', script, plain, typed]);
  expect([stdout, stderr]).toEqual(['true\n[]\n', '']);
});

describe('loading a feed reader', () => {
  it('finds it by name in any root', async () => {
    const manifest = JSON.stringify({
      name: 'fixed-width',
      kind: 'feed-reader',
      version: '1.0.0',
      contract: 1,
    });
    await adapter('other/feeds/fixed-width', {
      'adapter.json': manifest,
      'adapter.js': 'export default { async *read() {} };',
    });
    const loaded = await loadFeedReader('fixed-width', [root, join(root, 'other')]);
    expect(loaded).toMatchObject({
      ok: true,
      value: { name: 'fixed-width', optionsSchema: { type: 'object' } },
    });
    if (loaded.ok) expect(Object.keys(loaded.value.reader)).toEqual(['read']);
  });

  it.each(['../crm/acme', '/etc', 'profiles', 'CSV'])('does not follow the name %s', async (name) => {
    await adapter('crm/acme');
    await mkdir(join(root, 'feeds/profiles'), { recursive: true });
    expect(codes(await loadFeedReader(name, [root]))).toEqual(['ADAPTER_NOT_FOUND']);
  });

  it('refuses one that can not read', async () => {
    const manifest = JSON.stringify({ name: 'csv', kind: 'feed-reader', version: '1.0.0', contract: 1 });
    await adapter('feeds/csv', { 'adapter.json': manifest, 'adapter.js': CODE });
    expect(messages(await loadFeedReader('csv', [root]))).toEqual([
      'adapter.js: its default export lacks the function read.',
    ]);
  });
});
