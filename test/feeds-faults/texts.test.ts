import { expect, it } from 'vitest';
import { codes, faultBench } from './fault-bench.ts';
import { faultsAt } from './faults.ts';

const bench = faultBench();

faultsAt('texts', (fault) => {
  fault(28, async () => {
    const profile = {
      reader: 'xml',
      options: { record: 'item' },
      map: { stock: 'id', year: 'y', make: 'm', model: 'n', condition: 'c', photos: 'photos/photo' },
    };
    const item = (stock: string, photos: number): string => {
      const list = Array.from({ length: photos }, (_, n) => `<photo>https://p.example/${n}.jpg</photo>`);
      return `<item><id>${stock}</id><y>2020</y><m>Kia</m><n>Rio</n><c>used</c><photos>${list.join('')}</photos></item>`;
    };
    await bench.take(`<lot>${item('A1', 1)}</lot>`, { profile });
    expect(bench.lot.get('A1')?.photos).toEqual(['https://p.example/0.jpg']);
    await bench.take(`<lot>${item('A1', 3)}${item('A2', 1)}</lot>`, { profile });
    expect(bench.lot.get('A1')?.photos).toHaveLength(3);
    expect(bench.keys).toEqual(['A1', 'A2']);
  });

  fault(41, async () => {
    const html =
      '<script>alert("x")</script><style>p{}</style><p>One owner</p>Clean<br>No accidents &amp; <b>loaded</b><br/>Un solo due&ntilde;o';
    await bench.takeRows([{ Description: html }]);
    expect(bench.lot.get('A1')?.description).toBe('One owner\nClean\nNo accidents & loaded\nUn solo dueño');
  });

  fault(42, async () => {
    const lists = [
      'https://p.example/a,1.jpg, https://p.example/b c.jpg ,https://p.example/d.jpg',
      'https://p.example/a.jpg|https://p.example/b.jpg',
      'https://p.example/a.jpg;ftp://p.example/b.jpg',
      '["https://p.example/a.jpg","https://p.example/b.jpg"]',
    ];
    await bench.takeRows(lists.map((ImageList, index) => ({ Stock: `P${index}`, ImageList })));
    expect(bench.lot.get('P0')?.photos).toEqual([
      'https://p.example/a,1.jpg',
      'https://p.example/b%20c.jpg',
      'https://p.example/d.jpg',
    ]);
    const two = ['https://p.example/a.jpg', 'https://p.example/b.jpg'];
    expect(bench.lot.get('P1')?.photos).toEqual(two);
    expect(bench.lot.get('P2')?.photos).toEqual(two.slice(0, 1));
    expect(bench.lot.get('P3')?.photos).toEqual(two);
  });

  fault(43, async () => {
    const signed = (expires: number): string => `https://p.example/a.jpg?expires=${expires}&sig=ab%2Fc`;
    await bench.takeRows([{ ImageList: signed(1) }]);
    const report = await bench.takeRows([{ ImageList: signed(2) }, { Stock: 'A2', ImageList: '/img/b.jpg' }]);
    expect(report).toMatchObject({ changed: 1, added: 1 });
    expect(bench.lot.get('A1')?.photos).toEqual([signed(2)]);
    expect(bench.lot.get('A2')).not.toHaveProperty('photos');
    expect(codes(report.warnings)).toContainEqual([2, 'photo_invalid']);
  });

  fault(45, async () => {
    await bench.takeRows([
      { Stock: 'A1', Miles: '100,000 km' },
      { Stock: 'A2', Miles: '62 hrs' },
      { Stock: 'A3', Miles: '118,450 miles' },
    ]);
    expect(bench.lot.get('A1')?.mileage).toBe(62137);
    expect(bench.lot.get('A2')).not.toHaveProperty('mileage');
    expect(bench.lot.get('A2')?.other_attributes).toEqual({ engine_hours: 62 });
    expect(bench.lot.get('A3')?.mileage).toBe(118450);
  });

  fault(46, async () => {
    const report = await bench.takeRows([
      { Stock: 'A1', Miles: '-5' },
      { Stock: 'A2', Miles: '99999999' },
      { Stock: 'A3', Miles: '0' },
    ]);
    expect(report.accepted).toBe(3);
    expect(codes(report.warnings).filter(([, code]) => code.startsWith('mileage'))).toEqual([
      [1, 'mileage_implausible'],
      [2, 'mileage_implausible'],
    ]);
    expect(bench.lot.get('A1')).not.toHaveProperty('mileage');
    expect(bench.lot.get('A2')).not.toHaveProperty('mileage');
    expect(bench.lot.get('A3')?.mileage).toBe(0);
  });

  fault(48, async () => {
    const zone = process.env.TZ;
    try {
      for (const TZ of ['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York']) {
        process.env.TZ = TZ;
        const report = await bench.takeRows([
          { Stock: 'A1', DateInStock: '3/1/2026' },
          { Stock: 'A2', DateInStock: '2026-03-01T23:30:00-05:00' },
          { Stock: 'A3', DateInStock: '46082' },
        ]);
        expect(report.accepted).toBe(3);
        for (const stock of ['A1', 'A2', 'A3']) {
          expect(bench.lot.get(stock)?.inventory_date).toBe('2026-03-01');
        }
      }
      expect(bench.lot.size).toBe(3);
      const [record, ...others] = bench.dealership.store.findRecords('A1');
      expect(others).toEqual([]);
      expect(record?.leftAt).toBeUndefined();
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });

  fault(51, async () => {
    const prose =
      'Come down today and see why everybody in the county buys their next pre-owned vehicle from our family ';
    await bench.takeRows([{ Options: `Heated seats,${prose},Bose audio,heated seats` }]);
    expect(bench.lot.get('A1')?.features).toEqual(['Heated seats', 'Bose audio']);
  });
});

it('a date beyond next year is left out and told', async () => {
  const nextYear = new Date(bench.dealership.now).getUTCFullYear() + 1;
  const report = await bench.takeRows([
    { Stock: 'A1', DateInStock: '2099-03-01' },
    { Stock: 'A2', DateInStock: `${nextYear}-03-01` },
  ]);
  expect(codes(report.warnings)).toContainEqual([1, 'date_invalid']);
  expect(bench.lot.get('A1')).not.toHaveProperty('inventory_date');
  expect(bench.lot.get('A2')?.inventory_date).toBe(`${nextYear}-03-01`);
});
