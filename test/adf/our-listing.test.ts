import { describe, expect, test } from 'vitest';
import { renderAdf } from '../../src/adf/document.ts';
import type { Listing, Vehicle } from '../../src/model/vehicle.ts';
import { one, readAdf, texts } from './adf-reader.ts';
import { CIVIC, leadWith } from './documents.ts';

const OURS = 'our listing: 2022 Honda Civic EX, ';
const { vin } = CIVIC;

function vehicleOf(stated: Vehicle, listing: Listing = CIVIC) {
  return one(
    readAdf(renderAdf(leadWith({ vehicle_of_interest: stated }, { listing }), {})),
    'prospect/vehicle',
  );
}

/** The remark, with the line ends of the document undone. */
function remarkOf(stated: Vehicle, listing?: Listing): string | undefined {
  const comments = texts(vehicleOf(stated, listing), 'comments').join('').replaceAll(/\s+/g, ' ');
  return /our listing: [^;]*/.exec(comments)?.[0];
}

describe('a lead that says otherwise of our vehicle', () => {
  test.each<[string, Vehicle, string]>([
    ['another car', { vin: vin!, year: 2020, make: 'Ford', model: 'F-150' }, 'stock T12345, price 26780'],
    ['the year', { vin: vin!, year: 2020 }, 'stock T12345, price 26780'],
    ['the stock number', { vin: vin!, stock: 'M54307' }, 'stock T12345, price 26780'],
    ['the VIN', { vin: '1HGCY2F57RA999999', stock: 't12345' }, `VIN ${vin!}, stock T12345, price 26780`],
    [
      'the condition',
      { vin: vin!, condition: 'new' },
      'certified pre-owned (CPO), stock T12345, price 26780',
    ],
    ['the price', { vin: vin!, price: 20_000 }, 'stock T12345, price 26780'],
    ['the list price', { vin: vin!, list_price: 20_000 }, 'stock T12345, price 26780'],
  ])('goes out with what our listing is: %s', (_, stated, facts) => {
    expect(remarkOf(stated)).toBe(OURS + facts);
  });

  test('keeps its own words in the elements', () => {
    const vehicle = vehicleOf({ vin: vin!, year: 2020, make: 'Ford', model: 'F-150', price: 20_000 });
    expect([texts(vehicle, 'make'), texts(vehicle, 'price')]).toEqual([['Ford'], ['20000']]);
  });

  test('names a price only where one is published', () => {
    const { price: _, fees: __, ...base } = CIVIC;
    expect(remarkOf({ vin: vin!, price: 20_000 }, base)).toBe(`${OURS}stock T12345, list price 24990`);
    const { list_price: ___, ...none } = base;
    expect(remarkOf({ vin: vin!, price: 20_000 }, none)).toBe(`${OURS}stock T12345, no price published`);
  });
});

test.each<[string, Vehicle]>([
  ['nothing but the VIN', { vin: vin! }],
  ['our own words', CIVIC],
  ['other case, blanks and marks', { stock: ' t-12345', make: 'HONDA', model: 'civic ' }],
  ['more of the model', { vin: vin!, model: 'Civic EX Sedan' }],
  ['words for nothing', { vin: vin!, stock: 'N/A', make: 'unknown', model: '--', trim: 'TBD' }],
  ['no price', { vin: vin!, price: 0, list_price: 0 }],
  ['the miles of the last look', { vin: vin!, mileage: 22_000, trim: 'EX-L', exterior_color: 'black' }],
])('is not told of a lead with %s', (_, stated) => {
  expect(remarkOf(stated)).toBeUndefined();
});

test('an itemisation of fees stands only beside the prices it belongs to', () => {
  const told = (stated: Vehicle) =>
    texts(vehicleOf(stated), 'pricecomments').join('').replaceAll(/\s+/g, ' ');
  expect(told({ vin: vin!, list_price: 24_990 })).toContain('price includes Documentation fee 500');
  expect(told({ vin: vin! })).toContain('price includes Documentation fee 500');
  expect(told({ vin: vin!, list_price: 20_000 })).toBe('MSRP 26500; list price 20000');
  expect(told({ vin: vin!, price: 20_000 })).not.toContain('fee');
});

test('identifiers of ours go out as we write them, and what names nothing is filled', () => {
  const vehicle = vehicleOf({ stock: 't12345', trim: 'N/A', body: 'other', interior_color: 'unknown' });
  expect(texts(vehicle, 'stock')).toEqual(['T12345']);
  expect(texts(vehicle, 'trim')).toEqual(['EX']);
  expect(texts(vehicle, 'bodystyle')).toEqual(['sedan']);
  expect(texts(vehicle, 'colorcombination/interiorcolor')).toEqual(['Black']);
});

test('a word for nothing goes out as it came where we know no better', () => {
  const { trim: _, ...listing } = CIVIC;
  expect(texts(vehicleOf({ vin: vin!, trim: 'N/A' }, listing), 'trim')).toEqual(['N/A']);
  const kind = texts(vehicleOf({ vin: vin!, vehicle_type: 'other' }), 'comments').join('');
  expect(kind).toContain('vehicle type: other');
});
