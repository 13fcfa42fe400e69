import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBridge } from './bridge-command.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'check-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const FAULTY = `dealer:
  id: group
  name: Group
  rooftops:
    - id: HPM01
      name: First
      timezone: Nowhere
      fees: [{ name: Doc, amount: -1 }]
feeds:
  - id: one
    profile: homnet
    rooftop: CRA02
leads:
  destinations:
    - id: crm
      adapter: adf-file
      options: { folder: leads, password: '\${env:NO_SUCH_SECRET}' }
`;

describe('dealer-bridge check', () => {
  it('finds no fault in the demo, says what it holds, and creates nothing', async () => {
    const finished = await runBridge(['check'], { cwd: folder });
    expect(finished).toEqual({
      code: 0,
      out: 'bridge.yaml: 3 rooftops, 8 feeds, 1 destination. No problems found.\n',
      err: '',
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('warns of a time zone without summer time, and finds no fault in it', async () => {
    const file = join(folder, 'winter.yaml');
    await writeFile(
      file,
      `dealer: { id: group, name: Group, rooftops: [{ id: ONE, name: One, timezone: EST, emails: [{ value: one@dealer.example }] }] }
leads: { destinations: [{ id: crm, adapter: adf-file, options: { folder: leads } }] }
`,
    );
    const finished = await runBridge(['check', '--config', file, '--data', join(folder, 'data')]);
    await rm(file);
    expect(finished).toMatchObject({
      code: 0,
      out: 'winter.yaml: 1 rooftop, 0 feeds, 1 destination. No problems, 1 warning.\n',
      err: expect.stringMatching(
        /^warning: winter\.yaml dealer\.rooftops\[0\]\.timezone: EST has no .* Write America\/New_York\.\n$/,
      ),
    });
  });

  it('lists every fault with line and column and ends with 1', async () => {
    const file = join(folder, 'my.yaml');
    await writeFile(file, FAULTY);
    const finished = await runBridge(['check', '--config', file, '--data', join(folder, 'data')]);
    expect(finished).toMatchObject({ code: 1, out: '' });
    expect(finished.err.trimEnd().split('\n')).toEqual([
      'my.yaml:7:7 dealer.rooftops[0].timezone: no time zone "Nowhere". Use an IANA name such as America/New_York.',
      'my.yaml:8:27 dealer.rooftops[0].fees[0].amount: must be at least 0',
      'my.yaml:11:5 feeds[0].profile: no profile "homnet"; did you mean "homenet"?',
      'my.yaml:12:5 feeds[0].rooftop: no rooftop "CRA02". Use the id of one of the dealer.rooftops.',
      'my.yaml:17:33 leads.destinations[0].options.password: the environment variable NO_SUCH_SECRET is not set or empty. Set it for the user or service that runs the bridge.',
      expect.stringMatching(
        /^my\.yaml:17:33 leads\.destinations\[0\]\.options\.password: unknown key "password"; known are folder, /,
      ),
      '6 problems in my.yaml',
    ]);
    expect(await readdir(folder)).toEqual(['my.yaml']);
  });

  it('tells a profile that does not load', async () => {
    const profile = join(folder, 'own.yaml');
    const file = join(folder, 'own-profile.yaml');
    await writeFile(profile, 'name: own\nreeder: csv\n');
    const yaml = FAULTY.replace('homnet', './own.yaml').replace('CRA02', 'HPM01').replace('-1', '1');
    await writeFile(file, yaml.replace('Nowhere', 'UTC').replace(/, password.*/, ' }'));
    const finished = await runBridge(['check', '--config', file]);
    expect(finished).toMatchObject({ code: 1, out: '' });
    expect(finished.err).toContain('own-profile.yaml feeds[0].profile: ');
    expect(finished.err).toContain('own.yaml:2:1 reeder: unknown key "reeder"');
  });

  it('names a file that is not there', async () => {
    const finished = await runBridge(['check', '--config', 'nowhere.yaml'], { cwd: folder });
    expect(finished).toMatchObject({ code: 1, out: '' });
    expect(finished.err).toContain(
      `${join(folder, 'nowhere.yaml')}: the file can not be read: it is not there.`,
    );
  });
});
