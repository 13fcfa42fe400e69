import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SourceConfig } from '../../src/config/config.ts';
import { openDealership, SMALL, type Dealership } from './dealership.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
});
afterAll(() => dealer.remove());

const HOST_KEY = `SHA256:${'A'.repeat(43)}`;

function withSource(source: string, mode = 'full'): string {
  return `${SMALL}feeds:
  - { id: lot, profile: plainlist, rooftop: ONE, mode: ${mode}, source: { ${source} } }
`;
}

async function built(source: string, mode?: string): Promise<SourceConfig | undefined> {
  const environment = { PW: 'secret' };
  const loaded = await dealer.load(withSource(source, mode), { environment });
  if (!loaded.ok) throw new Error(loaded.problems.map(({ message }) => message).join('; '));
  return loaded.value.feeds[0]?.source;
}

async function problems(source: string): Promise<string[]> {
  const loaded = await dealer.load(withSource(source));
  if (loaded.ok) return [];
  return loaded.problems.map(({ where, message }) => {
    const place = where?.path?.replace('feeds[0].', '') ?? '';
    return `${place}: ${message.replace(/\.$/, '')}`;
  });
}

describe('a sound source', () => {
  it('by http looks every hour unless told otherwise', async () => {
    expect(await built('kind: http, url: "https://dms.example/lot.csv"')).toEqual({
      kind: 'http',
      url: 'https://dms.example/lot.csv',
      every_ms: 3_600_000,
    });
  });

  it('by http takes a user or a token, and secrets from outside', async () => {
    const url = 'url: "https://dms.example/lot?key=${env:PW}"';
    expect(await built(`kind: http, ${url}, user: me, password: "\${env:PW}", every_minutes: 5`)).toEqual({
      kind: 'http',
      url: 'https://dms.example/lot?key=secret',
      auth: { kind: 'basic', user: 'me', password: 'secret' },
      every_ms: 300_000,
    });
    expect(await built(`kind: http, ${url}, token: "\${env:PW}"`)).toMatchObject({
      auth: { kind: 'bearer', token: 'secret' },
    });
  });

  it('by sftp takes the newest file of a full feed and all of a delta', async () => {
    const source = `kind: sftp, host: dms.example, user: me, password: "\${env:PW}", host_key: "${HOST_KEY}="`;
    const expected = { kind: 'sftp', host: 'dms.example', port: 22, user: 'me', password: 'secret' };
    const common = { ...expected, host_key: HOST_KEY, every_ms: 3_600_000 };
    expect(await built(source)).toEqual({ ...common, take: 'newest' });
    expect(await built(source, 'delta')).toEqual({ ...common, take: 'all' });
    expect(await built(`${source}, take: newest`, 'delta')).toEqual({ ...common, take: 'newest' });
  });

  it('by ftp uses TLS unless told otherwise', async () => {
    const source = 'kind: ftp, host: dms.example, user: me, password: x, folder: /out';
    expect(await built(source)).toMatchObject({ tls: 'explicit', port: 21, folder: '/out' });
    expect(await built(`${source}, tls: implicit`)).toMatchObject({ tls: 'implicit', port: 990 });
    expect(await built(`${source}, tls: none, allow_plain: true`)).toMatchObject({ tls: 'none', port: 21 });
  });

  it.each(['127.0.0.1', 'localhost'])('may be plain on this machine (%s)', async (host) => {
    expect(await problems(`kind: http, url: "http://${host}:8000/lot.csv"`)).toEqual([]);
    expect(await problems(`kind: ftp, host: ${host}, user: me, password: x, tls: none`)).toEqual([]);
  });

  it('may be plain elsewhere when that is said', async () => {
    expect(await problems('kind: http, url: "http://dms.example/lot.csv", allow_plain: true')).toEqual([]);
  });
});

describe('a faulty source', () => {
  const PLAIN = 'anyone on the way to "dms.example" could read and change the files, and the password';
  it.each([
    ['kind: http', ['source: a source of kind http needs "url"']],
    ['kind: http, url: "http://dms.example/lot.csv"', [`source.url: ${PLAIN}`]],
    [
      'kind: http, url: "https://me:pw@dms.example/lot.csv"',
      ['source.url: the address must not hold a user name or password'],
    ],
    [
      'kind: http, url: "https://dms.example/lot.csv", user: me',
      ['source: "user" and "password" go together'],
    ],
    [
      'kind: http, url: "https://dms.example/lot.csv", user: me, password: x, token: y',
      ['source: names a token and a user; one of the two is enough'],
    ],
    [
      'kind: http, url: "https://dms.example/lot.csv", host_key: x',
      [
        'source.host_key: "host_key" means nothing for a source of kind http',
        'source.host_key: must be a fingerprint: SHA256: and 43 characters',
      ],
    ],
    [
      'kind: sftp, host: dms.example, user: me',
      ['source: needs "password" or "private_key"', 'source: nothing says which server is the right one'],
    ],
    [
      `kind: ftp, host: dms.example, user: me, password: x, host_key: "${HOST_KEY}"`,
      ['source.host_key: "host_key" means nothing for a source of kind ftp'],
    ],
    ['kind: ftp, host: dms.example, user: me, password: x, tls: none', [`source.tls: ${PLAIN}`]],
    ['kind: ftp', ['host', 'user', 'password'].map((key) => `source: a source of kind ftp needs "${key}"`)],
  ])('%s', async (source, expected) => {
    expect((await problems(source)).sort()).toEqual([...expected].sort());
  });

  it.each([0, 0.5, 20_000])('cannot be looked at every %d minutes', async (minutes) => {
    const told = await problems(`kind: http, url: "https://dms.example/lot.csv", every_minutes: ${minutes}`);
    expect(told).toEqual([expect.stringMatching(/^source\.every_minutes: /)]);
  });

  it('never shows a password that stands in the address', async () => {
    const told = await dealer.problems(
      withSource('kind: http, url: "https://me:hunter2@dms.example/lot.csv"'),
    );
    expect(told).toHaveLength(1);
    expect(told[0]).not.toContain('hunter2');
  });
});
