import { describe, expect, it } from 'vitest';
import { compileDateFormat } from '../../src/feeds/mapping/fields/date.ts';
import { windowBetween, windowOf } from '../../src/feeds/mapping/fields/sale-window.ts';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import { formatInstant } from '../../src/model/clock.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';
import { SuggestBench } from '../feeds-suggest/suggest-bench.ts';
import { ROOFTOPS, runProfile, shippedProfile, valueOf, writeProfiles } from './run-profile.ts';

const YEAR_AGO = new Date().getFullYear() - 1;
const PAST = `${YEAR_AGO}-01-01T00:00-0500/${YEAR_AGO}-02-01T00:00-0500`;
const RUNNING = `${YEAR_AGO}-01-01T00:00-0500/${YEAR_AGO + 3}-02-01T00:00-0500`;
const COMING = `${YEAR_AGO + 3}-01-01/${YEAR_AGO + 3}-02-01`;

describe('when a sale price counts', () => {
  const calendar = { format: undefined, timeZone: 'America/New_York' };
  const told = (text: string, over = {}) => {
    const window = windowOf(text, { ...calendar, ...over });
    return window && [formatInstant(window.from), formatInstant(window.until)];
  };

  it.each([
    ['2026-05-01T00:00-0500/2026-06-01T23:59-05:00', '2026-05-01T05:00:00Z', '2026-06-02T04:59:00Z'],
    ['2026-05-01T10:00Z/2026-06-01T10:00Z', '2026-05-01T10:00:00Z', '2026-06-01T10:00:00Z'],
    ['2026-05-01T10:00:00+0100/2026-06-01T10:00:00+0100', '2026-05-01T09:00:00Z', '2026-06-01T09:00:00Z'],
    ['2026-01-10/2026-01-31', '2026-01-10T05:00:00Z', '2026-02-01T05:00:00Z'],
    ['2026-05-01T08:00/2026-06-01T08:00', '2026-05-01T12:00:00Z', '2026-06-01T12:00:00Z'],
    ['05/01/2026 - 05/31/2026', '2026-05-01T04:00:00Z', '2026-06-01T04:00:00Z'],
    ['05/01/2026 8:00 PM to 05/31/2026 12:00 AM', '2026-05-02T00:00:00Z', '2026-05-31T04:00:00Z'],
  ])('%s', (text, from, until) => {
    expect(told(text)).toEqual([from, until]);
  });

  it.each([
    '2026-05-01',
    '2026-05-01/',
    '/2026-05-01',
    '2026-05-01/soon',
    '2026-06-01/2026-05-01',
    '2026-05-01T00/2026-06-01T25:00',
    '2026-05-01T10:00:00Q/2026-06-01',
    '2026-05-01/2026-06-01/2026-07-01',
    '2026-13-01/2026-14-01',
  ])('%s is no answer', (text) => {
    expect(told(text)).toBeUndefined();
  });

  it('is certain by every clock where nobody knows the zone', () => {
    expect(told('2026-01-10/2026-01-31', { timeZone: undefined })).toEqual([
      '2026-01-10T12:00:00Z',
      '2026-01-31T10:00:00Z',
    ]);
  });

  it('follows the format of the profile', () => {
    const format = compileDateFormat('DD/MM/YYYY');
    const window = windowBetween('03/04/2026', '05/04/2026', { format, timeZone: 'UTC' });
    expect(window?.from).toBe(Date.parse('2026-04-03T00:00:00Z'));
    expect(window?.until).toBe(Date.parse('2026-04-06T00:00:00Z'));
  });
});

describe.each(['google-vehicle-ads', 'google-vehicle-ads-xml'])('a sale price of %s', (name) => {
  const FIELDS: Record<string, string> = {
    ...{ condition: 'Used', brand: 'Kia', model: 'Soul', year: '2020', vin: '1HGCV1F37LA391007' },
    ...{ mileage: '33000 mi', store_code: 'HPM01', id: 'G1', link: 'https://v.example/1' },
  };

  async function published(price: string, sale: string, dates: string, basis?: 'all_in') {
    const fields = { ...FIELDS, price, sale_price: sale, sale_price_effective_date: dates };
    const text =
      name === 'google-vehicle-ads'
        ? `${Object.keys(fields).join('\t')}\n${Object.values(fields).join('\t')}\n`
        : `<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item>${Object.entries(fields)
            .map(([field, value]) => `<g:${field}>${value}</g:${field}>`)
            .join('')}</item></channel></rss>`;
    const { vehicles, warnings } = await runProfile(
      await shippedProfile(name),
      text,
      basis && { price_basis: basis },
    );
    const [vehicle] = vehicles;
    return {
      list_price: vehicle?.list_price,
      price: vehicle?.price,
      warned: warnings.map(({ code }) => code),
    };
  }

  it.each([
    ['counts within its dates', '18995 USD', RUNNING, 18_995, []],
    ['counts always without dates', '18995 USD', '', 18_995, []],
    ['is over', '18995 USD', PAST, 19_995, []],
    ['is yet to come', '18995 USD', COMING, 19_995, []],
    ['has dates that cannot be read', '18995 USD', 'until Sunday', 19_995, ['sale_dates_invalid']],
    ['has no end', '18995 USD', '2025-01-01T00:00-0500/', 19_995, ['sale_dates_invalid']],
    ['is blank', '', RUNNING, 19_995, []],
    ['is blank with bad dates', '', 'until Sunday', 19_995, []],
    ['is zero', '0 USD', RUNNING, 19_995, []],
  ])('%s', async (_, sale, dates, price, warned) => {
    expect(await published('19995 USD', sale, dates)).toEqual({
      list_price: price,
      price: undefined,
      warned,
    });
  });

  it('is an attested price within its dates only', async () => {
    expect(await published('19995 USD', '18995 USD', PAST, 'all_in')).toMatchObject({ price: 19_995 });
    expect(await published('19995 USD', '18995 USD', RUNNING, 'all_in')).toMatchObject({ price: 18_995 });
  });
});

describe('a sale price of a profile of one own', () => {
  const BASE = { reader: 'csv', mode: 'full', description: 'Own.' };
  const MAP = {
    stock: 'stock',
    year: 'year',
    make: 'make',
    model: 'model',
    condition: 'condition',
    list_price: 'price',
  };

  async function priceOf(sale: object, from: string, until: string, rooftops: Rooftop[] = ROOFTOPS) {
    const map = { ...MAP, sale_price: { column: 'sale', ...sale } };
    const own = await writeProfiles({ own: { ...BASE, map } });
    const profile = valueOf(await loadProfile('own', { builtIn: own }));
    const text = `stock,year,make,model,condition,price,sale,from,until\nA1,2020,Kia,Soul,used,20000,19000,${from},${until}\n`;
    const { vehicles, warnings } = await runProfile(profile, text, {}, rooftops);
    return [vehicles[0]?.list_price, ...warnings.map(({ code }) => code)];
  }

  it('goes by two columns, of which neither may be missing', async () => {
    const both = { from: 'from', until: 'until' };
    expect(await priceOf(both, `01/01/${YEAR_AGO}`, `01/01/${YEAR_AGO + 3}`)).toEqual([19_000]);
    expect(await priceOf(both, `01/01/${YEAR_AGO}`, `02/01/${YEAR_AGO}`)).toEqual([20_000]);
    expect(await priceOf(both, `01/01/${YEAR_AGO}`, '')).toEqual([20_000, 'sale_dates_invalid']);
    expect(await priceOf(both, '', `01/01/${YEAR_AGO + 3}`)).toEqual([20_000, 'sale_dates_invalid']);
    expect(await priceOf(both, '', '')).toEqual([19_000]);
  });

  it('goes by its end alone where that is all that the profile names', async () => {
    expect(await priceOf({ until: 'until' }, '', `01/01/${YEAR_AGO + 3}`)).toEqual([19_000]);
    expect(await priceOf({ until: 'until' }, '', `02/01/${YEAR_AGO}`)).toEqual([20_000]);
  });

  it('counts always where the profile names no dates', async () => {
    expect(await priceOf({}, '', '')).toEqual([19_000]);
  });
});

describe('a proposal for an export with dates of a special price', () => {
  const ROW = '1HGCV1F37LA391007,S1,2020,Honda,Civic,Used';

  it('takes the special price within its dates, and asks', async () => {
    const bench = await SuggestBench.open();
    const head =
      'VIN,Stock,Year,Make,Model,Condition,Price,Sale Price,Special Price,Special Start,Special End';
    const text = `${head}\n${ROW},19995,0,17995,01/01/${YEAR_AGO},02/01/${YEAR_AGO}\n`;
    const { suggestion, preview } = await bench.try(text);
    await bench.close();
    expect(preview.vehicles).toMatchObject([{ list_price: 19_995 }]);
    expect(suggestion.profile).toMatch(/counts within the dates of "Special Start" and "Special End" only/);
  });

  it('takes a sale price without dates as ever', async () => {
    const bench = await SuggestBench.open();
    const text = `VIN,Stock,Year,Make,Model,Condition,Price,Sale Price\n${ROW},19995,17995\n`;
    const { suggestion, preview } = await bench.try(text);
    await bench.close();
    expect(preview.vehicles).toMatchObject([{ list_price: 17_995 }]);
    expect(suggestion.profile).not.toMatch(/sale_price/);
  });
});
