import { readFile, writeFile } from 'node:fs/promises';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';

const STARTER = new URL('../../config/starter.yaml', import.meta.url);

async function faultsOf(text: string, environment: NodeJS.ProcessEnv = {}): Promise<unknown> {
  const folder = mkdtempSync(join(tmpdir(), 'starter-'));
  const file = join(folder, 'my-bridge.yaml');
  await writeFile(file, text);
  const loaded = await loadConfig({ file, environment, dataFolder: join(folder, 'data') });
  return loaded.ok ? [] : loaded.problems;
}

it('a copy of the starter settings, wherever it lies, has no fault', async () => {
  expect(await faultsOf(await readFile(STARTER, 'utf8'))).toEqual([]);
});

it('nor has it with everything that is commented out switched on', async () => {
  const text = await readFile(STARTER, 'utf8');
  const all = text
    .replace(
      /^(\s*)# (fees:|public_url:|price_basis:|max_age_hours:|expect_every_hours:|when_overdue:|guard:|price_checks:)/gm,
      '$1$2',
    )
    .replace(/^(\s*)# {3}(- \{ name: Documentation)/gm, '$1  $2')
    .replace(/^ {4}# (- id: crm)$/gm, '    $1')
    .replace(/^ {4}# {3}(\w|\s{2}\w)/gm, '      $1');
  expect(all).not.toContain('# - id: crm');
  expect(await faultsOf(all, { SMTP_PASSWORD: 'secret' })).toEqual([]);
});
