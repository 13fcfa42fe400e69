import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Keyring } from '../../src/agent/door/keyring.ts';
import type { AgentToken } from '../../src/model/agent-token.ts';
import type { Log } from '../../src/model/log.ts';
import { silentLog } from '../../src/model/log.ts';
import { tokenEntry } from './tokens.ts';

let folder: string;
let file: string;
let now: number;
let errors: object[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keyring-'));
  file = join(folder, 'tokens.yaml');
  now = Date.parse('2026-04-30T10:00:00Z');
  errors = [];
});
afterEach(() => rmSync(folder, { recursive: true }));

const log: Log = { ...silentLog, error: (facts) => errors.push(facts) };
const open = (tokens: AgentToken[] = []) => new Keyring({ tokens, file, clock: { now: () => now }, log });
const write = (...tokens: AgentToken[]) => writeFileSync(file, JSON.stringify({ tokens }));
const nameOf = (keyring: Keyring, token: string) => {
  const found = keyring.find(token);
  return typeof found === 'string' ? found : found.name;
};

describe('the token file', () => {
  it('gives and takes tokens without a restart, a second after it changed at the latest', () => {
    const keyring = open([tokenEntry('listed')]);
    expect(nameOf(keyring, 'listed')).toBe('listed');
    expect(nameOf(keyring, 'first')).toBe('unknown');
    write(tokenEntry('first'));
    now += 1000;
    expect(nameOf(keyring, 'first')).toBe('first');
    expect(nameOf(keyring, 'listed')).toBe('listed');
    write(tokenEntry('second'));
    now += 1000;
    expect([nameOf(keyring, 'first'), nameOf(keyring, 'second')]).toEqual(['unknown', 'second']);
    expect(errors).toEqual([]);
  });

  it.each([
    ['no YAML', 'tokens: ['],
    ['empty', ''],
    ['of another shape', 'tokens: [{ name: x, hash: abc }]'],
    ['one name twice', JSON.stringify({ tokens: [tokenEntry('a'), { ...tokenEntry('b'), name: 'a' }] })],
  ])('keeps its last good state while it is broken: %s', (_what, text) => {
    write(tokenEntry('good'));
    const keyring = open();
    expect(nameOf(keyring, 'good')).toBe('good');
    writeFileSync(file, text);
    now += 1000;
    expect(nameOf(keyring, 'good')).toBe('good');
    now += 5000;
    expect(keyring.status()).toEqual({ tokens: 1, fault: expect.stringContaining('tokens.yaml') });
    expect(errors).toHaveLength(1);
    write(tokenEntry('new'));
    now += 1000;
    expect(keyring.status()).toEqual({ tokens: 1 });
    expect([nameOf(keyring, 'good'), nameOf(keyring, 'new')]).toEqual(['unknown', 'new']);
  });

  it('keeps its last good state when it is gone', () => {
    write(tokenEntry('good'));
    const keyring = open();
    expect(nameOf(keyring, 'good')).toBe('good');
    rmSync(file);
    now += 1000;
    expect(nameOf(keyring, 'good')).toBe('good');
    now += 1000;
    expect(keyring.status().fault).toMatch(/ENOENT/);
    expect(errors).toHaveLength(1);
  });
});

it('a token works to the end of its last day and no longer', () => {
  const keyring = open([tokenEntry('old', { expires: '2026-04-30' })]);
  now = Date.parse('2026-04-30T23:59:59Z');
  expect(nameOf(keyring, 'old')).toBe('old');
  now += 1000;
  expect(nameOf(keyring, 'old')).toBe('expired');
});
