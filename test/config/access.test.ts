import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { join } from 'node:path';
import { rm } from 'node:fs/promises';
import { exposureWarnings } from '../../src/config/exposure.ts';
import { hashOfToken } from '../../src/model/agent-token.ts';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../feeds-sources/loopback-certificate.ts';
import { RENEWED_KEY } from '../web/renewed-certificate.ts';
import { openDealership, SMALL, type Dealership } from './dealership.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
  await dealer.write('tls/cert.pem', LOOPBACK_CERTIFICATE);
  await dealer.write('tls/key.pem', LOOPBACK_KEY);
  await dealer.write('tls/other-key.pem', RENEWED_KEY);
});
afterAll(() => dealer.remove());
beforeEach(() => rm(join(dealer.folder, 'tokens.yaml'), { force: true }));

const problems = (yaml: string) => dealer.problems(SMALL + yaml);
const HASH = hashOfToken('one');
const TLS = 'tls: { cert: tls/cert.pem, key: tls/key.pem }';

describe('settings of the door', () => {
  it('that are right become absolute paths', async () => {
    await dealer.write('tokens.yaml', `tokens:\n  - { name: acme, hash: ${hashOfToken('two')} }\n`);
    const yaml = `server: { ${TLS}, public_url: 'https://agent.dealer.example/', trusted_proxies: [10.0.0.0/8] }
access:
  require_token: [lead.submit]
  tokens_file: tokens.yaml
  tokens: [{ name: other, hash: ${HASH}, skills: [lead.submit], expires: 2027-06-30 }]
`;
    const loaded = await dealer.load(SMALL + yaml);
    expect(loaded.ok ? [] : loaded.problems).toEqual([]);
    if (!loaded.ok) return;
    const { server, access } = loaded.value;
    expect(server.tls).toEqual({
      cert: join(dealer.folder, 'tls', 'cert.pem'),
      key: join(dealer.folder, 'tls', 'key.pem'),
    });
    expect(server.public_url).toBe('https://agent.dealer.example');
    expect(access).toEqual({
      require_token: ['lead.submit'],
      tokens_file: join(dealer.folder, 'tokens.yaml'),
      tokens: [{ name: 'other', hash: HASH, skills: ['lead.submit'], expires: '2027-06-30' }],
    });
  });

  it.each([
    [
      'tls: { cert: tls/none.pem, key: tls/key.pem }',
      'server.tls.cert: the file "tls/none.pem" can not be read: it is not there.',
    ],
    [
      'tls: { cert: tls, key: tls/key.pem }',
      'server.tls.cert: the file "tls" can not be read: it is a folder.',
    ],
    [
      'tls: { cert: tls/key.pem, key: tls/key.pem }',
      'server.tls.cert: the file "tls/key.pem" holds no certificate in PEM form.',
    ],
    [
      'tls: { cert: tls/cert.pem, key: tls/other-key.pem }',
      'server.tls.key: the file "tls/other-key.pem" does not belong to the certificate.',
    ],
    [
      'trusted_proxies: [10.0.0.0/33]',
      'server.trusted_proxies[0]: "10.0.0.0/33" is no IP address and no network.',
    ],
    [
      `${TLS}, public_url: 'http://127.0.0.1:8080'`,
      'server.public_url: the server speaks https (server.tls), and the public address begins with http://.',
    ],
    [
      "public_url: 'http://agent.dealer.example'",
      'server.public_url: the public address must begin with https://.',
    ],
    [
      "public_url: 'https://a:b@agent.dealer.example'",
      'server.public_url: the public address must not hold a user name or password.',
    ],
    [
      "public_url: 'https://agent.dealer.example/x'",
      'server.public_url: the public address must end after the host name.',
    ],
    [
      "public_url: 'https://agent.dealer.example/?x'",
      'server.public_url: the public address must end after the host name.',
    ],
  ])('%s: is told', async (setting, problem) => {
    const [first, ...more] = await problems(`server: { ${setting} }\n`);
    expect(first).toContain(problem);
    expect(more).toEqual([]);
  });

  it.each([
    'http://localhost:8080',
    'http://127.0.0.9:1',
    'http://[::1]:8080',
    'https://agent.dealer.example',
  ])('the public address may be %s', async (url) => {
    expect(await problems(`server: { public_url: '${url}' }\n`)).toEqual([]);
  });

  it.each([
    ['{ require_token: all }', 'nothing says which tokens there are'],
    ['{ require_token: some }', 'require_token'],
    ['{ tokens: [{ name: a, hash: secret }] }', 'must be sha256: and 64 hex digits'],
    [`{ tokens: [{ name: a, hash: "${HASH}", expires: soon }] }`, 'expires'],
    [
      `{ tokens: [{ name: a, hash: "${HASH}" }, { name: b, hash: "${HASH}" }] }`,
      'it is the same token as "a"',
    ],
    [
      `{ tokens: [{ name: a, hash: "${HASH}" }, { name: a, hash: "${hashOfToken('x')}" }] }`,
      'the name "a" is taken by another token',
    ],
  ])('access: %s is told', async (access, problem) => {
    const found = await problems(`access: ${access}\n`);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(problem);
  });

  it('the token file is checked with them, place by place', async () => {
    await dealer.write('tokens.yaml', 'tokens:\n  - { name: a b, hash: x }\n');
    expect(await problems('access: { tokens_file: tokens.yaml }\n')).toEqual([
      expect.stringMatching(/^tokens\.yaml:2:\d+ tokens\[0\]\.name: must be a name of letters/),
      expect.stringMatching(/^tokens\.yaml:2:\d+ tokens\[0\]\.hash: must be sha256: and 64 hex digits/),
    ]);
    await dealer.write('tokens.yaml', `tokens:\n  - { name: a, hash: ${HASH} }\n`);
    expect(
      await problems(`access: { tokens_file: tokens.yaml, tokens: [{ name: a, hash: "${HASH}" }] }\n`),
    ).toEqual([expect.stringContaining('access.tokens_file: the name "a" is taken by another token')]);
  });
});

describe('what is allowed and seldom meant', () => {
  const warnings = async (yaml: string, now = '2026-04-30T00:00:00Z') => {
    const loaded = await dealer.load(SMALL + yaml);
    if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
    return (await exposureWarnings(loaded.value, Date.parse(now))).map(({ where }) => where?.path);
  };

  it.each([
    ['', []],
    ['server: { host: 0.0.0.0 }\n', ['server.host']],
    ['server: { admin_host: 0.0.0.0 }\n', ['server.admin_host']],
    ['server: { admin_host: 192.0.2.7 }\n', ['server.admin_host']],
    ['server: { admin_host: "::1" }\n', []],
    ['server: { admin_host: localhost }\n', []],
    [`server: { host: 0.0.0.0, ${TLS} }\n`, []],
    ["server: { host: 0.0.0.0, public_url: 'https://a.example', trusted_proxies: [10.0.0.1] }\n", []],
    ["server: { public_url: 'https://a.example' }\n", ['server.trusted_proxies']],
    ["server: { public_url: 'https://a.example' }\nrate_limits: { enabled: false }\n", []],
    ['access: { require_token: all, tokens_file: tokens.yaml }\n', ['access.tokens_file']],
    [
      `server: { host: 0.0.0.0 }\naccess: { require_token: all, tokens: [{ name: a, hash: "${HASH}" }] }\n`,
      ['server.host', 'access'],
    ],
  ])('%j', async (yaml, expected) => {
    expect(await warnings(yaml)).toEqual(expected);
  });

  it('an end of the certificate that is near', async () => {
    expect(await warnings(`server: { ${TLS} }\n`, '2126-10-20T00:00:00Z')).toEqual(['server.tls.cert']);
    expect(await warnings(`server: { ${TLS} }\n`, '2126-10-10T00:00:00Z')).toEqual([]);
  });
});
