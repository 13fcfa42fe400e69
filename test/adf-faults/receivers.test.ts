import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { renderAdf } from '../../src/adf/document.ts';
import type { AdfOptions } from '../../src/adf/options.ts';
import type { LeadDocument } from '../../src/model/lead.ts';
import { one, readAdf, select, texts } from '../adf/adf-reader.ts';
import type { ReadElement } from '../adf/adf-reader.ts';
import { CIVIC, leadWith, sampleLead } from '../adf/documents.ts';
import { faultsAt } from './faults.ts';

const read = (lead: LeadDocument, options: AdfOptions = {}): ReadElement =>
  one(readAdf(renderAdf(lead, options)), 'prospect');

faultsAt('receivers', (fault) => {
  fault(11, () => {
    const lead = leadWith({ vehicle_of_interest: { vin: CIVIC.vin! } }, { listing: CIVIC });
    const vehicle = one(read(lead), 'vehicle');
    expect(['year', 'make', 'model', 'stock'].flatMap((name) => texts(vehicle, name))).toEqual([
      '2022',
      'Honda',
      'Civic',
      'T12345',
    ]);
    const network = { provider: { form: 'network' as const, name: 'Net' } };
    for (const name of ['one', 'another']) {
      expect(texts(read(leadWith({ source_agent: { name } }), network), 'provider/name')).toEqual(['Net']);
    }
  });

  fault(14, () => {
    // Its table is compared with the request schema and with real documents in test/adf/field-places.test.ts.
    const guide = readFileSync(new URL('../../docs/leads.md', import.meta.url), 'utf8');
    expect(guide).toContain('## What the CRM gets');
    expect(guide).toMatch(/\| `customer\.email` +\| `customer\/contact\/email` +\|/);
  });

  fault(20, () => {
    const vendor_ids = [{ source: 'CRM', value: 'DEALER7' }];
    const ids = ['lead_1', 'lead_2'].map((lead_id) => {
      const prospect = read(leadWith({}, { lead_id }), { vendor_ids });
      expect(texts(prospect, 'vendor/id')).toEqual(['DEALER7']);
      expect(select(prospect, 'vendor/contact')).toHaveLength(1);
      expect(select(prospect, 'vehicle')).toHaveLength(1);
      return texts(prospect, 'id');
    });
    expect(ids).toEqual([['lead_1'], ['lead_2']]);
  });

  fault(21, () => {
    const lead = sampleLead('test-drive-with-trade-in');
    const prospect = read(lead, { test_drive: 'comment', names: 'split_only', phone_form: 'ten_digits' });
    expect(select(prospect, 'vehicle').map(({ attributes }) => attributes.interest)).toEqual([
      'buy',
      'trade-in',
    ]);
    expect(one(prospect, 'customer/comments').text).toContain('Requested: test drive');
    expect(select(prospect, 'customer/contact/name').map(({ attributes }) => attributes.part)).toEqual([
      'first',
      'last',
    ]);
    expect(one(prospect, 'customer/contact/phone').text).toMatch(/^\d{10}$/);
    expect(one(prospect, 'id').text).not.toBe('');
    const foreign = { ...lead.request.customer, address: { address_line_1: 'Calle 1', zip: 'G1R 4P5' } };
    expect(texts(read(leadWith({ customer: foreign })), 'customer/contact/address/postalcode')).toEqual([
      'G1R 4P5',
    ]);
  });

  fault(22, () => {
    const prospect = read(sampleLead('test-drive-with-trade-in'));
    expect(texts(select(prospect, 'vehicle')[0]!, 'vin')).toEqual(['1HGCY2F57RA000001']);
    const [name] = select(prospect, 'customer/contact/name');
    expect([name!.text, name!.attributes.part]).toEqual(['Piotr', 'first']);
    const inWords = read(sampleLead('test-drive-with-trade-in'), { trade_in: 'vehicle_and_comment' });
    expect(one(inWords, 'customer/comments').text).toContain('Trade-in: 2020 Volkswagen Passat SE');
  });

  fault(23, () => {
    const options: AdfOptions = { phone_type: 'phone', placeholder: { year: '0000' } };
    const prospect = read(leadWith(), options);
    expect(one(prospect, 'customer/contact/phone').attributes.type).toBe('phone');
    expect(texts(prospect, 'vehicle/year')).toEqual(['0000']);
    expect(texts(prospect, 'id')).toHaveLength(1);
  });
});
