import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { describe, expect, test } from 'vitest';
import { orderFaults } from './order-checker.ts';
import { readDtd } from './dtd-tables.ts';
import type { DtdTables } from './dtd-tables.ts';
import type { ReadElement } from './adf-reader.ts';
import { otherDtdFile, ourDtdFile } from './xmllint.ts';

function tablesOf(file: string): DtdTables {
  return readDtd(readFileSync(file, 'utf8'), (name) => {
    expect(name).toBe(basename(name));
    return readFileSync(new URL(name, `file://${file}`), 'utf8');
  });
}

const ours = tablesOf(ourDtdFile);

describe('our DTD', () => {
  test('says what the tables of ADF 1.0 say', () => {
    expect(Object.keys(ours.elements)).toHaveLength(53);
    expect(ours.elements).toMatchObject({
      adf: '(prospect+)',
      prospect: '(id*,requestdate,vehicle+,customer,vendor,provider?)',
      customer: '(contact,id*,timeframe?,comments?)',
      vendor: '(id*,vendorname,url?,contact)',
      provider: '(id*,name,service?,url?,email?,phone?,contact?)',
      contact: '(name+,((email,phone*)|phone+),address?)',
      address: '(street+,apartment?,city?,regioncode?,postalcode?,country?)',
      year: '(#PCDATA)',
    });
    expect(ours.attributes).toMatchObject({
      'prospect@status': '(new|resend) "new"',
      'vehicle@interest': '(buy|lease|sell|test-drive|trade-in) "buy"',
      'vehicle@status': '(new|used) "new"',
      'odometer@units': '(km|mi) #IMPLIED',
      'id@source': 'CDATA #REQUIRED',
      'phone@type': '(cellphone|fax|pager|voice) "voice"',
      'name@part': '(first|full|last|middle) "full"',
    });
  });

  test.skipIf(otherDtdFile === undefined)('says the same as the second statement of ADF 1.0', () => {
    const other = tablesOf(otherDtdFile!);
    expect(ours.elements).toEqual(other.elements);
    expect(ours.attributes).toEqual(other.attributes);
  });

  test('says the same as the checker for machines without xmllint', () => {
    // Each parent with all its children once, in the order of the DTD.
    for (const [name, content] of Object.entries(ours.elements)) {
      if (content === '(#PCDATA)' || ['option', 'finance', 'timeframe'].includes(name)) continue;
      const names = content.match(/[a-z]+/g)!;
      const children = [...new Set(names)].map((child): ReadElement => leafOf(child));
      const element: ReadElement = { name, attributes: {}, children, text: '' };
      const faults = orderFaults({ name: 'adf', attributes: {}, children: [element], text: '' });
      expect(faults.filter((fault) => fault.startsWith(`${name} holds`) && name !== 'adf')).toEqual([]);
    }
  });
});

function leafOf(name: string): ReadElement {
  return { name, attributes: {}, children: [], text: '' };
}
