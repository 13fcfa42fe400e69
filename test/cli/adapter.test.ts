import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runBridge } from './bridge-command.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vendor-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const bridge = (...words: string[]) => runBridge(['adapter', ...words], { cwd: folder });

describe('adapter new', () => {
  it.each([
    ['crm', 'ts', 'data/adapters/crm/acme'],
    ['crm', 'js', 'data/adapters/crm/acme'],
    ['feed', 'ts', 'data/adapters/feeds/acme'],
    ['feed', 'js', 'data/adapters/feeds/acme'],
  ])('writes a %s adapter in %s that passes its checks at once', async (kind, language, place) => {
    const made = await bridge('new', kind, 'acme', '--language', language);
    expect([made.code, made.err]).toEqual([0, '']);
    expect(await readdir(join(folder, place))).toContain(`adapter.${language}`);
    expect(JSON.parse(await readFile(join(folder, place, 'adapter.json'), 'utf8'))).toMatchObject({
      name: 'acme',
    });
    const tested = await bridge('test', 'acme');
    expect(tested.out).toContain('It keeps the contract.');
    expect(tested.code).toBe(0);
  });

  it('names a folder of its own choice, and lets an editor find the types', async () => {
    await bridge('new', 'crm', 'acme', '--folder', '.', '--like', 'larkspur');
    const settings = await readFile(join(folder, 'acme', 'tsconfig.json'), 'utf8');
    const [, path = ''] = /"dealer-bridge\/adapter": \["([^"]+)"\]/.exec(settings) ?? [];
    expect(await readFile(path.startsWith('/') ? path : join(folder, 'acme', path), 'utf8')).toContain(
      'CrmAdapter',
    );
    expect(await readFile(join(folder, 'acme', 'README.md'), 'utf8')).toContain('adapter: acme');
  });

  it.each([['../out'], ['Upper'], ['presets'], ['con'], ['adf-email'], ['-x']])(
    'refuses the name %s and writes nothing',
    async (name) => {
      const made = await bridge('new', 'crm', '--', name);
      expect(made.code).toBe(1);
      expect(await readdir(folder)).toEqual([]);
    },
  );

  it('writes nothing over', async () => {
    await bridge('new', 'crm', 'acme', '--folder', '.');
    await writeFile(join(folder, 'acme', 'adapter.ts'), 'mine');
    const again = await bridge('new', 'crm', 'acme', '--folder', '.');
    expect([again.code, again.err]).toEqual([1, expect.stringContaining('it is there already')]);
    expect(await readFile(join(folder, 'acme', 'adapter.ts'), 'utf8')).toBe('mine');
  });
});

describe('adapter test', () => {
  it('tells what failed and what to do, and --accept takes a wanted change over', async () => {
    await bridge('new', 'crm', 'acme');
    const code = join(folder, 'data/adapters/crm/acme/adapter.ts');
    await writeFile(code, (await readFile(code, 'utf8')).replace('first_name:', 'given_name:'));
    const failed = await bridge('test', 'data/adapters/crm/acme');
    expect(failed.code).toBe(1);
    expect(failed.out).toContain('FAILED  the fixtures come out exactly');
    expect(failed.out).toContain('question.delivery.json at body');
    expect(failed.out).toContain('1 of 11 checks failed.');
    const accepted = await bridge('test', 'acme', '--accept');
    expect(accepted.out).toContain('Written anew: question.delivery.json');
    expect(accepted.code).toBe(0);
    expect(
      await readFile(join(folder, 'data/adapters/crm/acme/fixtures/question.delivery.json'), 'utf8'),
    ).toContain('given_name');
  });

  it('knows no adapter that is not there', async () => {
    const { code, err } = await bridge('test', 'none');
    expect([code, err]).toEqual([
      1,
      expect.stringContaining('none is neither a folder with an adapter.json'),
    ]);
  });
});

describe('adapter list and help', () => {
  it.each([
    ['a broken import', 'adapter.ts', `import './gone.ts';`, 'adapter.ts does not load'],
    ['a top level that throws', 'adapter.ts', `throw new Error('no licence');`, 'no licence'],
    [
      'a newer contract',
      'adapter.json',
      `{"name":"acme","kind":"crm","version":"1.0.0","contract":2}`,
      'contract must be 1',
    ],
    [
      'another kind',
      'adapter.json',
      `{"name":"acme","kind":"feed-reader","version":"1.0.0","contract":1}`,
      'kind must be crm here',
    ],
  ])('tell %s, which does not stop a start that does not need it', async (_name, file, text, reason) => {
    await bridge('new', 'crm', 'acme');
    await writeFile(join(folder, 'data/adapters/crm/acme', file), text);
    const listed = await bridge('list');
    expect(listed.out).toMatch(/^acme +crm +[\d.]* +FAULTY +\S+crm\/acme$/m);
    expect(listed.out).toMatch(/^adf-http +crm +[\d.]+ +ok +shipped$/m);
    expect(listed.out).toContain(reason);
    const config = join(folder, 'bridge.yaml');
    await writeFile(config, settings('adf-file', '{ folder: out }'));
    expect((await runBridge(['check', '--config', config], { cwd: folder })).code).toBe(0);
    await writeFile(config, settings('acme', '{ url: https://crm.example/x, token: abcdef }'));
    const refused = await runBridge(['start', '--config', config], { cwd: folder });
    expect(refused.code).toBe(1);
    expect(refused.err).toContain(join('crm', 'acme', file));
    expect(refused.err).toContain(reason);
  });

  it('explain every setting, with an example to copy', async () => {
    await bridge('new', 'crm', 'acme', '--like', 'larkspur');
    const { code, out } = await bridge('help', 'acme');
    expect(code).toBe(0);
    expect(out).toContain('  client_secret *  (text; secret)\n      Shown once beside the client id.');
    expect(out).toContain('  note_limit  (whole number from 100 to 4000; default 2000)');
    expect(out).toContain('    adapter: acme\n    options:\n      dealer_code: HB0042\n');
    expect((await bridge('help', 'adf-email')).out).toContain('smtp.host *  (text)');
  });
});

function settings(adapter: string, options: string): string {
  return `dealer:
  id: one
  name: One
  rooftops: [{ id: ONE, name: One, timezone: America/New_York, phones: [{ value: "+12075550100" }] }]
leads:
  destinations: [{ id: crm, adapter: ${adapter}, options: ${options} }]
`;
}
