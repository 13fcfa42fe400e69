import { describe, expect, it } from 'vitest';
import { isConditional } from '../../src/feeds/mapping/fields/price-conditions.ts';
import { excludesCharges } from '../../src/feeds/mapping/fields/price-disclaimer.ts';

/** What stands beside prices, and whether the price may be called all-in. */

describe('a note that leaves a charge of the dealer outside, or open, stops an all-in price', () => {
  it.each([
    'Price does not include tax, title, license, or $389 documentation fee.',
    'All prices plus dealer charges',
    "Price doesn't include freight",
    'Processing fee of $599 will be added to all sales',
    'A $299 dealer fee applies',
    'Doc fee: $389',
    'Doc fee $389.',
    'Sale price exclusive of dealer fee',
    'Price w/o fees',
    '+ dealer handling',
    'An additional $799 is charged for reconditioning',
    'Market adjustment of $5,000 not reflected',
    'Dealer prep $499',
    'Prix avant frais de documentation',
    'Prix hors frais de préparation',
    'Frais de dossier en sus',
    'Precio no incluye gastos de documentación',
    'Más cargos por preparación',
    'Plus government fees and taxes, any dealer document processing charge, any electronic filing charge.',
    'Price includes freight but not the doc fee',
    'Price includes destination, plus dealer add-ons',
    'Price excludes registration and documentation fees',
    'Excludes tax, title, license and fees',
    'Tax, title, license and dealer fees are extra.',
    'No fees included in the price',
    'Documentation not included',
    'Dealer fees are not included',
    'Price includes all fees other than destination',
    'All vehicles are subject to a $995 protection package',
    'A charge for nitrogen and etching applies',
    'Prices exclude tax. Dealer documentation fee of $150 will be collected.',
    'Addendum of $1,995 may apply',
  ])('%s', (note) => {
    expect(excludesCharges(note)).toBe(true);
  });
});

describe('a note that makes the price one for some buyers only stops an all-in price', () => {
  it.each([
    'Must finance with dealer to get this price',
    'Price includes $1,000 military rebate',
    'Price after all rebates; not all buyers qualify',
    'Loyalty bonus cash included',
    'Conquest cash included',
    'Price net of trade-in assistance. See dealer.',
    'Price assumes financing through NMAC',
    'With approved credit',
    'Price requires financing with our lender',
    'Price with dealer financing',
    'Includes $500 finance bonus cash',
    'W.A.C.',
    'Includes all available rebates and incentives',
    'Price reflects college graduate discount',
    'For qualified buyers',
    'Not everyone will qualify for this price',
    'Must trade in a 2015 or newer vehicle',
    'Price with eligible trade',
    'Price valid only when financed through Ford Credit',
    'Rabais militaire inclus',
    'Precio con financiamiento',
    'Incluye descuento militar',
  ])('%s', (note) => {
    expect(isConditional(note)).toBe(true);
  });
});

describe('a note that says nothing against the price does not stop it', () => {
  it.each([
    'See dealer for details.',
    'Price includes all mandatory dealer fees and add-ons.',
    'Price includes $389 doc fee; excludes tax, title and license',
    'Price includes $389 doc fee, excludes tax, title and license',
    'Price includes doc fee and does not include tax',
    'Price inclusive of all dealer fees but not of tax',
    'Excludes government fees',
    'Plus tax, title and license',
    'Plus TT&L',
    'Price excludes tax, title, license fees.',
    'Price includes all dealer fees. Tax, title and registration fees are extra.',
    'Prices exclude state and local taxes, tags, and title fees.',
    'Doc fee included.',
    'All dealer charges included, plus tax',
    'No hidden fees!',
    'No dealer fees, no hassle',
    'We do not charge doc fees.',
    '$0 doc fee',
    'No market adjustments',
    'Destination charge included',
    'Taxes en sus',
    "Taxes et frais d'immatriculation en sus",
    'Impuestos y placas no incluidos',
    'Tous les frais inclus, taxes en sus',
    'Todos los cargos incluidos, más impuestos',
    'Prices are subject to change without notice.',
    'Dealer is not responsible for typographical errors.',
    'Vehicle is subject to prior sale.',
    'Photos may not show the actual vehicle.',
    'MSRP is the manufacturer suggested retail price.',
    'Supports DC fast charging; charge times vary.',
    'Delivery available free of charge',
    'Optional accessories not shown.',
    'Financing available with approved credit.',
    'All financing is subject to credit approval.',
    'Low rates for qualified buyers, ask about financing.',
    'Payments from $299 per month with approved credit',
    'Military discount available.',
    'Ask about our college graduate rebate',
    'You may qualify for additional rebates.',
    'Price before rebates',
    'Price does not include military rebate',
    'Trade-ins welcome',
    'Get cash for your trade',
    'No financing required',
    'Price includes manufacturer rebate',
    'One owner, clean title, no accidents.',
    'Cash price. In-stock units only.',
    'Mileage is approximate.',
    '10-day return policy, see store.',
  ])('%s', (note) => {
    expect([excludesCharges(note), isConditional(note)]).toEqual([false, false]);
  });
});

it('reads a long note in no time', () => {
  const notes = ['no ', 'if finance ', 'tax, ', 'all ', 'with a '].map((word) => word.repeat(5000));
  const begun = performance.now();
  for (const note of notes) [excludesCharges(note), isConditional(note)].forEach(String);
  expect(performance.now() - begun).toBeLessThan(1500);
});
