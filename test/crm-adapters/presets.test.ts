import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { compileSchema } from '../../src/documents/json-schema.ts';
import { mergeOptions } from '../../src/config/presets.ts';
import type { Delivery, LeadDocument } from '../../src/adapters/index.ts';
import { renderAdf } from '../../src/adf/document.ts';
import { one, readAdf, select, texts } from '../adf/adf-reader.ts';
import type { ReadElement } from '../adf/adf-reader.ts';
import { leadWith, SAMPLE_NAMES, sampleLead } from '../adf/documents.ts';
import { orderFaults } from '../adf/order-checker.ts';
import { xmllintFaults } from '../adf/xmllint.ts';
import { CRM_FOLDER, shippedAdapter } from './shipped.ts';

const FILES = readdirSync(`${CRM_FOLDER}presets`).filter((file) => file.endsWith('.yaml'));

const checkPreset = compileSchema(
  JSON.parse(
    readFileSync(new URL('../../schemas/crm-preset.schema.json', import.meta.url), 'utf8'),
  ) as object,
);

/** What a dealer adds to a preset of the adapter, or of that name. */
const OWN_OPTIONS: Record<string, Record<string, unknown>> = {
  'adf-email': {
    smtp: { host: 'smtp.example.com' },
    from: { address: 'leads@dealer.example' },
    to: [{ address: 'store@crm.example' }],
  },
  'adf-http': { url: 'https://crm.example/leads', auth: { token: 'secret' } },
  'adf-file': { folder: 'outgoing' },
  'adf-sftp': {
    host: 'sftp.crm.example',
    user: 'store',
    password: 'secret',
    host_key: 'SHA256:uNiVztksCsDhcc0u9e8BrzJXvIlZ6OdJ8LpDrNzqm2o',
  },
  dealerai: { url: 'https://crm.example/leads', auth: { user: 'store', password: 'secret' } },
  fullpath: {
    smtp: { host: 'smtp.example.com' },
    from: { address: 'leads@dealer.example' },
    to: { default: [{ address: 'a@crm.example' }], service: [{ address: 'workshop@crm.example' }] },
  },
};

interface Preset {
  name: string;
  description: string;
  adapter: string;
  options: Record<string, unknown>;
}

function readPreset(name: string): Preset {
  return parse(readFileSync(`${CRM_FOLDER}presets/${name}.yaml`, 'utf8')) as Preset;
}

/** The preset with what a dealer adds, as the settings hand it over. */
function withOwn({ name, adapter, options }: Preset) {
  return shippedAdapter(adapter, mergeOptions(options, OWN_OPTIONS[name] ?? OWN_OPTIONS[adapter]!));
}

/** The ADF in whatever the adapter builds. */
function documentOf(delivery: Delivery): string {
  switch (delivery.kind) {
    case 'email':
      return delivery.text!;
    case 'http':
      return delivery.body.startsWith('{')
        ? (JSON.parse(delivery.body) as { adf: string }).adf
        : delivery.body;
    default:
      return (delivery as { content: string }).content;
  }
}

async function readWith(name: string, lead: LeadDocument): Promise<ReadElement> {
  const { adapter, options } = await withOwn(readPreset(name));
  return one(readAdf(documentOf(adapter.build(lead, options))), 'prospect');
}

const README = readFileSync(`${CRM_FOLDER}presets/README.md`, 'utf8');

test('generic is among them', () => {
  expect(FILES).toContain('generic.yaml');
});

describe.each(FILES)('preset %s', (file) => {
  const preset = readPreset(file.replace(/\.yaml$/, ''));

  test('is a preset, named like its file, that says what is known and what is a guess', () => {
    expect(checkPreset(preset)).toEqual([]);
    expect(`${preset.name}.yaml`).toBe(file);
    expect(preset.description).toMatch(/\bKnown\b/);
    expect(preset.description).toMatch(/\bguess\b/);
  });

  test('gives valid documents with what a dealer adds to it', async () => {
    const { adapter, options, schemaFaults, problems } = await withOwn(preset);
    expect([schemaFaults, problems]).toEqual([[], []]);
    const documents = SAMPLE_NAMES.map((name) => documentOf(adapter.build(sampleLead(name), options)));
    const ownHabit = /^phone has type="phone"$/;
    for (const document of documents) {
      const faults = orderFaults(readAdf(document));
      expect(
        preset.name === 'vinsolutions' ? faults.filter((fault) => !ownHabit.test(fault)) : faults,
      ).toEqual([]);
    }
    const asInTheDtd = documents.map((document) => document.replaceAll('type="phone"', 'type="voice"'));
    expect(xmllintFaults(asInTheDtd)).toBe('');
  });

  test('stands in the list', () => {
    expect(README).toContain(`| \`${preset.name}\` `);
  });
});

test('the list names no preset that is not there', () => {
  const names = [...README.matchAll(/^\| `([\w-]+)`/gm)].map(([, name]) => `${name}.yaml`);
  expect(names.sort()).toEqual([...FILES].sort());
});

describe('what the presets are for', () => {
  test('eLead: declaration without an encoding, dealership in the subject', async () => {
    const { adapter, options } = await withOwn(readPreset('elead'));
    const mail = adapter.build(leadWith(), options);
    expect(mail).toMatchObject({
      kind: 'email',
      subject: 'New lead for Lakeview Pre-Owned',
      attachments: [],
    });
    expect(documentOf(mail)).toMatch(/^<\?xml version="1\.0"\?>\n<\?adf version="1\.0"\?>\n<adf>/);
  });

  test('VinSolutions: phone type phone', async () => {
    const prospect = await readWith('vinsolutions', leadWith());
    expect(one(prospect, 'customer/contact/phone').attributes.type).toBe('phone');
  });

  test('DealerPeak: one provider name, whoever the agent is', async () => {
    for (const name of ['one-agent', 'another-agent']) {
      const prospect = await readWith('dealerpeak', leadWith({ source_agent: { name } }));
      expect(texts(prospect, 'provider/name')).toEqual(['dealer-bridge']);
      expect(texts(prospect, 'provider/service')).toEqual([name]);
    }
  });

  test('LeadConduit: first and last name and the three elements of the vehicle are never empty', async () => {
    const customer = { first_name: 'Ann', last_name: '', phone: '+12075550142' };
    const prospect = await readWith('leadconduit', leadWith({ customer }));
    expect(
      select(prospect, 'customer/contact/name').map(({ text, attributes }) => [text, attributes.part]),
    ).toEqual([['Ann', 'first']]);
    expect(['year', 'make', 'model'].flatMap((name) => texts(prospect, `vehicle/${name}`))).toEqual([
      '0000',
      'Unknown',
      'Unknown',
    ]);
  });

  test('Reynolds: the trade-in also in words', async () => {
    const prospect = await readWith('reynolds', sampleLead('trade-in-only'));
    const comments = one(prospect, 'customer/comments').text.replaceAll('\n', ' ');
    expect(comments).toContain(
      'Trade-in: 2014 Toyota Corolla, VIN 2T1BURHE0EC000001, 196000 mi, 6-speed manual, condition poor, Barcelona Red',
    );
    expect(comments).toContain('About the trade-in: Rear bumper damage.; owners: 2; smoke_free: yes');
  });

  test('Fullpath: the workshop has an address of its own', async () => {
    const { adapter, options } = await withOwn(readPreset('fullpath'));
    const recipients = (lead: LeadDocument): unknown => adapter.build(lead, options);
    expect(recipients(sampleLead('service-appointment'))).toMatchObject({
      to: [{ address: 'workshop@crm.example' }],
      subject: 'New lead for Lakeview Pre-Owned: service appointment',
    });
    expect(recipients(sampleLead('vin-only'))).toMatchObject({ to: [{ address: 'a@crm.example' }] });
  });

  test('DealerAI: the ADF inside JSON, with a login', async () => {
    const { adapter, options } = await withOwn(readPreset('dealerai'));
    const delivery = adapter.build(leadWith(), options);
    expect(delivery).toMatchObject({
      kind: 'http',
      body: JSON.stringify({ adf: renderAdf(leadWith(), {}) }),
      headers: { Authorization: `Basic ${Buffer.from('store:secret').toString('base64')}` },
    });
  });
});
