import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import { Dealership } from '../feeds-intake/dealership.ts';
import { takeIn } from './drop-file.ts';

let dealership: Dealership;

beforeEach(async () => {
  dealership = await Dealership.open();
});

afterEach(async () => {
  await dealership.close();
});

const HEADER = 'stock,year,make,model,condition,msrp,list_price,price,fees\n';

/** What is published as list_price of the one car of the file, and what the report warns of it. */
async function priceOf(
  row: string,
  feed: FeedConfig,
): Promise<{ listing: Record<string, unknown> | undefined; warnings: string[] }> {
  const report = await takeIn(`${HEADER}A1,2026,Honda,Civic,${row}\n`, feed, dealership);
  expect(report).toMatchObject({ accepted: 1, rejected: 0 });
  const told = report.warnings.filter(({ code }) => code === 'price_implausible');
  return { listing: dealership.listed().get('A1'), warnings: told.map(({ message }) => message) };
}

describe('a price against the MSRP', () => {
  const checks = { max_over_msrp_percent: 100, max_under_msrp_percent: 90 };

  it('is held when it is too far above, and the vehicle stays', async () => {
    const feed = dealership.feed('aap', { price_checks: checks });
    const { listing, warnings } = await priceOf('used,50000,120000,,', feed);
    expect(listing).toMatchObject({ stock: 'A1', msrp: 50000 });
    expect(listing).not.toHaveProperty('list_price');
    expect(warnings).toEqual([
      'the price is far out of the usual range and is left out (list_price "120000": 140 % above the MSRP of ' +
        '50000, at most 100 % may be)',
    ]);
  });

  it('is held when a new vehicle costs what its accessories cost', async () => {
    const feed = dealership.feed('aap', { price_checks: checks });
    const { listing, warnings } = await priceOf('new,50273,2293,,', feed);
    expect(listing).not.toHaveProperty('list_price');
    expect(warnings).toEqual([expect.stringContaining('96 % below the MSRP of 50273, at most 90 % may be')]);
  });

  it.each([
    ['at the bound', 'new,50000,100000,,', 100000],
    ['of a used vehicle far below', 'used,50000,2300,,', 2300],
    ['without MSRP', 'new,,120000,,', 120000],
  ])('counts %s', async (_, row, published) => {
    const { listing, warnings } = await priceOf(row, dealership.feed('aap', { price_checks: checks }));
    expect(listing).toMatchObject({ list_price: published });
    expect(warnings).toEqual([]);
  });

  it('takes the all-in price and its fees along', async () => {
    const feed = dealership.feed('aap', { price_checks: checks });
    const { listing } = await priceOf('new,50000,49000,490000,Doc fee:300', feed);
    expect(listing).toMatchObject({ msrp: 50000 });
    for (const field of ['list_price', 'price', 'fees']) expect(listing).not.toHaveProperty(field);
  });

  it('is not looked at without the setting', async () => {
    expect((await priceOf('new,50000,490000,,', dealership.feed('aap'))).listing).toMatchObject({
      list_price: 490000,
    });
  });
});

describe('a price against the last one published', () => {
  const feedThatChecks = (): FeedConfig =>
    dealership.feed('aap', { price_checks: { max_change_percent: 40 } });

  it('passes within the bound and is the measure of the next one', async () => {
    const feed = feedThatChecks();
    expect((await priceOf('used,,20000,,', feed)).listing).toMatchObject({ list_price: 20000 });
    expect((await priceOf('used,,12000,,', feed)).listing).toMatchObject({ list_price: 12000 });
    expect((await priceOf('used,,16800,,', feed)).listing).toMatchObject({ list_price: 16800 });
  });

  it('is held beyond it, however often it comes, until it is within reach of the last published one', async () => {
    const feed = feedThatChecks();
    await priceOf('used,,20000,,', feed);
    for (let time = 0; time < 3; time += 1) {
      const { listing, warnings } = await priceOf('used,,2000,,', feed);
      expect(listing).toMatchObject({ stock: 'A1' });
      expect(listing).not.toHaveProperty('list_price');
      expect(warnings).toEqual([
        expect.stringContaining('90 % below 20000, which was published last, at most 40 % may be'),
      ]);
    }
    const { listing, warnings } = await priceOf('used,,19000,,', feed);
    expect(listing).toMatchObject({ list_price: 19000 });
    expect(warnings).toEqual([]);
    expect((await priceOf('used,,2000,,', feed)).warnings).toHaveLength(1);
  });

  it('is compared across a file that gives none', async () => {
    const feed = feedThatChecks();
    await priceOf('used,,20000,,', feed);
    await priceOf('used,,,,', feed);
    expect((await priceOf('used,,2000,,', feed)).warnings).toHaveLength(1);
  });

  it('is let through when the settings allow it', async () => {
    await priceOf('used,,20000,,', feedThatChecks());
    await priceOf('used,,2000,,', feedThatChecks());
    expect((await priceOf('used,,2000,,', dealership.feed('aap'))).listing).toMatchObject({
      list_price: 2000,
    });
    // What was remembered is forgotten with it.
    expect((await priceOf('used,,2100,,', feedThatChecks())).listing).toMatchObject({ list_price: 2100 });
  });

  it('does not judge a vehicle by another one', async () => {
    const feed = feedThatChecks();
    await priceOf('used,,20000,,', feed);
    const rows = `${HEADER}A1,2026,Honda,Civic,used,,20000,,\nA2,2026,Honda,Fit,used,,2000,,\n`;
    expect((await takeIn(rows, feed, dealership)).warningCounts).not.toHaveProperty('price_implausible');
    expect(dealership.listed().get('A2')).toMatchObject({ list_price: 2000 });
  });

  it('of all-in prices is compared with the all-in price', async () => {
    const feed = feedThatChecks();
    await priceOf('used,,,20000,', feed);
    const { listing, warnings } = await priceOf('used,,,50000,', feed);
    expect(listing).not.toHaveProperty('price');
    expect(warnings).toEqual([expect.stringContaining('price "50000": 150 % above 20000')]);
  });
});

describe('an all-in price against the other amounts of its row', () => {
  it.each([
    ['less than its fees', 'used,,30000,30389,Doc fee:40000'],
    ['as much as its fees', 'used,,,389,Doc fee:389'],
    ['a hundredth of its list price', 'used,,30000,300,'],
    ['a digit more than its list price', 'used,,3000,30389,Doc fee:389'],
  ])('is held with the list price and the fees when it is %s', async (_, row) => {
    const { listing, warnings } = await priceOf(row, dealership.feed('aap'));
    for (const field of ['list_price', 'price', 'fees']) expect(listing).not.toHaveProperty(field);
    expect(warnings).toHaveLength(1);
  });

  it.each([
    ['a discount', 'new,,80000,44000,', 44_000],
    ['fees that make more than a cheap car', 'used,,900,2899,Doc fee:1999', 2899],
    ['fees without a list price', 'used,,,20389,Doc fee:389', 20_389],
    ['no fees', 'used,,20000,20000,none', 20_000],
  ])('counts with %s', async (_, row, price) => {
    const { listing, warnings } = await priceOf(row, dealership.feed('aap'));
    expect(listing).toMatchObject({ price });
    expect(warnings).toEqual([]);
  });
});
