import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import { buildLot } from '../../src/inventory/lot/build-lot.ts';
import { LotInventory } from '../../src/inventory/lot-inventory.ts';
import type { SortField, Filters } from '../../src/inventory/inventory.ts';
import { Dealership } from '../feeds-intake/dealership.ts';
import { takeIn } from '../feeds-rules/drop-file.ts';
import { CAMRY, CIVIC, companionFeed, lotFile } from './lot-with-companions.ts';

let dealership: Dealership;
let lot: FeedConfig;

const PRICE_MAP = { vin: 'VIN', list_price: 'Asking', price: 'AllIn' };
const HEADER = 'VIN,Asking,AllIn\n';

beforeEach(async () => {
  dealership = await Dealership.open();
  lot = dealership.feed('aap', { rooftop: { kind: 'column' } });
});

afterEach(async () => {
  await dealership.close();
});

function pricesFeed(over: Partial<FeedConfig> = {}, when_both: 'replace' | 'fill' = 'replace') {
  return companionFeed(dealership, 'prices', { map: PRICE_MAP, ...over }, { fields: ['prices'], when_both });
}

function pricesOf(vin: string): Record<string, unknown> {
  const { list_price, price, fees } = dealership.listed().get(vin) ?? {};
  return JSON.parse(JSON.stringify({ list_price, price, fees })) as Record<string, unknown>;
}

/** VINs in the order in which buyers see them. */
function found(filters: Filters, field: SortField): string[] {
  const inventory = new LotInventory(dealership.store, {
    ...{ default_limit: 20, max_limit: 100, include_facets: false, max_facet_values: 100 },
  });
  inventory.swap(buildLot(dealership.store));
  const sort = { field, order: 'asc' as const };
  const page = inventory.search({ filters, skip: 0, limit: 20, sort, includeFacets: false });
  return page.vehicles.map((text) => (JSON.parse(text) as { vin: string }).vin);
}

describe('a price-only file', () => {
  it('decides the order and the price filter of searches', async () => {
    const prices = await pricesFeed();
    await takeIn(
      lotFile(
        { vin: CIVIC, list_price: 20000, price: 20500 },
        { vin: CAMRY, list_price: 30000, price: 30500 },
      ),
      lot,
      dealership,
    );
    expect(found({}, 'list_price')).toEqual([CIVIC, CAMRY]);
    expect(found({ price_max: 25000 }, 'price')).toEqual([CIVIC]);

    const report = await takeIn(`${HEADER}${CIVIC},28000,28500\n${CAMRY},24000,24500\n`, prices, dealership);
    expect(report).toMatchObject({ status: 'ok', joined: { onLot: 2, notOnLot: 0 } });
    expect(found({}, 'list_price')).toEqual([CAMRY, CIVIC]);
    expect(found({ price_max: 25000 }, 'price')).toEqual([CAMRY]);
  });

  it('leaves no price of the other file beside its own', async () => {
    const prices = await pricesFeed();
    await takeIn(lotFile({ vin: CIVIC, list_price: 20000, price: 20500 }), lot, dealership);
    await takeIn(`${HEADER}${CIVIC},19000,\n`, prices, dealership);
    expect(pricesOf(CIVIC)).toEqual({ list_price: 19000 });
  });

  it('with a blank price withdraws the price, and the other file does not bring it back', async () => {
    const prices = await pricesFeed();
    await takeIn(
      lotFile({ vin: CIVIC, list_price: 20000 }, { vin: CAMRY, list_price: 30000 }),
      lot,
      dealership,
    );
    await takeIn(`${HEADER}${CIVIC},19000,\n${CAMRY},29000,\n`, prices, dealership);
    await takeIn(`${HEADER}${CIVIC},Call for price,\n${CAMRY},29000,\n`, prices, dealership);
    expect(pricesOf(CIVIC)).toEqual({});
    await takeIn(
      lotFile({ vin: CIVIC, list_price: 18500 }, { vin: CAMRY, list_price: 30000 }),
      lot,
      dealership,
    );
    expect(pricesOf(CIVIC)).toEqual({});
    expect(pricesOf(CAMRY)).toEqual({ list_price: 29000 });
  });

  it('gives the price back to the other file when its row is gone', async () => {
    const prices = await pricesFeed();
    const rows = [CIVIC, CAMRY].map((vin) => ({ vin, list_price: 20000 }));
    await takeIn(lotFile(...rows), lot, dealership);
    await takeIn(`${HEADER}${CIVIC},19000,\n${CAMRY},19000,\n`, prices, dealership);
    await takeIn(`${HEADER}${CAMRY},19000,\n`, prices, dealership);
    expect([pricesOf(CIVIC), pricesOf(CAMRY)]).toEqual([{ list_price: 20000 }, { list_price: 19000 }]);
  });

  it('that fills counts only where the other file has no price at all', async () => {
    const prices = await pricesFeed({}, 'fill');
    await takeIn(lotFile({ vin: CIVIC, list_price: 20000 }, { vin: CAMRY }), lot, dealership);
    await takeIn(`${HEADER}${CIVIC},19000,19500\n${CAMRY},29000,29500\n`, prices, dealership);
    expect(pricesOf(CIVIC)).toEqual({ list_price: 20000 });
    expect(pricesOf(CAMRY)).toEqual({ list_price: 29000, price: 29500 });
  });

  it('becomes all-in with the fees of the rooftop that it names', async () => {
    const prices = await pricesFeed({
      price_basis: 'base_plus_fees',
      rooftop: { kind: 'fixed', id: 'HPM01' },
    });
    const fees = [{ name: 'Doc fee', amount: 499 }];
    const services = dealership.services();
    const rooftops = services.rooftops.map((each) => ({ ...each, profile: { ...each.profile, fees } }));
    await takeIn(lotFile({ vin: CIVIC, list_price: 20000 }), lot, dealership);
    const own = dealership.services.bind(dealership);
    dealership.services = (over) => own({ rooftops, ...over });
    await takeIn(`${HEADER}${CIVIC},19000,\n`, prices, dealership);
    expect(pricesOf(CIVIC)).toEqual({ list_price: 19000, price: 19499, fees });
  });

  it('without its price column is refused, and the prices stay', async () => {
    const prices = await pricesFeed();
    await takeIn(lotFile({ vin: CIVIC }), lot, dealership);
    await takeIn(`${HEADER}${CIVIC},19000,\n`, prices, dealership);
    const report = await takeIn(`VIN,Preis\n${CIVIC},18000\n`, prices, dealership);
    expect(report).toMatchObject({ status: 'failed', problem: { code: 'missing_required_column' } });
    expect(pricesOf(CIVIC)).toEqual({ list_price: 19000 });
  });

  it('without rows is held and takes nothing back', async () => {
    const prices = await pricesFeed();
    await takeIn(lotFile({ vin: CIVIC }), lot, dealership);
    await takeIn(`${HEADER}${CIVIC},19000,\n`, prices, dealership);
    const report = await takeIn(HEADER, prices, dealership);
    expect(report).toMatchObject({ status: 'held', problem: { code: 'companion_empty' } });
    expect(pricesOf(CIVIC)).toEqual({ list_price: 19000 });
  });

  it('whose prices have all become blank is held', async () => {
    const prices = await pricesFeed();
    await takeIn(lotFile({ vin: CIVIC }, { vin: CAMRY }), lot, dealership);
    await takeIn(`${HEADER}${CIVIC},19000,\n${CAMRY},29000,\n`, prices, dealership);
    const report = await takeIn(`${HEADER}${CIVIC},,\n${CAMRY},,\n`, prices, dealership);
    expect(report).toMatchObject({ status: 'held', problem: { code: 'companion_shrink' } });
    expect(pricesOf(CIVIC)).toEqual({ list_price: 19000 });
  });
});

describe('price checks of a price-only file', () => {
  it('go by the MSRP of the vehicle that it adds to: the unit stays, the price is held', async () => {
    const prices = await pricesFeed({ price_checks: { max_over_msrp_percent: 100 } });
    await takeIn(lotFile({ vin: CIVIC, msrp: 30000, list_price: 28000 }), lot, dealership);
    const report = await takeIn(`${HEADER}${CIVIC},290000,\n`, prices, dealership);
    expect(report).toMatchObject({ status: 'ok', accepted: 1 });
    expect(report.warnings).toMatchObject([{ key: CIVIC, code: 'price_implausible', field: 'list_price' }]);
    expect(report.warnings[0]?.message).toContain('above the MSRP of 30000');
    expect(dealership.listed().get(CIVIC)).toMatchObject({ msrp: 30000 });
    expect(pricesOf(CIVIC)).toEqual({});
  });

  it('go by what was published last, also while a price is held', async () => {
    const prices = await pricesFeed({ price_checks: { max_change_percent: 20 } });
    await takeIn(lotFile({ vin: CIVIC, list_price: 20000 }, { vin: CAMRY }), lot, dealership);
    const file = (asking: number): string => `${HEADER}${CIVIC},${asking},\n${CAMRY},30000,\n`;
    await takeIn(file(21000), prices, dealership);
    expect(pricesOf(CIVIC)).toEqual({ list_price: 21000 });
    for (const wrong of [2100, 2100]) {
      const report = await takeIn(file(wrong), prices, dealership);
      expect(report.warnings[0]?.message).toContain('below 21000, which was published last');
      expect(pricesOf(CIVIC)).toEqual({});
    }
    await takeIn(file(20500), prices, dealership);
    expect(pricesOf(CIVIC)).toEqual({ list_price: 20500 });
  });

  it('do not hold a price of the main file for being far from the one that covers it', async () => {
    const strict = { ...lot, price_checks: { max_change_percent: 10 } };
    const prices = await pricesFeed();
    await takeIn(lotFile({ vin: CIVIC, list_price: 30000 }), strict, dealership);
    await takeIn(`${HEADER}${CIVIC},20000,\n`, prices, dealership);
    const report = await takeIn(lotFile({ vin: CIVIC, list_price: 30500 }), strict, dealership);
    expect(report.warnings).toEqual([]);
    expect(pricesOf(CIVIC)).toEqual({ list_price: 20000 });
  });
});
