import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FILES = globSync('schemas/**/*.schema.json', { cwd: ROOT });

it('are all here', () => expect(FILES.length).toBeGreaterThan(20));

// The program itself takes their word for it: looking takes as long as compiling them.
it.each(FILES)('%s is a JSON Schema of draft 2020-12', (file) => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const schema = JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as object;
  expect([ajv.validateSchema(schema), ajv.errors]).toEqual([true, null]);
});
