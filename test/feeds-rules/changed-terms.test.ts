import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import { priceTerms, repriced } from '../../src/feeds/checking/price-terms.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';
import type { Fee } from '../../src/model/vehicle.ts';
import { Dealership } from '../feeds-intake/dealership.ts';
import { takeIn } from './drop-file.ts';

let dealership: Dealership;

beforeEach(async () => {
  dealership = await Dealership.open();
});

afterEach(async () => {
  await dealership.close();
});

const FEES: Fee[] = [{ name: 'Doc', amount: 389 }];
const HIGHER: Fee[] = [
  { name: 'Doc', amount: 799 },
  { name: 'Prep', amount: 1 },
];
const FILE = `stock,year,make,model,condition,msrp,list_price,price,fees
A1,2020,Honda,Civic,used,,25995.40,,
A2,2020,Honda,Civic,used,,,,
A3,2020,Honda,Civic,used,,20000,20500,Doc:500
`;

function rooftops(fees?: Fee[]): Rooftop[] {
  const profile = { name: 'Harbor Point Motors', ...(fees && { fees }) };
  return [{ id: 'HPM01', feed_ids: [], profile }];
}

type Settings = Pick<FeedConfig, 'price_basis' | 'price_checks'> & { fees?: Fee[] };

function feedOf({ price_basis, price_checks }: Settings): FeedConfig {
  return dealership.feed('aap', {
    ...(price_basis && { price_basis }),
    ...(price_checks && { price_checks }),
  });
}

/** What a start or a reload does with the settings. */
function settle(settings: Settings): number {
  return dealership.store.bringPricesInLine(
    priceTerms([feedOf(settings)], rooftops(settings.fees)),
    repriced,
  );
}

async function read(settings: Settings, text = FILE): Promise<void> {
  const feed = feedOf(settings);
  await takeIn(text, feed, dealership, { rooftops: rooftops(settings.fees) });
}

function money(stock: string) {
  const { list_price, price, fees } = dealership.listed().get(stock) ?? {};
  return { list_price, price, fees };
}

/** Read under the first settings, then brought to the second ones, once and once more. */
async function change(before: Settings, now: Settings): Promise<number> {
  settle(before);
  await read(before);
  const changed = settle(now);
  expect(settle(now)).toBe(0);
  return changed;
}

describe('prices that were worked out from the fees of the rooftop', () => {
  const before: Settings = { price_basis: 'base_plus_fees', fees: FEES };

  it('are worked out anew with other fees, as a file read anew would say them', async () => {
    const now: Settings = { price_basis: 'base_plus_fees', fees: HIGHER };
    expect(await change(before, now)).toBe(2);
    // 25,995.40 + 800, any cent counts up
    expect(money('A1')).toEqual({ list_price: 25995, price: 26796, fees: HIGHER });
    expect(money('A3')).toEqual({ list_price: 20000, price: 20800, fees: HIGHER });
    const settled = [...dealership.listed().values()].map(({ updated_at: _, ...text }) => text);
    await read(now);
    expect([...dealership.listed().values()].map(({ updated_at: _, ...text }) => text)).toEqual(settled);
  });

  it('are put where there was none by no change', async () => {
    await change(before, { price_basis: 'base_plus_fees', fees: HIGHER });
    expect(money('A2')).toEqual({ list_price: undefined, price: undefined, fees: undefined });
  });

  it.each<[string, Settings]>([
    ['the amounts are a base only', { price_basis: 'base' }],
    ['the rooftop has no complete list of fees any more', { price_basis: 'base_plus_fees' }],
    ['a note beside the price would have to be read', { price_basis: 'all_in' }],
    ['the profile would have to say it', {}],
  ])('are left out, and the list price stays, where %s', async (_, now) => {
    expect(await change(before, now)).toBe(2);
    expect(money('A1')).toEqual({ list_price: 25995, price: undefined, fees: undefined });
  });

  it('come back with the next file, though the row is the one of before', async () => {
    await change(before, { price_basis: 'base' });
    settle(before);
    expect(money('A1').price).toBeUndefined();
    await read(before);
    expect(money('A1')).toEqual({ list_price: 25995, price: 26385, fees: FEES });
  });

  it('are left out where they are out of new bounds', async () => {
    const msrp = FILE.replace('used,,25995.40', 'used,20000,25995.40');
    settle(before);
    await read(before, msrp);
    expect(settle({ ...before, price_checks: { max_over_msrp_percent: 10 } })).toBe(1);
    expect(money('A1')).toEqual({ list_price: undefined, price: undefined, fees: undefined });
    expect(money('A3').price).toBe(20389);
  });
});

describe('prices that the feed brought itself', () => {
  const own = { list_price: 20000, price: 20500, fees: [{ name: 'Doc', amount: 500 }] };

  it.each<[string, Settings]>([
    ['other fees', { fees: HIGHER }],
    ['the word that amounts are all-in', { price_basis: 'all_in' }],
    ['bounds that they keep to', { price_checks: { max_over_msrp_percent: 50 } }],
  ])('are left alone by %s', async (_, now) => {
    expect(await change({ fees: FEES }, now)).toBe(0);
    expect(money('A3')).toEqual(own);
  });

  it.each<[string, Settings]>([
    ['the amounts are a base', { price_basis: 'base' }],
    ['fees come on top', { price_basis: 'base_plus_fees', fees: FEES }],
  ])('are left out where the dealer says that %s', async (_, now) => {
    expect(await change({ fees: FEES }, now)).toBe(1);
    expect(money('A3')).toEqual({ list_price: 20000, price: undefined, fees: undefined });
  });
});

it('takes an attested price off when the dealer takes the word back', async () => {
  await change({ price_basis: 'all_in' }, {});
  expect(money('A1')).toEqual({ list_price: 25995, price: undefined, fees: undefined });
});

describe('an inventory of which nobody knows how it was priced', () => {
  it.each<[string, Settings, Settings, number | undefined]>([
    [
      'keeps what fits the settings',
      { price_basis: 'base_plus_fees', fees: FEES },
      { price_basis: 'base_plus_fees', fees: FEES },
      26385,
    ],
    [
      'loses prices of other fees',
      { price_basis: 'base_plus_fees', fees: FEES },
      { price_basis: 'base_plus_fees', fees: HIGHER },
      undefined,
    ],
    ['loses prices where amounts are a base', { price_basis: 'all_in' }, { price_basis: 'base' }, undefined],
    ['keeps attested prices', { price_basis: 'all_in' }, { price_basis: 'all_in' }, 25996],
  ])('%s', async (_, before, now, price) => {
    await read(before);
    settle(now);
    expect(money('A1').price).toBe(price);
  });
});

it('leaves the vehicles of other feeds and rooftops alone', async () => {
  const settings: Settings = { price_basis: 'base_plus_fees', fees: FEES };
  settle(settings);
  await read(settings);
  const other = priceTerms([{ ...feedOf(settings), id: 'other' }], rooftops(HIGHER));
  expect(dealership.store.bringPricesInLine(other, repriced)).toBe(0);
  const elsewhere = rooftops(HIGHER).map((rooftop) => ({ ...rooftop, id: 'CRA02' }));
  expect(dealership.store.bringPricesInLine(priceTerms([feedOf(settings)], elsewhere), repriced)).toBe(0);
  expect(money('A1').price).toBe(26385);
});
