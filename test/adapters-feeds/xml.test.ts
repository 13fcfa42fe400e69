import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import xml from '../../adapters/feeds/xml/adapter.ts';
import type { XmlOptions } from '../../adapters/feeds/xml/options.ts';
import type { ReadLimits } from '../../src/adapters/index.ts';
import type { DecodedFile } from '../../src/feeds/records.ts';
import { decodedText, runReader, type ReaderRun } from '../feeds/reader-run.ts';

const read = (
  text: string | DecodedFile,
  options: Partial<XmlOptions> = {},
  limits: Partial<ReadLimits> = {},
): Promise<ReaderRun> => {
  const file = typeof text === 'string' ? decodedText(text) : text;
  return runReader(xml, file, { record: 'item', ...options }, limits);
};

const stocksOf = (run: ReaderRun): (string | undefined)[] => run.rows.map(({ cells }) => cells.stock?.[0]);
const item = (stock: string, more = ''): string => `<item><stock>${stock}</stock>${more}</item>`;

/** A stream that never stands in memory as a whole. */
function generated(head: string, piece: string, times: number, tail = ''): DecodedFile {
  return {
    encoding: 'utf-8',
    // eslint-disable-next-line @typescript-eslint/require-await -- the contract asks for an asynchronous stream
    async *open() {
      yield head;
      for (let count = 0; count < times; count += 1) yield piece;
      yield tail;
    },
  };
}

describe('markup in a text', () => {
  test.each([
    ['<b>bold</b> text', '<b>bold</b> text'],
    ['One<br/>two <i>and <u>three</u></i>', 'One<br>two <i>and <u>three</u></i>'],
    ['<p>One</p><P>Two</P>', '<p>One</p><P>Two</P>'],
    ['<ul><li>One</li></ul>', '<ul><li>One</li></ul>'],
  ])('%s stays in it', async (written, text) => {
    // The second record is one that is read at a glance where that is possible.
    const record = item('1', `<comments>${written}</comments>`);
    const { rows } = await read(`<a>${record}${record}${record}</a>`);
    expect(rows.map(({ cells }) => cells.comments)).toEqual([[text], [text], [text]]);
  });

  test('is told from data: elements of other names, and those right below the record', async () => {
    const { rows } = await read(`<a>${item('1', '<price>100<unit>USD</unit></price><p>5</p>')}</a>`);
    expect(rows[0]?.cells).toMatchObject({ price: ['100'], 'price/unit': ['USD'], p: ['5'] });
  });
});

describe('the record element', () => {
  const text = `<a><b>${item('1')}</b><c>${item('2')}</c></a>`;

  test.each([
    ['item', ['1', '2']],
    ['//item', ['1', '2']],
    ['//b/item', ['1']],
    ['c/item', ['2']],
    ['/a/b/item', ['1']],
    ['ITEM', ['1', '2']],
  ])('is found by %s', async (record, stocks) => {
    expect(stocksOf(await read(text, { record }))).toEqual(stocks);
  });

  test('is found whatever prefix the vendor gives it', async () => {
    const prefixed = `<x:a xmlns:x="urn:x" xmlns="urn:y"><x:item><x:stock>1</x:stock></x:item><item><stock>2</stock></item></x:a>`;
    expect(stocksOf(await read(prefixed))).toEqual(['1', '2']);
  });

  test('may hold an element of its own name, which is a column', async () => {
    const run = await read('<a><item><item>inner</item></item></a>');
    expect(run.rows.map(({ cells }) => cells)).toEqual([{ item: ['inner'] }]);
  });

  test('may be the root itself', async () => {
    expect(stocksOf(await read(item('1')))).toEqual(['1']);
  });
});

describe('columns', () => {
  test('are paths below the record; texts are trimmed and nothing is made a number', async () => {
    const run = await read(
      '<r><item id=" 007 "><stock> 00417 </stock><price cur="USD">1E5</price><Stock_x0020_Type>N</Stock_x0020_Type></item></r>',
    );
    expect(run.rows[0]?.cells).toEqual({
      '@id': ['007'],
      stock: ['00417'],
      'price/@cur': ['USD'],
      price: ['1E5'],
      stocktype: ['N'],
    });
    expect(run.columns).toEqual(['@id', 'stock', 'price/@cur', 'price', 'Stock_x0020_Type']);
  });

  test('keep the order of repeated elements and the gaps between them', async () => {
    const run = await read('<r><item><x><y>1</y></x><x><y/></x><x><y>3</y></x></item></r>');
    expect(run.rows[0]?.cells).toEqual({ 'x/y': ['1', '', '3'] });
  });

  test('take CDATA as it stands and decode references once', async () => {
    const run = await read('<r><item><t>a &amp;lt; <![CDATA[<b>&amp;</b>]]> &#x20AC;</t></item></r>');
    expect(run.rows[0]?.cells.t).toEqual(['a &lt; <b>&amp;</b> €']);
  });

  test('of mixed content hold the own text only, unless it is markup', async () => {
    const run = await read('<r><item><t>before <unit>bold</unit> after</t></item></r>');
    expect(run.rows[0]?.cells).toEqual({ 't/unit': ['bold'], t: ['before  after'] });
  });
});

describe('a document that is broken', () => {
  const whole = `<?xml version="1.0"?>\n<!-- x --><r a="1">${item('1', '<p u="m">x &amp; y</p>')}<![CDATA[ ]]>${item('2')}</r>`;

  test('by a cut at any place is refused', async () => {
    expect((await read(whole)).refusal).toBeUndefined();
    for (const repair of [false, true]) {
      for (let at = 0; at < whole.length; at += 1) {
        const { refusal } = await read(whole.slice(0, at), { repair });
        expect(refusal?.code, whole.slice(0, at)).toMatch(/^(xml_not_well_formed|empty_file)$/);
      }
    }
  });

  test.each([
    ['a bare &', '<r>\n<item><t>a & b</t></item></r>', 2, 12],
    ['an & and no semicolon after it', '<r><item>\n<t>a &b</t></item></r>', 2, 6],
    ['an HTML name', '<r><item><t>a&nbsp;b</t></item></r>', 1, 14],
    ['a name that JavaScript knows', '<r><item><t>&toString;</t></item></r>', 1, 13],
    ['a wrong end tag', '<r>\n\n<item></itm></r>', 3, 13],
    ['two roots', '<r><item/></r><r/>', 1, 17],
    ['text after the root', '<r><item/></r>x', 1, 15],
    ['a doubled attribute', '<r><item a="1" a="2"/></r>', 1, 23],
    ['a control character', '<r><item>\u0001</item></r>', 1, 10],
  ])('by %s is refused with its place', async (_, text, line, column) => {
    for (const chunk of [1, 1000]) {
      const { refusal } = await read(decodedText(text, chunk));
      expect(refusal).toMatchObject({ code: 'xml_not_well_formed', where: { line } });
      expect(Math.abs((refusal?.where?.column ?? 0) - column)).toBeLessThanOrEqual(4);
    }
  });

  test('keeps telling the line of a record after comments and wrapped tags', async () => {
    const run = await read('<r>\n<!--\n-->\r\n<item\n a="1"/>\n\n<item/></r>');
    expect(run.rows.map(({ line }) => line)).toEqual([4, 7]);
  });
});

describe('repair on demand', () => {
  test('mends ampersands and HTML letters, nothing in CDATA, comments or instructions', async () => {
    const text = `<r><?x a & b?><!-- & --><item a="R&D"><t>A & B &amp; C&eacute; &unknown; &#38; AT&T;</t><u><![CDATA[a & b &nbsp;]]></u></item></r>`;
    for (const chunk of [1, 2, 3, 5, 1000]) {
      const run = await read(decodedText(text, chunk), { repair: true });
      expect(run.rows[0]?.cells).toEqual({
        '@a': ['R&D'],
        t: ['A & B & Cé &unknown; & AT&T;'],
        u: ['a & b &nbsp;'],
      });
      expect(run.warnings).toEqual([{ code: 'xml_repaired', detail: '5 places' }]);
    }
  });

  test('says nothing when there was nothing to mend', async () => {
    expect((await read(`<r>${item('a &amp; b')}</r>`, { repair: true })).warnings).toEqual([]);
  });
});

describe('a document of another kind', () => {
  test('is refused, with what it is', async () => {
    expect((await read('Stock,VIN\r\nT1,x')).refusal).toMatchObject({ code: 'not_a_feed' });
    expect((await read('')).refusal?.code).toBe('empty_file');
    expect((await read(' \r\n ')).refusal?.code).toBe('empty_file');
    const orders = await read('<orders><order><id>1</id></order></orders>');
    expect(orders.refusal?.code).toBe('not_a_feed');
    expect(orders.refusal?.message).toContain('its root is <orders> and it has no <item>');
    const other = await read('<orders><item/></orders>', { record: '/inventory/item' });
    expect(other.refusal?.message).toContain('its root is <orders> in place of <inventory>');
  });

  test('is not an inventory that is empty', async () => {
    expect(await read('<inventory></inventory>')).toMatchObject({ rows: [], refusal: undefined });
    const cdk = await read('<inventory><ErrorCode>0</ErrorCode><ErrorMessage/></inventory>', {
      record: '/inventory/item',
      error_element: { path: 'ErrorCode', ok: ['0', ''] },
    });
    expect(cdk).toMatchObject({ rows: [], refusal: undefined });
    const anywhere = await read('<extract><ErrorCode>0</ErrorCode><ErrorMessage/></extract>', {
      error_element: { path: 'ErrorCode', ok: ['0'] },
    });
    expect(anywhere).toMatchObject({ rows: [], refusal: undefined });
  });

  test("the sender's error refuses the file", async () => {
    const text = `<r><ErrorCode>17</ErrorCode>${item('1')}</r>`;
    const run = await read(text, { error_element: { path: 'ErrorCode', ok: ['0', ''] } });
    expect(run.refusal).toMatchObject({ code: 'vendor_error', where: { line: 1 } });
    expect(run.refusal?.message).toContain('ErrorCode is "17"');
    expect((await read(text, { error_element: { path: 'ErrorCode', ok: ['17'] } })).refusal).toBeUndefined();
  });
});

describe('the count a file carries', () => {
  test.each([
    [`<r count="2">${item('1')}${item('2')}</r>`, '/r/@count', false],
    [`<r count="3">${item('1')}${item('2')}</r>`, '/r/@count', true],
    [`<r>${item('1')}<total>1</total></r>`, 'total', false],
    [`<r>${item('1')}<total>20</total></r>`, 'total', true],
    [`<r>${item('1')}<total>many</total></r>`, 'total', false],
  ])('is compared: %s', async (text, path, isIncomplete) => {
    const run = await read(text, { count: { path } });
    expect(run.isIncomplete).toBe(isIncomplete);
    expect(run.warnings.map(({ code }) => code)).toEqual(isIncomplete ? ['possibly_truncated'] : []);
  });

  test.each([
    [`<r><count>3</count>${item('1')}${item('2')}</r>`, true],
    [`<r>${item('1')}<Total_Records>20</Total_Records></r>`, true],
    [`<r><head><vehicleCount>3</vehicleCount></head>${item('1')}</r>`, true],
    [`<r><units total="3">${item('1')}${item('2')}</units></r>`, true],
    [`<r><page><total>2</total>${item('1')}</page><page><total>2</total>${item('2')}</page></r>`, false],
    [`<r><count>1</count>${item('1')}${item('2')}</r>`, false],
    [`<r><total>many</total><a><b><c><count>9</count></c></b></a>${item('1')}</r>`, false],
    [`<r>${item('1').replace('</item>', '<count>9</count></item>')}</r>`, false],
  ])('is looked for near the root where nobody has spoken of one: %s', async (text, isIncomplete) => {
    expect((await read(text)).isIncomplete).toBe(isIncomplete);
    expect((await read(text, { count: false })).isIncomplete).toBe(false);
  });
});

describe('hostile documents', () => {
  test('with a DOCTYPE are refused before any entity counts', async () => {
    const bomb = '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><r><item>&c;</item></r>';
    for (const repair of [false, true]) {
      expect((await read(decodedText(bomb, 3), { repair })).refusal?.code).toBe('xml_doctype_refused');
    }
    expect((await read('<!DOCTYPE r SYSTEM "file:///etc/passwd"><r/>')).refusal?.code).toBe(
      'xml_doctype_refused',
    );
  });

  test('nested without end are refused', async () => {
    const run = await read(generated('<r><item>', '<a>'.repeat(1000), 1000));
    expect(run.refusal?.code).toBe('xml_too_deep');
  });

  const limits = { maxCellCharacters: 1000, maxColumns: 50 };

  test.each([
    ['an endless text', generated('<r><item><t>', 'x'.repeat(1000), 100_000)],
    ['an endless comment', generated('<r><!--', 'x'.repeat(1000), 100_000)],
    ['an endless attribute', generated('<r><item a="', 'x'.repeat(1000), 100_000)],
    ['an endless name', generated('<r><', 'x'.repeat(1000), 100_000)],
    ['endless attributes', generated('<r><item', ' a="1"'.repeat(100), 100_000)],
    ['endless photos', generated('<r><item>', '<p/>'.repeat(100), 100_000)],
    ['an endless record of small texts', generated('<r><item>', '<p>photo</p>'.repeat(10), 100_000)],
  ])('%s is refused while it comes in', async (_, file) => {
    expect((await read(file, {}, limits)).refusal?.code).toMatch(/^(row_too_large|xml_not_well_formed)$/);
  });

  test('endless new names are refused', async () => {
    let name = 0;
    const file: DecodedFile = {
      encoding: 'utf-8',
      // eslint-disable-next-line @typescript-eslint/require-await -- the contract asks for an asynchronous stream
      async *open() {
        yield '<r>';
        for (;;) yield `<item><n${name++}>x</n${name - 1}></item>`;
      },
    };
    expect((await read(file, {}, limits)).refusal?.code).toBe('too_many_columns');
    expect(name).toBeLessThan(100);
  });

  test('one text beyond the limit costs its row only', async () => {
    const run = await read(`<r>${item('1', `<t>${'x'.repeat(1500)}</t>`)}${item('2')}</r>`, {}, limits);
    expect(run.rows.map(({ rejection }) => rejection)).toEqual([
      { code: 'cell_too_large', detail: 't' },
      undefined,
    ]);
    expect(stocksOf(run)).toEqual(['1', '2']);
  });
});

test('any records written as XML read back the same, in chunks of any size', async () => {
  const text = fc
    .string({ unit: 'grapheme' })
    .map((value) => value.replace(/[^\t\x20-\uD7FF\uE000-\uFFFD]/gu, '').trim());
  const record = fc.record({ stock: text, photos: fc.array(text, { maxLength: 3 }) });
  const escape = (value: string): string =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  await fc.assert(
    fc.asyncProperty(
      fc.array(record, { minLength: 1 }),
      fc.integer({ min: 1, max: 50 }),
      async (records, chunk) => {
        const body = records.map(({ stock, photos }) => {
          const urls = photos.map((photo) => `<photo>${escape(photo)}</photo>`).join('\n');
          return `<item><stock>${escape(stock)}</stock><photos>${urls}</photos></item>`;
        });
        const run = await read(decodedText(`<r>${body.join('\n')}</r>`, chunk));
        expect(run.refusal).toBeUndefined();
        expect(run.rows.map(({ cells }) => [cells.stock, cells['photos/photo'] ?? []])).toEqual(
          records.map(({ stock, photos }) => [[stock], photos]),
        );
      },
    ),
    { numRuns: 200 },
  );
});
