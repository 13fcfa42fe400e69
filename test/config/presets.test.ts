import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mergeOptions } from '../../src/config/presets.ts';
import { openDealership, SMALL, type Dealership } from './dealership.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
});
afterAll(() => dealer.remove());

function withPreset(name: string): string {
  return SMALL.replace(/ {6}adapter: [\s\S]*$/, `      preset: ${name}\n`);
}

describe('options', () => {
  it('of the destination win over the preset’s, key by key; lists are taken whole', () => {
    const preset = { host: 'a', smtp: { port: 587, tls: { on: true } }, to: [1, 2] };
    const own = { smtp: { tls: { on: false } }, to: [3], host: { name: 'b' } };
    expect(mergeOptions(preset, own)).toEqual({
      host: { name: 'b' },
      smtp: { port: 587, tls: { on: false } },
      to: [3],
    });
    expect(preset).toEqual({ host: 'a', smtp: { port: 587, tls: { on: true } }, to: [1, 2] });
  });
});

describe('a preset', () => {
  it('is checked like the settings, under its own file name', async () => {
    await dealer.write(
      'data/adapters/crm/presets/broken.yaml',
      "name: brokn\ndescription: x\nadaptr: pickup\noptions: { key: '${env:NONE}' }\n",
    );
    expect(await dealer.problems(withPreset('broken'))).toEqual([
      'broken.yaml:1:1: "adapter" is missing',
      'broken.yaml:3:1 adaptr: unknown key "adaptr"; did you mean "adapter"?',
      'broken.yaml:4:12 options.key: the environment variable NONE is not set or empty. Set it for the user or service that runs the bridge.',
    ]);
  });

  it('must be called as its file is', async () => {
    await dealer.write(
      'data/adapters/crm/presets/renamed.yaml',
      'name: old\ndescription: x\nadapter: pickup\noptions: {}\n',
    );
    expect(await dealer.problems(withPreset('renamed'))).toEqual([
      'renamed.yaml:1:1 name: its name must be "renamed", as its file is called',
    ]);
  });

  it('does not show its secrets either', async () => {
    await dealer.write(
      'data/adapters/crm/presets/secretive.yaml',
      "name: secretive\ndescription: x\nadapter: pickup\noptions: { folder: forbidden, key: '${env:KEY}' }\n",
    );
    expect(await dealer.problems(withPreset('secretive'), { environment: { KEY: 'hunter2' } })).toEqual([
      'bridge.yaml:9:7 leads.destinations[0].options.folder: folder forbidden with key ${env:KEY} is taken',
    ]);
  });

  it('does not lead out of its folder by its name', async () => {
    expect(await dealer.problems(withPreset('../../feeds/profiles/plainlist'))).toEqual([
      'bridge.yaml:10:7 leads.destinations[0].preset: no preset "../../feeds/profiles/plainlist". Presets stand in adapters/crm/presets of the program and of the data folder.',
    ]);
  });
});

describe('every shipped preset', async () => {
  const folder = fileURLToPath(new URL('../../adapters/crm/presets/', import.meta.url));
  const files = (await readdir(folder)).filter((file) => file.endsWith('.yaml'));
  const names = files.map((file) => file.replace(/\.yaml$/, ''));
  it.each(names)('%s is sound: at most the dealer’s own values are missing', async (name) => {
    const problems = await dealer.problems(withPreset(name));
    const others = problems.filter(
      (problem) => !/^bridge\.yaml:9:7 leads\.\S+: (".*" is missing|needs )/.test(problem),
    );
    expect(others).toEqual([]);
  });
});
