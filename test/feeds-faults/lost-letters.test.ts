import { describe, expect, it } from 'vitest';
import { codes, faultBench, table } from './fault-bench.ts';

const bench = faultBench();

describe('letters that were lost before the file came here', () => {
  it('are published nowhere: texts go without them, addresses and numbers are left out, and it is told', async () => {
    const photos = 'https://p.example/1.jpg,https://p.example/caf\uFFFD.jpg';
    const rows = [
      { Stock: 'A1', Description: 'Caf\uFFFD seats &#xFFFD;', ImageList: photos, Options: '\uFFFD,Bose' },
      { Stock: 'A2', SellingPrice: '20\uFFFD000' },
      { Stock: 'A\uFFFD3' },
      { Stock: 'A4', Description: 'sound é' },
    ];
    const report = await bench.take(table(rows).replaceAll('é', '\u{1F600}'));
    expect(codes(report.warnings).filter(([, code]) => code === 'character_lost')).toEqual([
      ...[1, 1, 1, 3].map((row): [number, string] => [row, 'character_lost']),
    ]);
    expect(codes(report.warnings)).toContainEqual([2, 'price_invalid']);
    expect(bench.keys).toEqual(['A1', 'A2', 'A3', 'A4']);
    expect(bench.lot.get('A1')).toMatchObject({
      description: 'Caf seats',
      features: ['Bose'],
      photos: ['https://p.example/1.jpg'],
    });
    expect(bench.lot.get('A2')?.list_price).toBeUndefined();
    expect(bench.lot.get('A4')?.description).toBe('sound \u{1F600}');
    // Half of a pair in UTF-16.
    const utf16 = Buffer.from(`\uFEFF${table([{ Stock: 'B1', Description: 'one \ud83d two' }])}`, 'utf16le');
    await bench.take(utf16, { feed: { id: 'other' } });
    expect(bench.lot.get('B1')?.description).toBe('one  two');
    expect(JSON.stringify([...bench.lot.values()])).not.toMatch(/\uFFFD|EF%BF%BD|\\ud/i);
  });
});

describe('Ctrl-Z at the end of a file', () => {
  it('is no half row: what the file lacks leaves the lot', async () => {
    // Ctrl-Z as programs of the DOS age write it: no half row, so what is sold leaves.
    await bench.takeRows([{ Stock: 'A1' }, { Stock: 'A2' }]);
    const report = await bench.take(`${table([{ Stock: 'A1' }])}\x1a`);
    expect(report).toMatchObject({ status: 'ok', rejected: 0, removed: 1, file: { warnings: [] } });
    expect(bench.keys).toEqual(['A1']);
  });
});
