import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { credentialName } from '../../src/model/credential-name.ts';
import { openDealership, SMALL, type Dealership } from './dealership.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
});
afterAll(() => dealer.remove());

function withKey(key: string, folder = 'leads'): string {
  return SMALL.replace('{ folder: leads }', `{ folder: ${folder}, key: '${key}' }`);
}

async function keyOf(yaml: string, environment: NodeJS.ProcessEnv): Promise<unknown> {
  const loaded = await dealer.load(yaml, { environment });
  return loaded.ok ? (loaded.value.leads.destinations[0]?.options as { key: unknown }).key : loaded.problems;
}

describe('a secret', () => {
  it('comes from the environment, also in the middle of a text, and is not read for references again', async () => {
    const environment = { A: '${env:B}', B: '$& {tricky}' };
    expect(await keyOf(withKey('${env:A}'), environment)).toBe('${env:B}');
    expect(await keyOf(withKey('Bearer ${env:B}.${env:B}'), environment)).toBe(
      'Bearer $& {tricky}.$& {tricky}',
    );
  });

  it('comes from a file, without its last line break', async () => {
    await dealer.write('key.txt', 'line one\nline two\r\n');
    expect(await keyOf(withKey('${file:key.txt}'), {})).toBe('line one\nline two');
    expect(await keyOf(withKey(`\${file:${dealer.folder}/key.txt}`), {})).toBe('line one\nline two');
  });

  it('comes from the file while it can be read, else as systemd hands it over to the service', async () => {
    const credentials = await mkdtemp(join(tmpdir(), 'credentials-'));
    const environment = { CREDENTIALS_DIRECTORY: credentials };
    const file = join(dealer.folder, 'for-root-alone');
    await writeFile(join(credentials, credentialName(file)), 'handed over\n');
    expect(await keyOf(withKey('${file:for-root-alone}'), environment)).toBe('handed over');
    await dealer.write('for-root-alone', 'newer\n');
    expect(await keyOf(withKey('${file:for-root-alone}'), environment)).toBe('newer');
    await rm(credentials, { recursive: true });
  });

  it('stays text: no number, no YAML', async () => {
    expect(await keyOf(withKey('${env:PIN}'), { PIN: '0123' })).toBe('0123');
    expect(
      await dealer.problems(`${SMALL}server:\n  port: \${env:PORT}\n`, { environment: { PORT: '99' } }),
    ).toEqual(['bridge.yaml:13:3 server.port: must be a whole number, not text']);
  });

  it('leaves other dollar signs alone', async () => {
    expect(await keyOf(withKey('$5 ${x} {y}'), {})).toBe('$5 ${x} {y}');
  });

  it('that is missing is told once, with its place, and nothing is said of the value', async () => {
    const place = 'bridge.yaml:11:33 leads.destinations[0].options.key';
    expect(await dealer.problems(withKey('${env:NO_SUCH}'))).toEqual([
      `${place}: the environment variable NO_SUCH is not set or empty. Set it for the user or service that runs the bridge.`,
    ]);
    expect(await dealer.problems(withKey('${file:none}'))).toEqual([
      `${place}: the secret file "none" can not be read: it is not there. Put the secret there and let the user that runs the bridge read it.`,
    ]);
    // The adapter's required option is written: only its secret is missing.
    expect(await dealer.problems(withKey('x', "'${env:NO_SUCH}'"))).toEqual([
      'bridge.yaml:11:18 leads.destinations[0].options.folder: the environment variable NO_SUCH is not set or empty. Set it for the user or service that runs the bridge.',
    ]);
    const port = SMALL.replace('name: Small Dealer\n', 'name: "${env:EMPTY}"\n');
    expect(await dealer.problems(port, { environment: { EMPTY: '' } })).toEqual([
      'bridge.yaml:3:3 dealer.name: the environment variable EMPTY is not set or empty. Set it for the user or service that runs the bridge.',
    ]);
  });

  it.each(['${env:}', '${ENV:NAME}', '${env:NAME', '${file: }'])(
    'written wrongly is told: %s',
    async (written) => {
      expect(await dealer.problems(withKey(written))).toEqual([
        `bridge.yaml:11:33 leads.destinations[0].options.key: ${JSON.stringify(written)} is no reference to a secret. Write \${env:NAME} or \${file:/path/of/a/file}.`,
      ]);
    },
  );

  it('never shows in a message, not even one of the adapter', async () => {
    const environment = { KEY: 'hunter2-very-secret', PROFILE: 'hunter3' };
    const yaml = `${withKey('${env:KEY}', 'forbidden')}feeds:
  - { id: '\${env:KEY} x', profile: '\${env:PROFILE}', rooftop: '\${env:KEY}', mode: '\${env:PROFILE}' }
server: { public_url: 'http://\${env:KEY}' }
`;
    const problems = await dealer.problems(yaml, { environment });
    expect(problems).toEqual([
      'bridge.yaml:11:18 leads.destinations[0].options.folder: folder forbidden with key ${env:KEY} is taken',
      expect.stringContaining('feeds[0].id: must be lower-case letters'),
      expect.stringContaining('feeds[0].profile: no profile "${env:PROFILE}"'),
      expect.stringContaining('feeds[0].rooftop: no rooftop "${env:KEY}"'),
      expect.stringContaining('feeds[0].mode: must be one of full, delta'),
      expect.stringContaining('server.public_url: the public address must begin with https://'),
    ]);
    expect(problems.join()).not.toMatch(/hunter/);
  });
});
