import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashOfToken } from '../../src/model/agent-token.ts';
import { runCommand } from '../cli/run-command.ts';
import { SMALL } from '../config/dealership.ts';

let folder: string;
let settings: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tokens-'));
  settings = join(folder, 'bridge.yaml');
  file = join(folder, 'tokens.yaml');
  await configure('access: { tokens_file: tokens.yaml }');
});
afterEach(() => rm(folder, { recursive: true }));

const configure = (access: string) =>
  writeFile(settings, `${SMALL.replace('adapter: pickup', 'adapter: adf-file')}${access}\n`);
const token = (...words: string[]) =>
  runCommand(['token', ...words, '--config', settings, '--data', join(folder, 'data')]);

describe('token new', () => {
  it('prints the token once and keeps its hash alone', async () => {
    const made = await token(
      'new',
      'acme',
      '--skills',
      'lead.submit,inventory.search',
      '--expires',
      '2099-12-31',
    );
    expect(made.code).toBe(0);
    expect(made.out).toMatch(/^dbt_[\w-]{43}\n$/);
    const text = await readFile(file, 'utf8');
    expect(text).toContain(`name: acme, hash: ${hashOfToken(made.out.trim())}`);
    expect(text).not.toContain('dbt_');
    expect((await token('list')).out).toBe(
      'acme  inventory.search, lead.submit  until 2099-12-31  token file\n',
    );
  });

  it('leaves what else stands in the file, and no draft beside it', async () => {
    await token('new', 'first');
    await writeFile(file, `# ours\n${await readFile(file, 'utf8')}# the end\n`);
    await token('new', 'second');
    const text = await readFile(file, 'utf8');
    expect(text).toMatch(/^# ours\n/);
    expect(text).toContain('# the end');
    expect((await token('list')).out).toBe(
      'first  all skills  no end  token file\nsecond  all skills  no end  token file\n',
    );
    expect((await readdir(folder)).sort()).toEqual(['bridge.yaml', 'tokens.yaml']);
  });

  it('never makes two of one name', async () => {
    await token('new', 'acme');
    const before = await readFile(file, 'utf8');
    expect(await token('new', 'acme')).toMatchObject({ code: 1, out: '' });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('touches no file that has faults', async () => {
    await writeFile(file, 'tokens: [');
    expect(await token('new', 'acme')).toMatchObject({ code: 1, out: '' });
    expect(await token('new', 'acme', '--file', file)).toMatchObject({ code: 1, out: '' });
    expect(await readFile(file, 'utf8')).toBe('tokens: [');
  });

  it('without a token file prints the line for the settings, which is right as it is', async () => {
    await configure('');
    const made = await token('new', 'acme', '--skills', 'lead.submit', '--expires', '2099-12-31');
    const line = /^ +(- \{.*\})$/m.exec(made.err)?.[1] ?? '';
    await configure(`access:\n  require_token: all\n  tokens:\n    ${line}`);
    expect((await token('list')).out).toBe('acme  lead.submit  until 2099-12-31  settings\n');
    expect(line).toContain(hashOfToken(made.out.trim()));
  });

  it.each([
    [['new', 'a b']],
    [['new', 'a', '--skills', 'lead.sumbit']],
    [['new', 'a', '--expires', '2027-02-30']],
    [['new', 'a', '--expires', '2020-01-01']],
  ])('%j is a wrong command line', async (words) => {
    expect((await token(...words)).code).toBe(2);
  });
});

describe('token revoke', () => {
  it('takes exactly that token out', async () => {
    for (const name of ['one', 'two', 'three']) await token('new', name);
    expect(await token('revoke', 'two')).toMatchObject({ code: 0, out: 'The token "two" is revoked.\n' });
    expect((await token('list')).out).toMatch(/^one .*\nthree .*\n$/);
    for (const name of ['one', 'three']) await token('revoke', name, '--file', file);
    expect((await token('list')).out).toBe('No tokens.\n');
  });

  it('tells a name that is not there, and one that stands in the settings', async () => {
    expect(await token('revoke', 'nobody')).toMatchObject({ code: 1, out: '' });
    await configure(`access: { tokens: [{ name: acme, hash: "${hashOfToken('x')}" }] }`);
    const refused = await token('revoke', 'acme');
    expect(refused.code).toBe(1);
    expect(refused.err).toContain('access.tokens');
  });
});

it('a list marks what is over', async () => {
  await writeFile(file, `tokens:\n  - { name: old, hash: ${hashOfToken('x')}, expires: 2020-01-31 }\n`);
  expect((await token('list')).out).toBe('old  all skills  EXPIRED 2020-01-31  token file\n');
});
