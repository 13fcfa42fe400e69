import { expect } from 'vitest';
import { codes, faultBench, table } from './fault-bench.ts';
import { faultsAt } from './faults.ts';

const bench = faultBench();
const XML = { reader: 'xml', options: { record: 'item' } };
const XML_MAP = { stock: 'stock', year: 'year', make: 'make', model: 'model', condition: 'condition' };

function item(stock: string, make = 'Kia', prefix = ''): string {
  const tags = { stock, year: '2020', make, model: 'Rio', condition: 'used' };
  const inner = Object.entries(tags).map(([name, text]) => `<${prefix}${name}>${text}</${prefix}${name}>`);
  return `<${prefix}item>${inner.join('')}</${prefix}item>`;
}

faultsAt('bytes', (fault) => {
  fault(1, async () => {
    const text = table([{ DealerID: 'CRA02', Stock: 'A1' }]);
    for (const start of ['DealerID', '"DealerID"']) {
      const report = await bench.take(`\uFEFF${text.replace('DealerID', start)}`);
      expect(report).toMatchObject({ status: 'ok', file: { encoding: 'utf-8' } });
      // The first column is the one that names the rooftop.
      expect(bench.lot.get('A1')).toMatchObject({ dealer_id: 'CRA02' });
    }
  });

  fault(2, async () => {
    const little = Buffer.from(table([{ Stock: 'A1', Color: 'Größe' }]), 'utf16le');
    const big = Buffer.from(little).swap16();
    const mark = Buffer.from([0xff, 0xfe]);
    const written: [Buffer, string][] = [
      [Buffer.concat([mark, little]), 'utf-16le'],
      [Buffer.concat([Buffer.from([0xfe, 0xff]), big]), 'utf-16be'],
      [little, 'utf-16le'],
      [big, 'utf-16be'],
    ];
    for (const [bytes, encoding] of written) {
      expect(await bench.take(bytes)).toMatchObject({ status: 'ok', file: { encoding } });
      expect(bench.lot.get('A1')).toMatchObject({ exterior_color: 'Größe' });
    }
    const binary = Buffer.concat([Buffer.from(table([{}])), Buffer.from([0, 1, 2, 0, 0, 9])]);
    expect(await bench.take(binary)).toMatchObject({ status: 'failed', problem: { code: 'not_a_feed' } });
    expect(bench.keys).toEqual(['A1']);
  });

  fault(3, async () => {
    const text = table([{ Description: 'Dealer~s ^best^ deal: # 500' }]);
    const bytes = Buffer.from(text, 'latin1').map(
      (byte) =>
        new Map([
          [0x7e, 0x92],
          [0x5e, 0x93],
          [0x23, 0x80],
        ]).get(byte) ?? byte,
    );
    expect(await bench.take(bytes)).toMatchObject({ status: 'ok', file: { encoding: 'windows-1252' } });
    expect(bench.lot.get('A1')?.description).toBe('Dealer’s “best“ deal: € 500');
    expect(JSON.stringify([...bench.lot.values()])).not.toContain('\uFFFD');
    expect((await bench.takeRows([{ Description: '“é”' }])).file.encoding).toBe('utf-8');
    expect(bench.lot.get('A1')?.description).toBe('“é”');
  });

  fault(4, async () => {
    // So short that counting letters tells nothing.
    const text = table([{ Stock: 'A1', Color: 'é' }], {
      columns: ['Stock', 'Type', 'Year', 'Make', 'Model', 'Color'],
    });
    const short = {
      profile: { map: { ...XML_MAP, stock: 'Stock', condition: 'Type', exterior_color: 'Color' } },
    };
    expect((await bench.take(Buffer.from(text, 'latin1'), short)).file.encoding).toBe('windows-1252');
    expect(bench.lot.get('A1')?.exterior_color).toBe('é');
    expect((await bench.take(Buffer.from(text), short)).file.encoding).toBe('utf-8');
    expect(bench.lot.get('A1')?.exterior_color).toBe('é');
  });

  fault(29, async () => {
    const broken = `<lot>\n${item('A1')}\n${item('A2', 'Land & Rover')}</lot>`;
    const refused = await bench.take(broken, { profile: { ...XML, map: XML_MAP } });
    expect(refused).toMatchObject({ status: 'failed', problem: { code: 'xml_not_well_formed', line: 3 } });
    expect(refused.problem?.column).toBe(broken.split('\n')[2]!.indexOf('&') + 1);
    expect(bench.lot.size).toBe(0);

    const mending = { ...XML, options: { record: 'item', repair: true }, map: XML_MAP };
    const mended = await bench.take(broken.replace('Kia', 'Alfa&nbsp;&amp;amp;'), { profile: mending });
    expect(mended.file.warnings.map(({ code }) => code)).toEqual(['xml_repaired']);
    expect(bench.lot.get('A2')?.make).toBe('Land & Rover');
    // Decoded once by XML; what is left is HTML in a text, which is decoded once, too.
    expect(bench.lot.get('A1')?.make).toBe('Alfa &');
    const inCdata = `<lot>${item('A3', '<![CDATA[Rolls & Royce]]>')}</lot>`;
    await bench.take(inCdata, { profile: { ...XML, map: XML_MAP }, feed: { id: 'other' } });
    expect(bench.lot.get('A3')?.make).toBe('Rolls & Royce');
  });

  fault(30, async () => {
    const profile = { ...XML, map: { ...XML_MAP, stock: ['stock', 'Stock Number'] } };
    const documents = [
      `<lot xmlns="urn:lot">${item('N1')}</lot>`,
      `<v:lot xmlns:v="urn:lot">${item('N2', 'Kia', 'v:')}</v:lot>`,
      `<lot>${item('N3').replaceAll('stock>', 'Stock_x0020_Number>')}</lot>`,
    ];
    for (const [index, document] of documents.entries()) {
      const report = await bench.take(document, { profile, feed: { id: `feed-${index}` } });
      expect([report.status, codes(report.rejections)]).toEqual(['ok', []]);
    }
    expect(bench.keys).toEqual(['N1', 'N2', 'N3']);
  });
});
