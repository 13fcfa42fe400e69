import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileSchema } from '../../src/documents/json-schema.ts';
import { mergeOptions } from '../../src/config/presets.ts';
import { readAdf } from '../adf/adf-reader.ts';
import { leadWith } from '../adf/documents.ts';
import { CRM_FOLDER, shippedAdapter } from './shipped.ts';

const FILES = readdirSync(`${CRM_FOLDER}presets`);

const checkPreset = compileSchema(
  JSON.parse(
    readFileSync(new URL('../../schemas/crm-preset.schema.json', import.meta.url), 'utf8'),
  ) as object,
);

/** What a dealer adds to a preset. */
const OWN_OPTIONS: Record<string, Record<string, unknown>> = {
  'adf-email': {
    smtp: { host: 'smtp.example.com' },
    from: { address: 'leads@dealer.example' },
    to: [{ address: 'store@crm.example' }],
  },
  'adf-http': { url: 'https://crm.example/leads', auth: { token: 'secret' } },
  'adf-file': { folder: 'outgoing' },
};

test('generic is among them', () => {
  expect(FILES).toContain('generic.yaml');
});

describe.each(FILES)('preset %s', (file) => {
  const preset = parse(readFileSync(`${CRM_FOLDER}presets/${file}`, 'utf8')) as {
    name: string;
    description: string;
    adapter: string;
    options: Record<string, unknown>;
  };

  test('is a preset, named like its file, that says what is known', () => {
    expect(checkPreset(preset)).toEqual([]);
    expect(`${preset.name}.yaml`).toBe(file);
    expect(preset.description).toMatch(/\bKnown\b/);
  });

  test('works with what a dealer adds to it', async () => {
    const written = mergeOptions(preset.options, OWN_OPTIONS[preset.adapter]!);
    const { adapter, options, schemaFaults, problems } = await shippedAdapter(preset.adapter, written);
    expect([schemaFaults, problems]).toEqual([[], []]);
    const delivery = adapter.build(leadWith(), options);
    const document =
      delivery.kind === 'email'
        ? delivery.text!
        : delivery.kind === 'http'
          ? delivery.body
          : delivery.content;
    expect(readAdf(document).name).toBe('adf');
  });
});
