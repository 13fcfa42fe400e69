import { describe, expect, test } from 'vitest';
import xml from '../../adapters/feeds/xml/adapter.ts';
import type { XmlOptions } from '../../adapters/feeds/xml/options.ts';
import type { RawRow } from '../../src/adapters/index.ts';
import { DEFAULT_READ_LIMITS } from '../../src/feeds/limits.ts';
import { readRows } from '../../src/feeds/reading/read.ts';
import { decodedText } from '../feeds/reader-run.ts';

interface Recognised {
  /** Of each row: the record that the reader asked for, `known` if it was, undefined if it asked for none. */
  asked: (string | undefined)[];
  rows: RawRow[];
  columns: readonly string[];
  refusal: string | undefined;
}

/** Reads with a core that knows the given records. */
async function recognise(
  text: string,
  known: readonly string[] = [],
  { chunk = 64, ...options }: Partial<XmlOptions> & { chunk?: number } = {},
): Promise<Recognised> {
  const askedBy = new Map<object, string>();
  const recogniser = () => (record: string) => {
    const mark = { isKnown: known.includes(record) };
    askedBy.set(mark, record);
    return mark;
  };
  const all = { record: 'item', ...options };
  const reading = readRows(decodedText(text, chunk), xml, all, DEFAULT_READ_LIMITS, { recogniser });
  const rows: RawRow[] = [];
  for await (const row of reading.rows) rows.push(row);
  const { columns, refusal } = reading.facts();
  const asked = rows.map(({ mark }) => {
    if (mark === undefined) return undefined;
    return mark.isKnown ? 'known' : askedBy.get(mark);
  });
  return { asked, rows, columns, refusal: refusal?.code };
}

const item = (stock: string, more = ''): string => `<item><stock>${stock}</stock>${more}</item>`;
const feed = (...items: string[]): string => `<r>\n  ${items.join('\n  ')}\n</r>\n`;

describe('records that came in the last file', () => {
  const records = [
    item('1'),
    item('2', '<!-- new --><note>a</note>'),
    item('3', '<note>b</note>'),
    item('4'),
  ];

  test('are asked for as they stand in the file, plain ones and others', async () => {
    for (const chunk of [1, 40, 5000]) {
      // The first one shows how records are written.
      expect((await recognise(feed(...records), [], { chunk })).asked.slice(1)).toEqual(records.slice(1));
    }
  });

  test('are recognised, and columns, rows and lines are those of the whole file', async () => {
    const changed = [...records.slice(0, 2), item('3', '<note>b</note><price>1</price>'), item('4')];
    const run = await recognise(feed(...changed), records);
    expect(run.asked.slice(1)).toEqual(['known', changed[2], 'known']);
    expect(run.rows.map(({ row, line }) => [row, line])).toEqual([
      [1, 2],
      [2, 3],
      [3, 4],
      [4, 5],
    ]);
    expect(run.columns).toEqual(['stock', 'note', 'price']);
    expect(run.rows[2]?.cells.get('price')).toEqual(['1']);
  });

  test('are not asked for where the file was mended in them', async () => {
    const run = await recognise(feed(item('1'), item('a & b'), item('3')), [], { repair: true });
    expect(run.asked.slice(1)).toEqual([undefined, item('3')]);
  });

  test('are whole ones, whatever looks like their end', async () => {
    const odd = [
      '<item><item>inner</item></item>',
      '<item><stock>x<![CDATA[</item>]]></stock></item>',
      '<item><stock><![CDATA[</item>]]></stock></item>',
      '<item/>',
    ];
    const run = await recognise(feed(item('0'), ...odd, item('1')));
    expect(run.rows.map(({ cells }) => [...cells.keys()])).toEqual([
      ['stock'],
      ['item'],
      ['stock'],
      ['stock'],
      [],
      ['stock'],
    ]);
    expect(run.asked.slice(1)).toEqual([undefined, undefined, odd[2], odd[3], item('1')]);
  });

  test('do not make a document sound that is broken around them', async () => {
    const known = [item('1'), item('2')];
    expect((await recognise(feed(...known, item('1'), '</r>'), known)).refusal).toBe('xml_not_well_formed');
    expect((await recognise(feed(...known, '<b>', item('1')), known)).refusal).toBe('xml_not_well_formed');
    expect((await recognise(`${feed(...known)}${item('2')}`, known)).refusal).toBe('xml_not_well_formed');
  });

  test('are not asked for in XML 1.1, where line breaks are others', async () => {
    const { asked } = await recognise(`<?xml version="1.1"?>${feed(item('1'), item('2'))}`);
    expect(asked).toEqual([undefined, undefined]);
  });
});
