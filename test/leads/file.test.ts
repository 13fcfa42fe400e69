import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { deliverFile } from '../../src/leads/delivery/file.ts';
import { temporaryFolder } from './lead-harness.ts';

const file = (folder: string, name = 'lead.xml', content = '<adf/>') =>
  ({ kind: 'file', folder, name, content }) as const;

it('writes into the data folder and leaves nothing else behind', async () => {
  const data = temporaryFolder();
  const path = join(data, 'outgoing', 'crm', 'lead.xml');
  expect(await deliverFile(file('outgoing/crm'), data)).toEqual({ kind: 'file', sent: 'yes', path });
  expect(readFileSync(path, 'utf8')).toBe('<adf/>');
  expect(readdirSync(join(data, 'outgoing', 'crm'))).toEqual(['lead.xml']);
});

it('writes into an absolute folder', async () => {
  const [data, elsewhere] = [temporaryFolder(), temporaryFolder()];
  expect(await deliverFile(file(elsewhere), data)).toMatchObject({ path: join(elsewhere, 'lead.xml') });
});

it('gives a name that is already there the same content', async () => {
  const data = temporaryFolder();
  const twice = [await deliverFile(file('out'), data), await deliverFile(file('out'), data)];
  expect(twice.map(({ sent }) => sent)).toEqual(['yes', 'yes']);
  await deliverFile(file('out', 'lead.xml', '<adf>again</adf>'), data);
  expect(readFileSync(join(data, 'out', 'lead.xml'), 'utf8')).toBe('<adf>again</adf>');
});

it('leaves nothing of an attempt that was killed, and no half file when two write the same', async () => {
  const data = temporaryFolder();
  mkdirSync(join(data, 'out'));
  writeFileSync(join(data, 'out', '.lead.xml.tmp'), '<adf>half');
  const both = await Promise.all([deliverFile(file('out'), data), deliverFile(file('out'), data)]);
  expect(both.map(({ sent }) => sent).sort()).toEqual(['no', 'yes']);
  expect(readFileSync(join(data, 'out', 'lead.xml'), 'utf8')).toBe('<adf/>');
  expect(readdirSync(join(data, 'out'))).toEqual(['lead.xml']);
});

it.each(['../outside', 'a/../../outside'])('does not leave the data folder by %s', async (folder) => {
  expect(await deliverFile(file(folder), temporaryFolder())).toMatchObject({ sent: 'no' });
});

it.each([
  '../lead.xml',
  'a/b.xml',
  'a\\b.xml',
  '.hidden',
  '',
  '..',
  'a\u0000b',
  'C:lead.xml',
  'x'.repeat(300),
])('refuses the file name %j', async (name) => {
  const data = temporaryFolder();
  expect(await deliverFile(file('out', name), data)).toMatchObject({ sent: 'no' });
  expect(readdirSync(data)).toEqual([]);
});

it('tells why it could not write, and leaves no half file', async () => {
  const data = temporaryFolder();
  writeFileSync(join(data, 'out'), 'a file where the folder should be');
  expect(await deliverFile(file('out'), data)).toMatchObject({
    sent: 'no',
    error: expect.stringContaining('EEXIST'),
  });
  mkdirSync(join(data, 'taken', 'lead.xml'), { recursive: true });
  expect(await deliverFile(file('taken'), data)).toMatchObject({ sent: 'no' });
  expect(readdirSync(join(data, 'taken'))).toEqual(['lead.xml']);
});
