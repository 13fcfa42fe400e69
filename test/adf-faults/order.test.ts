import { expect } from 'vitest';
import { renderAdf } from '../../src/adf/document.ts';
import { childNames, everyElement, one, readAdf, select, texts } from '../adf/adf-reader.ts';
import type { ReadElement } from '../adf/adf-reader.ts';
import { leadWith, SAMPLE_NAMES, sampleLead } from '../adf/documents.ts';
import { orderFaults } from '../adf/order-checker.ts';
import { faultsAt } from './faults.ts';

const read = (lead = leadWith()): ReadElement => one(readAdf(renderAdf(lead, {})), 'prospect');

faultsAt('order', (fault) => {
  fault(3, () => {
    const prospect = read();
    expect(prospect.attributes).toEqual({ status: 'new' });
    expect(texts(prospect, 'requestdate')).toEqual(['2026-04-30T07:05:10-04:00']);
    const names = everyElement(prospect).map(({ name }) => name);
    expect(names).not.toContain('primarycontact');
    expect(select(prospect, 'customer/contact').map(({ attributes }) => attributes)).toEqual([{}]);
  });

  fault(6, () => {
    const prospect = read(leadWith({ message: 'Hello' }));
    expect(childNames(one(prospect, 'customer'))).toEqual(['contact', 'comments']);
    expect(childNames(one(prospect, 'customer/contact'))).toEqual(['name', 'name', 'email', 'phone']);
  });

  fault(15, () => {
    const lead = leadWith({
      vehicle_of_interest: { vin: '1HGCY2F57RA000001', year: 2022, make: 'Honda', model: 'Civic' },
      submitted_at: '2026-04-30T07:05:08-04:00',
    });
    const prospect = read(lead);
    expect(childNames(one(prospect, 'vehicle'))).toEqual(['year', 'make', 'model', 'vin', 'comments']);
    expect(one(prospect, 'customer/contact/phone').attributes.type).toBe('voice');
    expect(one(prospect, 'requestdate').text).toBe('2026-04-30T07:05:08-04:00');
  });

  fault(17, () => {
    const xml = renderAdf(leadWith({ message: 'Hello' }), {});
    expect(xml.startsWith('<?xml version')).toBe(true);
    const root = readAdf(xml);
    expect(childNames(root)).toEqual(['prospect']);
    expect(childNames(one(root, 'prospect')).slice(-3)).toEqual(['customer', 'vendor', 'provider']);
    expect(select(root, 'prospect/customer/contact/comments')).toEqual([]);
  });

  fault(24, () => {
    const root = readAdf(renderAdf(sampleLead('test-drive-with-trade-in'), {}));
    expect(root.attributes).toEqual({});
    const attributes = everyElement(root).flatMap((element) => Object.keys(element.attributes));
    expect(attributes.filter((name) => name.startsWith('xmlns') || name === 'version')).toEqual([]);
    const order = childNames(one(root, 'prospect'));
    expect(order.indexOf('vehicle')).toBeLessThan(order.indexOf('customer'));
    expect(one(root, 'prospect/customer/contact').children[0]!.children).toEqual([]);
  });

  fault(31, () => {
    for (const name of SAMPLE_NAMES) {
      const prospect = read(sampleLead(name));
      expect(orderFaults({ name: 'adf', attributes: {}, children: [prospect], text: '' })).toEqual([]);
    }
    const prospect = read(sampleLead('test-drive-with-trade-in'));
    const order = childNames(prospect);
    expect(order.indexOf('vendor')).toBeLessThan(order.indexOf('provider'));
    expect(select(prospect, 'vendor/contact')).toHaveLength(1);
    const [wanted, tradeIn] = select(prospect, 'vehicle').map(childNames);
    expect(wanted!.indexOf('vin')).toBeLessThan(wanted!.indexOf('trim'));
    expect(tradeIn!.indexOf('odometer')).toBeLessThan(tradeIn!.indexOf('condition'));
  });
});
