import { expect, it } from 'vitest';
import { codes, faultBench } from './fault-bench.ts';
import { faultsAt } from './faults.ts';

const bench = faultBench();
const VIN = '4T1G11AK1LUA90109';
const OTHER_VIN = '1C4RJFBG2JCA90112';

faultsAt('identity', (fault) => {
  fault(22, async () => {
    const report = await bench.takeRows([{ Stock: 'A1', VIN: ' 4t1g-11ak 1lua-90109 ' }]);
    expect(report.status).toBe('ok');
    expect(bench.lot.get(VIN)).toMatchObject({ vin: VIN, stock: 'A1' });
  });

  fault(23, async () => {
    const report = await bench.takeRows([
      { Stock: 'A1', VIN: VIN.replace('1LUA', 'ILUA') },
      { Stock: 'A2', VIN: VIN.slice(1) },
      { Stock: 'A3', VIN: OTHER_VIN },
    ]);
    expect(codes(report.rejections)).toEqual([
      [1, 'vin_invalid'],
      [2, 'vin_invalid'],
    ]);
    expect(report.rejections[0]?.message).toContain(`perhaps ${VIN}`);
    expect(report.rejections[1]?.message).toContain('16 characters');
    expect(bench.keys).toEqual([OTHER_VIN]);
  });

  fault(24, async () => {
    const misread = `${VIN.slice(0, -1)}8`;
    const report = await bench.takeRows([
      { Stock: 'A1', VIN: misread },
      { Stock: 'A2', VIN: '11111111111111111' },
      { Stock: 'A3', VIN: OTHER_VIN },
      { Stock: 'A4', VIN: '98765432109876543' },
      { Stock: 'A5', VIN: 'ABCDEFGHJKLMNPRST' },
      { Stock: 'A6', VIN: '11111111111111112' },
    ]);
    expect(codes(report.warnings)).toContainEqual([1, 'vin_check_digit']);
    expect(codes(report.rejections)).toEqual([2, 4, 5, 6].map((row) => [row, 'vin_placeholder']));
    expect(bench.keys).toEqual([OTHER_VIN, misread].sort());
  });

  fault(25, async () => {
    const profile = {
      map: {
        ...{ stock: 'Stock', vin: 'VIN', year: 'Year', make: 'Make', model: 'Model', condition: 'Type' },
        vehicle_type: 'Trim',
      },
    };
    const report = await bench.takeRows(
      [
        { Stock: 'T1', VIN: 'US-ABC12345D404', Trim: 'trailer' },
        { Stock: 'C1', VIN: '194677S12345', Year: '1967' },
        { Stock: 'C2', VIN: '194677S12345', Year: '1990' },
      ],
      { profile },
    );
    expect(codes(report.rejections)).toEqual([[3, 'vin_invalid']]);
    for (const [stock, serial] of [
      ['T1', 'US-ABC12345D404'],
      ['C1', '194677S12345'],
    ]) {
      const listing = bench.lot.get(stock!);
      expect(listing).not.toHaveProperty('vin');
      expect(listing?.other_attributes).toEqual({ serial_number: serial });
    }

    const long = 'X'.repeat(61);
    const dropped = await bench.takeRows([{ Stock: long, VIN }, { Stock: long }], {
      feed: { mode: 'delta' },
    });
    expect(codes(dropped.warnings)).toEqual([[1, 'value_too_long']]);
    expect(dropped.warnings[0]?.message).toContain('more than 60 characters');
    expect(codes(dropped.rejections)).toEqual([[2, 'no_identity']]);
    expect(bench.lot.get(VIN)).not.toHaveProperty('stock');
  });

  fault(26, async () => {
    const report = await bench.takeRows([
      { Stock: '00417' },
      { Stock: '1E5' },
      { Stock: '="0042"' },
      { Stock: '1.2E+11', VIN },
      { Stock: '1.2E+11' },
    ]);
    expect(codes(report.warnings)).toContainEqual([4, 'stock_scientific']);
    expect(codes(report.rejections)).toEqual([[5, 'no_identity']]);
    expect(bench.keys).toEqual(['00417', '0042', '1E5', VIN]);
    expect(bench.lot.get(VIN)).not.toHaveProperty('stock');
  });

  fault(27, async () => {
    const stocks = ['007', '0E68', '0x1F', '1.50'];
    const items = stocks.map(
      (stock) => `<v no="${stock}"><year>2020</year><make>Kia</make><model>007</model><c>used</c></v>`,
    );
    const profile = {
      reader: 'xml',
      options: { record: 'v' },
      map: { stock: '@no', year: 'year', make: 'make', model: 'model', condition: 'c' },
    };
    expect((await bench.take(`<lot>${items.join('')}</lot>`, { profile })).accepted).toBe(4);
    expect(bench.keys).toEqual([...stocks].sort());
    expect(bench.lot.get('007')?.model).toBe('007');
  });

  fault(39, async () => {
    const report = await bench.takeRows([
      { Stock: 'A1', VIN, Color: 'newer', DateInStock: '2026-03-02' },
      { Stock: 'A2', VIN, Color: 'older', DateInStock: '2026-03-01' },
      { Stock: 'B1', VIN: OTHER_VIN, Color: 'first', DealerID: 'CRA02' },
      { Stock: 'B2', VIN: OTHER_VIN, Color: 'last' },
    ]);
    expect(codes(report.rejections)).toEqual([
      [2, 'duplicate_vin'],
      [3, 'duplicate_vin'],
    ]);
    expect(report.rejections[0]?.message).toContain('row 1 has a newer date');
    expect(report.rejections[1]?.message).toContain('row 4 comes later, at rooftop HPM01');
    expect(bench.lot.get(VIN)).toMatchObject({ stock: 'A1', exterior_color: 'newer' });
    expect(bench.lot.get(OTHER_VIN)).toMatchObject({ stock: 'B2', dealer_id: 'HPM01' });
  });

  fault(40, async () => {
    await bench.takeRows([
      { Stock: 'A1', VIN, Color: 'red' },
      { Stock: 'A2', VIN: OTHER_VIN, Color: 'blue' },
    ]);
    // The stock numbers have changed places; the VIN says which car it is.
    const report = await bench.takeRows([
      { Stock: 'A2', VIN, Color: 'red' },
      { Stock: 'A2', VIN: OTHER_VIN, Color: 'blue' },
    ]);
    expect(report).toMatchObject({ added: 0, changed: 1, unchanged: 1, removed: 0 });
    expect(codes(report.warnings)).toContainEqual([2, 'duplicate_stock']);
    expect(bench.lot.get(VIN)).toMatchObject({ stock: 'A2', exterior_color: 'red' });
    expect(bench.lot.get(OTHER_VIN)).toMatchObject({ stock: 'A2', exterior_color: 'blue' });
  });

  fault(47, async () => {
    // Position 10 of the first VIN stands for 2020.
    const report = await bench.takeRows([
      { Stock: 'A1', VIN, Year: '20' },
      { Stock: 'A2', VIN: OTHER_VIN, Year: '20' },
      { Stock: 'A3', Year: '20' },
    ]);
    expect(codes(report.rejections)).toEqual([
      [2, 'missing_required'],
      [3, 'missing_required'],
    ]);
    expect(bench.lot.get(VIN)?.year).toBe(2020);
  });

  fault(49, async () => {
    const map = { stock: 'Stock', year: 'Year', make: 'Make', model: 'Model' };
    const conditions = async (words: string[], condition: unknown): Promise<unknown[]> => {
      const rows = words.map((Type, index) => ({ Stock: `A${words[0]}${index}`, Type }));
      await bench.takeRows(rows, { profile: { map: { ...map, condition } }, feed: { id: `w-${words[0]}` } });
      return rows.map(({ Stock }) => bench.lot.get(Stock)?.condition);
    };
    expect(await conditions(['N', 'U', 'New', 'Q'], 'Type')).toEqual(['new', 'used', 'new', undefined]);
    const isNew = { column: 'Type', new_values: ['Y'], used_values: ['U'] };
    expect(await conditions(['Y', 'U', 'N', ''], isNew)).toEqual(['new', 'used', 'used', undefined]);
    const isUsed = { column: 'Type', new_values: ['0'], used_values: ['1'] };
    expect(await conditions(['0', '1', '2'], isUsed)).toEqual(['new', 'used', undefined]);
    const codesOfPipe = { column: 'Type', values: { NR: 'new', UR: 'used', UF: 'used' } };
    expect(await conditions(['NR', 'UR', 'UF', 'XX'], codesOfPipe)).toEqual([
      'new',
      'used',
      'used',
      undefined,
    ]);
    const refused = await bench.takeRows([{ Stock: 'Z1', Type: 'QQ' }, { Stock: 'Z2' }], {
      feed: { id: 'z' },
    });
    expect(codes(refused.rejections)).toEqual([[1, 'condition_unknown']]);
  });

  fault(50, async () => {
    const header = 'vehicle_id,vin,make,model,year,condition,state_of_vehicle,price,dealer_id';
    const line = (id: string, wear: string, state: string): string =>
      `${id},,Kia,Rio,2020,${wear},${state},15000 USD,HPM01`;
    const text = [
      header,
      line('M1', 'EXCELLENT', 'NEW'),
      line('M2', 'VERY_GOOD', 'USED'),
      line('M3', 'GOOD', 'CPO'),
    ];
    const feed = bench.dealership.feed('meta-csv');
    const report = await bench.take(`${text.join('\n')}\n`, { feed: { profile: feed.profile } });
    expect(report.rejections).toEqual([]);
    const found = [...bench.lot.values()].map(({ vehicle_id, condition }) => [vehicle_id, condition]);
    expect(found.sort()).toEqual([
      ['M1', 'new'],
      ['M2', 'used'],
      ['M3', 'cpo'],
    ]);
  });
});

it.each(['TBD', '0', 'In Transit', 'tba', '000', 'On Order'])(
  'units that all have the stock number %s are not the same, and none can be told by it',
  async (Stock) => {
    const report = await bench.takeRows([{ Stock }, { Stock, VIN: 'TBD' }, { Stock, VIN }, { Stock: 'A9' }]);
    expect(codes(report.rejections)).toEqual([
      [1, 'no_identity'],
      [2, 'no_identity'],
    ]);
    expect(bench.keys).toEqual([VIN, 'A9'].sort());
    expect(bench.lot.get(VIN)).not.toHaveProperty('stock');
  },
);
