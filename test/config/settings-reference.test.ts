import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { REFERENCE, settingsReference } from '../../.config/docs/settings-reference.ts';

it('docs/settings.md says what the schema of the settings says (else: npm run docs)', async () => {
  expect(readFileSync(REFERENCE, 'utf8').replaceAll('\r\n', '\n')).toBe(await settingsReference());
});
