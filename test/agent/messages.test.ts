import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ageText } from '../../src/agent/skills/age-text.ts';
import { rooftopFreshnessText, withFreshness } from '../../src/agent/skills/freshness-text.ts';
import { noMatchText } from '../../src/agent/skills/no-match-text.ts';
import type { Blame, Filters, InventoryStatus, NoMatch } from '../../src/inventory/inventory.ts';

const NOW = Date.parse('2026-04-30T10:15:30Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function statusOf(...ages: (number | undefined)[]): InventoryStatus {
  return {
    vehicles: ages.length,
    lotVersion: 1,
    rooftops: ages.map((age, index) => ({
      rooftopId: `R${index}`,
      vehicles: 1,
      ...(age === undefined ? {} : { confirmedAt: new Date(NOW - age).toISOString() }),
    })),
  };
}

const terms = (...values: string[]) => values.map((value, index) => ({ value, count: 9 - index }));
const alone = (blame: Blame): NoMatch => ({ kind: 'alone', ...blame });

describe('an age in words', () => {
  it.each([
    [-5, 'less than a minute'],
    [59_999, 'less than a minute'],
    [MINUTE, '1 minute'],
    [HOUR - 1, '59 minutes'],
    [HOUR, '1 hour'],
    [47.9 * HOUR, '47 hours'],
    [48 * HOUR, '2 days'],
    [71.9 * HOUR, '2 days'],
  ])('of %i ms is %j', (age, words) => expect(ageText(age)).toBe(words));
});

describe('how fresh the lot is', () => {
  it.each([
    [[2 * HOUR], 'Counted; the lot was last confirmed 2 hours ago.'],
    [[2 * HOUR, 2.5 * HOUR], 'Counted; the lot was last confirmed 2 hours ago.'],
    [[72 * HOUR, 2 * HOUR], 'Counted; the lot was last confirmed between 2 hours and 3 days ago.'],
    [[undefined], 'Counted.'],
    [[], 'Counted.'],
  ])('with rooftops confirmed %j ms ago', (ages, message) =>
    expect(withFreshness('Counted', statusOf(...ages), NOW)).toBe(message),
  );

  it('is told of each rooftop, and of many from when to when', () => {
    const dealer = (count: number) => ({
      name: 'Harbor Group',
      rooftops: Array.from({ length: count }, (_, index) => ({
        id: `R${index}`,
        feed_ids: ['secret'],
        profile: { name: `Rooftop ${index}` },
      })),
    });
    const status = statusOf(HOUR, 3 * 24 * HOUR);
    expect(rooftopFreshnessText(dealer(1), status, NOW)).toBe(
      'Harbor Group has one location: Rooftop 0 confirmed its vehicles 1 hour ago.',
    );
    expect(rooftopFreshnessText(dealer(3), status, NOW)).toBe(
      'Harbor Group has 3 locations: Rooftop 0 confirmed its vehicles 1 hour ago, ' +
        'Rooftop 1 confirmed its vehicles 3 days ago, Rooftop 2 lists no vehicles.',
    );
    expect(rooftopFreshnessText(dealer(30), status, NOW)).toBe(
      'Harbor Group has 30 locations; the lot was last confirmed between 1 hour and 3 days ago.',
    );
  });
});

describe('why nothing was found', () => {
  it.each<[Filters, NoMatch, string]>([
    [{}, { kind: 'empty_lot' }, 'No vehicle is on the lot at the moment'],
    [
      { price_max: 5000 },
      alone({ constraint: 'price', facet: { min: 7995, max: 62_000 } }),
      'No vehicle under $5,000; the lowest on the lot is $7,995',
    ],
    [
      { price_min: 90_000 },
      alone({ constraint: 'price', facet: { min: 7995, max: 62_000 } }),
      'No vehicle over $90,000; the highest on the lot is $62,000',
    ],
    [
      { price_min: 1, price_max: 2 },
      alone({ constraint: 'price', facet: { min: 7995, max: 62_000 } }),
      'No vehicle from $1 to $2; the range on the lot is $7,995 to $62,000',
    ],
    [
      { price_min: 2, price_max: 1 },
      alone({ constraint: 'price', facet: { min: 7995, max: 62_000 }, untold: 3 }),
      'No vehicle from $2 to $1; the lower limit is above the upper one',
    ],
    [
      { price_max: 5000 },
      alone({ constraint: 'price', facet: { min: 7995, max: 62_000 }, untold: 1071 }),
      'No vehicle under $5,000; the lowest on the lot is $7,995, and 1,071 vehicles list no price',
    ],
    [
      { exterior_color: ['Red'] },
      alone({
        constraint: 'exterior_color',
        facet: terms('Rapid Red', 'Soul Red'),
        likeNames: true,
        untold: 1,
      }),
      'No vehicle with exterior color Red; exterior colors of a like name on the lot are Rapid Red, Soul Red, ' +
        'and one vehicle lists no exterior color',
    ],
    [
      { model: ['Silverado'] },
      alone({ constraint: 'model', facet: terms('Silverado 1500'), likeNames: true }),
      'No vehicle with model Silverado; the only model of a like name on the lot is Silverado 1500',
    ],
    [{ price_max: 1 }, alone({ constraint: 'price' }), 'No vehicle under $1; none shows a price'],
    [
      { year_min: 2030 },
      alone({ constraint: 'year', facet: { min: 2001, max: 2026 } }),
      'No vehicle of model year 2030 or newer; the newest on the lot is 2026',
    ],
    [
      { mileage_max: 0 },
      alone({ constraint: 'mileage', facet: { min: 1, max: 90_000 } }),
      'No vehicle under 0 miles; the lowest on the lot is 1 mile',
    ],
    [
      { mileage_max: 5 },
      alone({ constraint: 'mileage', facet: { min: 12, max: 90_000 } }),
      'No vehicle under 5 miles; the lowest on the lot is 12 miles',
    ],
    [
      { make: ['Tesla'] },
      alone({ constraint: 'make', facet: terms('Ford', 'Honda') }),
      'No Tesla; makes on the lot are Ford, Honda',
    ],
    [
      { make: [''] },
      alone({ constraint: 'make', facet: terms('Ford', 'Honda') }),
      'No “”; makes on the lot are Ford, Honda',
    ],
    [
      { body: [' \n', 'SUV'] },
      alone({ constraint: 'body', facet: terms('Sedan') }),
      'No vehicle with body “” or SUV; the only body on the lot is Sedan',
    ],
    [
      { make: ['Tesla', 'Rivian', 'Lucid', 'Fisker'] },
      alone({ constraint: 'make', facet: terms('a', 'b', 'c', 'd', 'e', 'f') }),
      'No Tesla or Rivian or 2 others; makes on the lot are a, b, c, d, e and others',
    ],
    [
      { fuel: ['bev'] },
      alone({ constraint: 'fuel', facet: terms('gas') }),
      'No vehicle with fuel bev; the only fuel on the lot is gas',
    ],
    [
      { charge_port: ['nacs'] },
      alone({ constraint: 'charge_port' }),
      'No vehicle with charge port nacs; none tells its charge port',
    ],
    [{ dc_fast_charge: true }, alone({ constraint: 'dc_fast_charge' }), 'No vehicle with DC fast charging'],
    [{ stock: 'X\n1' }, alone({ constraint: 'stock' }), 'No vehicle with stock number “X 1”'],
    [
      { query: 'red zebra' },
      alone({ constraint: 'query', word: 'zebra' }),
      'No vehicle with the word “zebra”',
    ],
    [
      { query: 'suv 30000' },
      alone({ constraint: 'query', word: '30000' }),
      'No vehicle with the word “30000”; prices, years and mileage have filters of their own',
    ],
    [
      { make: ['Ford'], price_max: 5000 },
      { kind: 'without', total: 1200, constraint: 'price', facet: { min: 7995, max: 8000 } },
      'No vehicle matches all filters; without "under $5,000" 1,200 vehicles do; the lowest there is $7,995',
    ],
    [
      { make: ['Tesla'], fuel: ['gas'] },
      { kind: 'without', total: 1, constraint: 'make', facet: terms('Ford') },
      'No vehicle matches all filters; without "Tesla" one vehicle does; the only make there is Ford',
    ],
    [
      {},
      { kind: 'together' },
      'No vehicle matches all filters, and none does when any one of them is left away',
    ],
  ])('%j', (filters, why, text) => expect(noMatchText(filters, why)).toBe(text));

  it('stays one short line, whatever the shopper and the feeds write', () => {
    const text = fc.string({ unit: 'binary', maxLength: 80 });
    fc.assert(
      fc.property(fc.array(text, { maxLength: 5 }), fc.array(text, { maxLength: 6 }), (asked, values) => {
        const why: NoMatch = {
          kind: 'without',
          total: 999_999,
          constraint: 'exterior_color',
          facet: terms(...values),
        };
        const message = withFreshness(noMatchText({ exterior_color: asked }, why), statusOf(HOUR), NOW);
        expect(message.length).toBeLessThanOrEqual(300);
        expect(message).not.toMatch(/\p{Cc}/u);
        expect(message.isWellFormed()).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
