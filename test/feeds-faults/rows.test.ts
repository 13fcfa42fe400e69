import { expect } from 'vitest';
import { codes, COLUMNS, faultBench, table, vehicles } from './fault-bench.ts';
import { faultsAt } from './faults.ts';

const bench = faultBench();
const HEADER = `${COLUMNS.join(',')}\n`;

/** A line as no careful program would write it: nothing is quoted or doubled. */
function rawLine(values: Partial<Record<(typeof COLUMNS)[number], string>>, delimiter = ','): string {
  const plain = { DealerID: 'HPM01', Type: 'Used', Year: '2020', Make: 'Honda', Model: 'Civic', ...values };
  return `${COLUMNS.map((column) => plain[column] ?? '').join(delimiter)}\n`;
}

faultsAt('rows', (fault) => {
  fault(5, async () => {
    const lines = [
      rawLine({ Stock: 'A1', Description: '"sits on 20" wheels"' }),
      rawLine({ Stock: 'A2', Description: '"a, "b, c" d"' }),
      rawLine({ Stock: 'A3' }),
    ];
    const report = await bench.take(HEADER + lines.join(''));
    expect(report).toMatchObject({ status: 'ok', rows: 3 });
    expect(codes(report.warnings).filter(([, code]) => code === 'quote_repaired')).toEqual([
      [1, 'quote_repaired'],
      [2, 'quote_repaired'],
    ]);
    expect(bench.lot.get('A1')?.description).toBe('sits on 20" wheels');
    expect(bench.lot.get('A2')?.description).toBe('a, "b, c" d');
    expect(bench.lot.has('A3')).toBe(true);
  });

  fault(6, async () => {
    const lines = vehicles(30).map((row, index) =>
      rawLine({ ...row, Description: index === 3 ? '"never closed' : 'plain' }),
    );
    const report = await bench.take(HEADER + lines.join(''));
    expect(report).toMatchObject({ status: 'partial', rows: 30, accepted: 29 });
    expect(codes(report.rejections)).toEqual([[4, 'quote_malformed']]);
    expect(bench.lot.size).toBe(29);
  });

  fault(7, async () => {
    const lines = [
      rawLine({ Stock: 'A1', Description: '"Sport" package, 20" wheels' }, '|'),
      rawLine({ Stock: 'A2', Description: '"' }, '|'),
      rawLine({ Stock: 'A3' }, '|'),
    ];
    const profile = { options: { delimiter: '|', quote: 'none' } };
    const report = await bench.take(HEADER.replaceAll(',', '|') + lines.join(''), {
      name: 'lot.txt',
      profile,
    });
    expect(report).toMatchObject({ status: 'ok', rejected: 0, file: { delimiter: '|' } });
    expect(bench.lot.get('A1')?.description).toBe('"Sport" package, 20" wheels');
    expect(bench.keys).toEqual(['A1', 'A2', 'A3']);
  });

  fault(8, async () => {
    // What the vendor has destroyed stays so: no inch mark is invented, no line break guessed.
    const report = await bench.takeRows([{ Description: '20 wheels,One owner,Bose 10 speakers' }]);
    expect(report.status).toBe('ok');
    expect(bench.lot.get('A1')?.description).toBe('20 wheels,One owner,Bose 10 speakers');
  });

  fault(9, async () => {
    const rows = [
      { Stock: 'A1', Description: 'first\nsecond\r\nthird' },
      { Stock: 'A2', Description: 'one\\ntwo' },
    ];
    await bench.takeRows(rows);
    expect(bench.lot.get('A1')?.description).toBe('first\nsecond\nthird');
    expect(bench.lot.get('A2')?.description).toBe('one\\ntwo');
    const report = await bench.takeRows(rows, { profile: { options: { literal_newlines: true } } });
    expect(report).toMatchObject({ status: 'ok', rows: 2 });
    expect(bench.lot.get('A2')?.description).toBe('one\ntwo');
  });

  fault(10, async () => {
    const [header, ...lines] = table(vehicles(3)).split('\n');
    const text = `${header}\r\n${lines[0]}\r${lines[1]}\n\r\n${lines[2]}\r\n`;
    expect(await bench.take(text)).toMatchObject({ status: 'ok', rows: 3, accepted: 3 });
    expect(bench.keys).toEqual(['A0', 'A1', 'A2']);
  });

  fault(11, async () => {
    const text = table([{ Stock: 'A1', SellingPrice: '$31,995.00', Description: 'a,b,c,d,e,f,g' }], {
      delimiter: ';',
    });
    expect(await bench.take(text)).toMatchObject({ status: 'ok', file: { delimiter: ';' } });
    expect(bench.lot.get('A1')).toMatchObject({ list_price: 31995, description: 'a,b,c,d,e,f,g' });
  });

  fault(12, async () => {
    const text = table([{ Stock: 'A1', Description: 'clean, one owner' }], { delimiter: '\t' });
    for (const delimiter of ['auto', ',']) {
      const report = await bench.take(text, { name: 'LOT.CSV', profile: { options: { delimiter } } });
      expect(report).toMatchObject({ status: 'ok', file: { delimiter: '\t' } });
    }
    expect(bench.lot.get('A1')?.description).toBe('clean, one owner');
  });

  fault(13, async () => {
    const lines = [
      'HPM01,A1,,Used,,2020,Honda,Civic,,,20000\n',
      `${rawLine({ Stock: 'A2' }).trimEnd()},,\n`,
      `${rawLine({ Stock: 'A3' }).trimEnd()},slipped\n`,
      'HPM01,A4,,Used,,2020\n',
    ];
    const report = await bench.take(HEADER + lines.join(''));
    expect(report).toMatchObject({ status: 'partial', rows: 4, accepted: 2 });
    expect(codes(report.rejections)).toEqual([
      [3, 'row_too_long'],
      [4, 'missing_required'],
    ]);
    expect(codes(report.warnings)).toContainEqual([1, 'row_short']);
    expect(bench.lot.get('A1')).toMatchObject({ list_price: 20000 });
    expect(bench.keys).toEqual(['A1', 'A2']);
  });

  fault(14, async () => {
    const text = 'Stock,Type,Year,Make,Model,SellingPrice,sellingprice\nA1,Used,2020,Kia,Rio,15000,1\n';
    const report = await bench.take(text, {
      profile: {
        map: {
          stock: 'Stock',
          condition: 'Type',
          year: 'Year',
          make: 'Make',
          model: 'Model',
          list_price: 'SellingPrice',
        },
      },
    });
    expect(report.file.warnings.map(({ code }) => code)).toEqual(['duplicate_header']);
    expect(bench.lot.get('A1')?.list_price).toBe(15000);
  });

  fault(15, async () => {
    const more = table(vehicles(2)).replace('Trim', 'Sparkle');
    const profile = {
      map: { stock: 'Stock', condition: 'Type', year: 'Year', make: 'Make', model: 'Model' },
    };
    const report = await bench.take(more, { profile });
    expect(report.status).toBe('ok');
    expect(report.unknownColumns).toContain('Sparkle');
    const before = bench.lot;
    const renamed = await bench.take(table(vehicles(2)).replace('Make', 'Brand Name'), { profile });
    expect(renamed).toMatchObject({ status: 'failed', problem: { code: 'missing_required_column' } });
    expect(renamed.problem?.message).toContain('Make');
    expect(bench.lot).toEqual(before);
  });

  fault(16, async () => {
    const drifted = table([{ Stock: 'A1', Miles: '12000' }])
      .replace('DealerID', 'dealer_id')
      .replace('SellingPrice', ' Selling Price ')
      .replace('Miles', 'MILES');
    expect((await bench.take(drifted)).status).toBe('ok');
    expect(bench.lot.get('A1')).toMatchObject({ mileage: 12000, list_price: 20000 });
  });

  fault(17, async () => {
    const text =
      'Vin Leads,Stock,Type,Year,Make,Model,AutoTrader.com List Price\n7,A1,Used,2020,Kia,Rio,9999\n';
    const map = {
      ...{ vin: 'VIN', stock: 'Stock', condition: 'Type', year: 'Year', make: 'Make', model: 'Model' },
      list_price: ['List Price', 'Price'],
    };
    const report = await bench.take(text, { profile: { map, required: [['vin', 'stock'], 'year'] } });
    expect(report.status).toBe('ok');
    const listing = bench.lot.get('A1');
    expect(listing?.vin).toBeUndefined();
    expect(listing?.list_price).toBeUndefined();
    expect(report.unknownColumns).toEqual(['Vin Leads', 'AutoTrader.com List Price']);
  });
});
