import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { SettingsFiles } from '../../src/bridge/reload/settings-files.ts';

let folder: string;
let data: string;
let file: string;
let files: SettingsFiles;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'settings-files-'));
  data = join(folder, 'data');
  file = join(folder, 'bridge.yaml');
  write('bridge.yaml', 'dealer: { id: one }\n');
  files = new SettingsFiles(file, data);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, text: string): void {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), text);
}

it('the same text saved anew, also under a new file of that name, is no change; another text is', async () => {
  const before = await files.look();
  write('bridge.yaml', 'dealer: { id: one }\n');
  write('bridge.yaml.tmp', 'dealer: { id: one }\n');
  renameSync(join(folder, 'bridge.yaml.tmp'), file);
  expect(await files.look()).toEqual(before);
  write('bridge.yaml', 'dealer: { id: two }\n');
  const after = await files.look();
  expect(after.all).not.toBe(before.all);
  expect(after.profiles).toBe(before.profiles);
});

it('a text of the same length and time is noticed after ten looks at the latest', async () => {
  const time = new Date('2026-04-30T10:00:00Z');
  utimesSync(file, time, time);
  const before = await files.look();
  write('bridge.yaml', 'dealer: { id: two }\n');
  utimesSync(file, time, time);
  const seen = new Set<string>();
  for (let looks = 0; looks < 10; looks += 1) seen.add((await files.look()).all);
  expect([...seen].at(-1)).not.toBe(before.all);
});

it('a secret, a profile beside the file, and profiles and presets of the data folder count', async () => {
  write(
    'bridge.yaml',
    'feeds: [{ id: a, profile: ./mine/export.yaml }]\nleads: { password: "${file:secrets/crm.txt}" }\n',
  );
  const states = [await files.look()];
  for (const [name, text] of [
    ['secrets/crm.txt', 'first'],
    ['secrets/crm.txt', 'second'],
    ['mine/export.yaml', 'reader: csv'],
    ['mine/base.yaml', 'reader: csv'],
    ['data/adapters/feeds/profiles/ours.yaml', 'reader: csv'],
    ['data/adapters/crm/presets/ours.yaml', 'name: ours'],
  ] as const) {
    write(name, text);
    states.push(await files.look());
  }
  expect(new Set(states.map(({ all }) => all)).size).toBe(7);
  // The secrets are none of the feeds' business.
  expect(new Set(states.map(({ profiles }) => profiles)).size).toBe(5);
});

it('a file that is gone is another state, and the old one when it is back; broken YAML is looked at like any text', async () => {
  const before = await files.look();
  rmSync(file);
  const gone = await files.look();
  expect(gone.all).not.toBe(before.all);
  write('bridge.yaml', 'dealer: [');
  expect((await files.look()).all).not.toBe(gone.all);
  write('bridge.yaml', 'dealer: { id: one }\n');
  expect(await files.look()).toEqual(before);
});
