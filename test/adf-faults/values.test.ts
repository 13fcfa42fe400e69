import { expect } from 'vitest';
import { renderAdf } from '../../src/adf/document.ts';
import { childNames, one, readAdf, select, texts } from '../adf/adf-reader.ts';
import type { ReadElement } from '../adf/adf-reader.ts';
import { LAKEVIEW, leadWith } from '../adf/documents.ts';
import { faultsAt } from './faults.ts';

const read = (lead = leadWith()): ReadElement => one(readAdf(renderAdf(lead, {})), 'prospect');

faultsAt('values', (fault) => {
  fault(4, () => {
    const prospect = read(leadWith({ submitted_at: '2026-01-19T16:40:00-06:00' }));
    expect(texts(prospect, 'requestdate')).toEqual(['2026-01-19T17:40:00-05:00']);
    expect(one(prospect, 'customer/contact/phone').attributes.type).toBe('voice');
    expect(texts(prospect, 'vendor/vendorname')).toEqual(['Lakeview Pre-Owned']);
    const cell = one(readAdf(renderAdf(leadWith(), { phone_type: 'cellphone' })), 'prospect');
    expect(one(cell, 'customer/contact/phone').attributes.type).toBe('cellphone');
  });

  fault(7, () => {
    // voice is what ADF takes a phone without a type for.
    const phone = one(read(), 'customer/contact/phone');
    expect(phone.attributes).toEqual({ type: 'voice' });
  });

  fault(16, () => {
    const customer = {
      first_name: 'Luis',
      last_name: 'Paz',
      phone: '+525512345678',
      address: { address_line_1: 'Calle 1', country: 'México' },
    };
    const prospect = read(
      leadWith({
        customer,
        vehicle_of_interest: { make: 'Nissan', model: 'Versa' },
        submitted_at: '2026-02-03T12:00:00Z',
      }),
    );
    expect(texts(prospect, 'requestdate')).toEqual(['2026-02-03T07:00:00-05:00']);
    expect(texts(prospect, 'customer/contact/address/country')).toEqual(['MX']);
    expect([texts(prospect, 'vehicle/make'), texts(prospect, 'vehicle/model')]).toEqual([
      ['Nissan'],
      ['Versa'],
    ]);
    expect(texts(prospect, 'customer/contact/phone')).toEqual(['+525512345678']);
  });

  fault(18, () => {
    const odometer = one(read(leadWith({ vehicle_of_interest: { mileage: 22150 } })), 'vehicle/odometer');
    expect([odometer.text, odometer.children, odometer.attributes.units]).toEqual(['22150', [], 'mi']);
  });

  fault(25, () => {
    const customer = { first_name: 'Ann', last_name: 'Lee', email: 'ann@example.com' };
    const bare = { ...LAKEVIEW, profile: { name: 'Lakeview', phones: [{ value: '+12075550130' }] } };
    const prospect = read(leadWith({ customer }, { rooftop: bare }));
    expect(texts(prospect, 'vendor/vendorname')).toEqual(['Lakeview']);
    expect(texts(prospect, 'provider/name')).toEqual(['shopping-assistant']);
    // No address, no country, no second channel of anybody.
    expect(childNames(one(prospect, 'customer/contact'))).toEqual(['name', 'name', 'email']);
    expect(childNames(one(prospect, 'vendor/contact'))).toEqual(['name', 'phone']);
    expect(texts(prospect, 'requestdate')).toEqual(['2026-04-30T11:05:10+00:00']);
  });

  fault(27, () => {
    const prospect = read(
      leadWith({
        vehicle_of_interest: { mileage: 0, stock: '0', trim: '0', other_attributes: { owners: 0 } },
        message: '{"a": 1}',
      }),
    );
    expect(texts(prospect, 'vehicle/odometer')).toEqual(['0']);
    expect([texts(prospect, 'vehicle/stock'), texts(prospect, 'vehicle/trim')]).toEqual([['0'], ['0']]);
    expect(one(prospect, 'vehicle/comments').text).toContain('owners: 0');
    expect(one(prospect, 'customer/comments').text).toMatch(/^\{"a": 1\}\n/);
    expect(select(prospect, 'customer/a')).toEqual([]);
  });
});
