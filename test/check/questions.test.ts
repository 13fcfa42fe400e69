import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { runCommand } from '../cli/run-command.ts';
import { dealership } from './dealership.ts';

const SAMPLE =
  'VIN,Year,Make,Model,Type,Asking Price,Miles\n1HGCY2F57RA000001,2024,Honda,Accord,U,30000,12\n';

it('warns of what feed suggest asked and nobody answered, until the comment is gone', async () => {
  const { folder, words, probe } = await dealership({
    feeds: '[{ id: stock, profile: ./own.yaml, rooftop: ONE }]',
  });
  const sample = join(folder, 'export.csv');
  const own = join(folder, 'own.yaml');
  writeFileSync(sample, SAMPLE);
  expect(await runCommand(['feed', 'suggest', sample, '--out', own])).toMatchObject({ code: 0 });
  const lines = readFileSync(own, 'utf8').split('\n');
  const line = lines.findIndex((text) => text.includes('# QUESTION:')) + 1;
  expect(line).toBeGreaterThan(0);
  const question = lines[line - 1]?.split('QUESTION: ')[1] ?? '';

  const asked = await runCommand(['check', ...words]);
  expect(asked.code).toBe(0);
  expect(asked.err).toContain(`warning: ${own}:${line}: nobody has answered: ${question}\n`);
  expect(asked.out).toMatch(/No problems, \d warnings?\.\n$/);
  expect((await probe()).byKey(`question:stock:${line}`)).toMatchObject([{ status: 'warn' }]);

  writeFileSync(own, lines.filter((text) => !text.includes('# QUESTION:')).join('\n'));
  expect(await runCommand(['check', ...words])).toMatchObject({
    code: 0,
    err: '',
    out: 'bridge.yaml: 1 rooftop, 1 feed, 1 destination. No problems found.\n',
  });
});
