import { expect } from 'vitest';
import { codes, faultBench } from './fault-bench.ts';
import { faultsAt } from './faults.ts';

const bench = faultBench();

faultsAt('prices', (fault) => {
  fault(18, async () => {
    const prices: [text: string, listPrice: number | undefined][] = [
      ['$31,995', 31995],
      ['31995.00 USD', 31995],
      ['USD 31,995.50', 31996],
      ['31995.49', 31995],
      ['  24,100  ', 24100],
      ['Call for price', undefined],
      ['0', undefined],
      ['', undefined],
      ['31.995 EUR', undefined],
    ];
    const report = await bench.takeRows(
      prices.map(([SellingPrice], index) => ({ Stock: `P${index}`, SellingPrice })),
    );
    expect(report).toMatchObject({ status: 'ok', accepted: prices.length });
    for (const [index, [, listPrice]] of prices.entries()) {
      const listing = bench.lot.get(`P${index}`);
      expect(listing?.list_price).toBe(listPrice);
      expect(listing).not.toHaveProperty('price');
    }
    expect(codes(report.warnings).filter(([, code]) => code.startsWith('price_'))).toEqual([
      [6, 'price_missing'],
      [7, 'price_missing'],
      [8, 'price_missing'],
      [9, 'price_invalid'],
    ]);
  });

  fault(19, async () => {
    const report = await bench.takeRows([
      { Stock: 'A1', SellingPrice: '2OOO0' },
      { Stock: 'A2', SellingPrice: 'was 25000 now 19000' },
      { Stock: 'A3', Miles: '12k' },
      { Stock: 'A4', Year: '20l9' },
    ]);
    expect(codes(report.rejections)).toEqual([[4, 'missing_required']]);
    expect(codes(report.warnings)).toEqual(
      expect.arrayContaining([
        [1, 'price_invalid'],
        [2, 'price_invalid'],
        [3, 'mileage_missing'],
      ]),
    );
    expect(bench.lot.get('A1')).not.toHaveProperty('list_price');
    expect(bench.lot.get('A2')).not.toHaveProperty('list_price');
    expect(bench.lot.get('A3')).not.toHaveProperty('mileage');

    // Thousands or decimals: a car for 125,000 must not be offered for 125.
    const abroad = { SellingPrice: '125.000', MSRP: '250.000', Miles: '118.450 km' };
    const feed = { mode: 'delta' as const };
    const doubtful = await bench.takeRows([{ Stock: 'A5', ...abroad }], { feed });
    expect(doubtful).toMatchObject({ status: 'ok', accepted: 1 });
    expect(codes(doubtful.warnings)).toEqual(
      expect.arrayContaining([
        [1, 'price_invalid'],
        [1, 'mileage_missing'],
      ]),
    );
    const told = doubtful.warnings.map(({ message }) => message).join('\n');
    expect(told).toContain('(SellingPrice "125.000": it may mean 125000 or 125.000;');
    for (const field of ['list_price', 'price', 'msrp', 'mileage']) {
      expect(bench.lot.get('A5')).not.toHaveProperty(field);
    }

    const commas = { feed, profile: { decimal_mark: ',' } };
    await bench.takeRows([{ Stock: 'A6', ...abroad }], commas);
    expect(bench.lot.get('A6')).toMatchObject({ list_price: 125_000, msrp: 250_000, mileage: 73_601 });
    await bench.takeRows([{ Stock: 'A7', SellingPrice: '125,000' }], commas);
    expect(bench.lot.get('A7')).not.toHaveProperty('list_price');
  });

  fault(20, async () => {
    const checks = { max_over_msrp_percent: 200, max_under_msrp_percent: 90, max_change_percent: 60 };
    const feed = { price_checks: checks };
    const first = [
      { Stock: 'A1', Type: 'New', SellingPrice: '2293', MSRP: '50273' },
      { Stock: 'A2', SellingPrice: '20000' },
      { Stock: 'A3', SellingPrice: '5' },
    ];
    const report = await bench.takeRows(first, { feed });
    expect(codes(report.warnings).filter(([, code]) => code === 'price_implausible')).toEqual([
      [1, 'price_implausible'],
      [3, 'price_implausible'],
    ]);
    expect(bench.lot.get('A1')).toMatchObject({ msrp: 50273 });
    expect(bench.lot.get('A1')).not.toHaveProperty('list_price');
    expect(bench.lot.get('A2')).toMatchObject({ list_price: 20000 });
    const jump = await bench.takeRows(
      [...first.slice(0, 1), { Stock: 'A2', SellingPrice: '2000' }, { Stock: 'A3' }],
      {
        feed,
      },
    );
    expect(jump.accepted).toBe(3);
    expect(codes(jump.warnings)).toContainEqual([2, 'price_implausible']);
    expect(bench.lot.get('A2')).not.toHaveProperty('list_price');
  });

  fault(21, async () => {
    await bench.takeRows([{ Stock: 'A1', SellingPrice: '20000', MSRP: '25000' }]);
    expect(bench.lot.get('A1')).toMatchObject({ list_price: 20000, msrp: 25000 });
    expect(bench.lot.get('A1')).not.toHaveProperty('price');
    expect(bench.lot.get('A1')).not.toHaveProperty('fees');
  });
});
