import { expect } from 'vitest';
import { renderAdf } from '../../src/adf/document.ts';
import type { AdfOptions } from '../../src/adf/options.ts';
import { childNames, everyElement, one, readAdf, texts } from '../adf/adf-reader.ts';
import { leadWith, SAMPLE_NAMES, sampleLead } from '../adf/documents.ts';
import { xmllintFaults } from '../adf/xmllint.ts';
import { faultsAt } from './faults.ts';

const PROLOGS: NonNullable<AdfOptions['prolog']>[] = ['xml-utf8', 'xml', 'upper-case', 'declaration'];

faultsAt('text', (fault) => {
  fault(1, () => {
    for (const name of SAMPLE_NAMES) {
      const prospect = one(readAdf(renderAdf(sampleLead(name), {})), 'prospect');
      const offset = /([+-])(\d\d):(\d\d)$/.exec(one(prospect, 'requestdate').text)!;
      expect(Number(offset[2])).toBeLessThanOrEqual(14);
      expect(['00', '30', '45']).toContain(offset[3]);
      const channels = childNames(one(prospect, 'customer/contact'));
      const [email, phone] = [channels.indexOf('email'), channels.indexOf('phone')];
      if (email !== -1 && phone !== -1) expect(email).toBeLessThan(phone);
    }
  });

  fault(2, () => {
    for (const prolog of PROLOGS) {
      expect(renderAdf(leadWith(), { prolog })).toMatch(
        /^<\?xml version="1\.0"(?: encoding="UTF-8")?\?>\n(?:<\?(?:adf version|ADF VERSION)="1\.0"\?>\n)?<adf>\n/,
      );
    }
  });

  fault(5, () => {
    const nasty = `<b>"Tom's" & Co</b> ]]>`;
    const xml = renderAdf(
      leadWith(
        {
          customer: { first_name: nasty, last_name: nasty, email: 'a&b@example.com' },
          vehicle_of_interest: { stock: nasty, make: nasty, model: nasty, trim: nasty },
          source_agent: { name: nasty, url: 'https://agent.example/?a=1&b=2' },
          message: nasty,
        },
        { lead_id: nasty },
      ),
      { id_source: nasty, vendor_ids: [{ source: nasty, value: nasty }] },
    );
    const root = readAdf(xml);
    const marked = everyElement(root).filter(({ text }) => text.includes('Tom'));
    expect(marked.filter(({ name }) => name !== 'comments').map(({ text }) => text)).toEqual(
      Array.from({ length: 9 }, () => nasty),
    );
    const sources = everyElement(root).map(({ attributes }) => attributes.source);
    expect(sources.filter((source) => source !== undefined)).toEqual([nasty, nasty]);
    expect(texts(root, 'prospect/customer/comments')[0]).toMatch(/^<b>"Tom's" & Co<\/b> \]\]>\n/);
  });

  fault(19, () => {
    for (const prolog of PROLOGS) {
      const [declaration] = renderAdf(leadWith(), { prolog }).split('\n');
      expect(declaration).toMatch(/^<\?xml [^<>]*\?>$/);
    }
    expect(xmllintFaults(PROLOGS.map((prolog) => renderAdf(leadWith(), { prolog })))).toBe('');
  });

  fault(29, () => {
    const message = 'ok \u{1F697} \u0000\u000B\u001B\uFFFE\uFFFF\uD83D end \uDE97';
    const xml = renderAdf(leadWith({ message }), {});
    expect(texts(readAdf(xml), 'prospect/customer/comments')[0]).toMatch(/^ok \u{1F697} {2}end \n/u);
    expect(xml).toContain('ok &#128663;  end \n');
    expect(xmllintFaults([xml])).toBe('');
  });

  fault(30, () => {
    const xml = renderAdf(
      leadWith({
        customer: {
          first_name: 'Zoë',
          last_name: 'Ång\u00A0ström',
          phone: '+14155550123',
          address: { address_line_1: '1 Main St', zip: '02134' },
        },
        vehicle_of_interest: { stock: '00417', model: '1E5' },
      }),
      {},
    );
    const prospect = one(readAdf(xml), 'prospect');
    expect(texts(prospect, 'customer/contact/address/postalcode')).toEqual(['02134']);
    expect(texts(prospect, 'customer/contact/phone')).toEqual(['+14155550123']);
    expect(texts(prospect, 'vehicle/stock')).toEqual(['00417']);
    expect(texts(prospect, 'vehicle/model')).toEqual(['1E5']);
    expect(texts(prospect, 'customer/contact/name')).toEqual(['Zoë', 'Ång\u00A0ström']);
    expect(Buffer.from(xml)[0]).toBe('<'.charCodeAt(0));
    expect(xml).toMatch(/^[\n\x20-\x7e]*$/);
    expect(xml).not.toMatch(/&(?!amp;|lt;|gt;|quot;|#\d+;)/);
  });
});
