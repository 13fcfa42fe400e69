import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readFile } from 'node:fs/promises';
import { isNeverPublished } from '../../src/feeds/profile/never-published.ts';
import { aliasKey, loadAliases } from '../../src/feeds/suggest/aliases.ts';

const FILE = path.join(import.meta.dirname, '../../config/aliases.yaml');

it('the table knows the spellings of a name, and only the whole name', async () => {
  const loaded = await loadAliases(FILE);
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  const isOf = (field: 'stock' | 'photos' | 'list_price', name: string): boolean =>
    loaded.value.of(field).some(({ matches }) => matches(aliasKey(name)));
  for (const name of ['Stock #', 'stock_no.', 'STOCK-NUMBER', 'Stock_x0020_Number', '@stock']) {
    expect(isOf('stock', name), name).toBe(true);
  }
  expect(isOf('stock', 'Stock Image')).toBe(false);
  expect(isOf('photos', 'Image[12].url')).toBe(true);
  expect(isOf('photos', 'images/Image7')).toBe(true);
  expect(isOf('list_price', 'AutoTrader.com List Price')).toBe(false);
});

it('the table names nothing that must stay inside the dealership', async () => {
  const { fields } = parse(await readFile(FILE, 'utf8')) as { fields: Record<string, string[]> };
  expect(Object.values(fields).flat().filter(isNeverPublished)).toEqual([]);
});

it('a table with a fault is refused with line and column', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'aliases-'));
  try {
    const file = path.join(folder, 'aliases.yaml');
    await writeFile(file, (await readFile(FILE, 'utf8')).replace('  vin:\n', '  wine:\n'));
    const loaded = await loadAliases(file);
    expect(loaded.ok).toBe(false);
    if (loaded.ok) return;
    expect(loaded.problems[0]).toMatchObject({
      message: expect.stringContaining('wine') as string,
      where: { file: 'aliases.yaml', line: expect.any(Number) as number },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
