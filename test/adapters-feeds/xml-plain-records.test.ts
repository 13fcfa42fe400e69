import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import xml from '../../adapters/feeds/xml/adapter.ts';
import type { XmlOptions } from '../../adapters/feeds/xml/options.ts';
import type { ReadLimits } from '../../src/adapters/index.ts';
import { decodedText, runReader, type ReaderRun } from '../feeds/reader-run.ts';
import { parserAlone } from './parser-alone.ts';

/** Plain records are read without saxes; whatever they hold, nothing may come out that saxes would not say. */

const LIMITS: Partial<ReadLimits> = {
  ...{ maxDepth: 6, maxColumns: 25, maxCellCharacters: 60, maxRowCharacters: 400 },
};

async function readBoth(
  text: string,
  chunk: number,
  options: Partial<XmlOptions> = {},
): Promise<[quick: ReaderRun, alone: ReaderRun]> {
  const all = { record: 'item', ...options };
  const quick = await runReader(xml, decodedText(text, chunk), all, LIMITS);
  return [quick, await runReader(parserAlone, decodedText(text, chunk), all, LIMITS)];
}

/** Rows before a refusal are thrown away, however many came. */
function told(run: ReaderRun): Partial<ReaderRun> {
  return run.refusal === undefined ? run : { refusal: run.refusal };
}

const name = fc.constantFrom('stock', 'Stock', 'vin', 'x:price', 'photo', 'photos', 'item', 'items', 'a');
const text = fc.oneof(
  { weight: 5, arbitrary: fc.string({ unit: fc.constantFrom('a', 'B', '7', ' ', '.', ']', '>', 'é') }) },
  fc.constantFrom('&amp;', '&lt;b&gt;', '&#65;', '\r\n', '\n', '\t', '😀', '€', ' ', ''),
  fc.constantFrom('<![CDATA[<b>&nbsp;]]>', '<![CDATA[]]>', '<!-- -->', '<?p i?>'),
);
const attributes = fc
  .uniqueArray(fc.constantFrom('id="1"', 'ID="2"', 'unit="mi &amp; km"', "q='1'", 'e=""', 'xmlns="u"'), {
    maxLength: 3,
  })
  .map((all) => all.map((attribute) => ` ${attribute}`).join(''));
const gap = fc.constantFrom('', '', '\n', '\r\n  ', ' ', '\r');

const { element } = fc.letrec<{ element: string; content: string }>((tie) => ({
  content: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: text },
    {
      weight: 2,
      arbitrary: fc.array(fc.tuple(gap, tie('element')).map((parts) => parts.join(''))),
    }.arbitrary.map((all) => `${all.join('')}\n`),
    fc.array(fc.oneof(text, tie('element')), { maxLength: 3 }).map((parts) => parts.join('')),
  ),
  element: fc
    .oneof(
      { weight: 6, arbitrary: fc.tuple(name, fc.constant(''), tie('content')) },
      fc.tuple(name, attributes, tie('content')),
    )
    .map(([tag, more, content]) =>
      content === '' && more.length % 2 === 0 ? `<${tag}${more}/>` : `<${tag}${more}>${content}</${tag}>`,
    ),
}));
/** Records made alike, as in real exports, and others between them. */
const records = fc
  .tuple(
    fc.array(element, { minLength: 1, maxLength: 4 }),
    fc.array(fc.tuple(gap, fc.option(element)), { minLength: 1, maxLength: 8 }),
    attributes,
  )
  .map(([parts, places, more]) =>
    places
      .map(([before, other], index) => {
        const changed = parts.map((part, at) =>
          other !== null && at === index % parts.length ? other : part,
        );
        return `${before}<item${index % 3 === 0 ? more : ''}>\n${changed.join('\n')}\n</item>`;
      })
      .join(''),
  );
const document = fc
  .tuple(
    fc.constantFrom('', '<?xml version="1.0"?>\n', '<?xml version="1.1"?>', '<!-- <item> -->'),
    records,
    fc.constantFrom('', '<total>3</total>', '<a>x</a>'),
    records,
  )
  .map(([prolog, first, between, second]) => `${prolog}<r count="9">${first}${between}${second}\n</r>\n`);

const HOSTILE = [
  ...[
    '<',
    '>',
    '&',
    ';',
    '"',
    '/',
    ']]>',
    '<![CDATA[',
    '<!--',
    '-->',
    '<?',
    '<!DOCTYPE r>',
    '&nbsp;',
    '&#0;',
  ],
  ...[
    '</item>',
    '<item>',
    '</r>',
    '</a>',
    '<item',
    '<a b=1>',
    ' id="1" id="1"',
    '\u0001',
    '\ufffe',
    '\r',
    '\u0085',
  ],
  ...['x'.repeat(70), '<a>'.repeat(8), 'é'],
];
const mutation = fc.tuple(
  fc.double({ min: 0, max: 1, noNaN: true }),
  fc.integer({ min: 0, max: 12 }),
  fc.constantFrom('', ...HOSTILE),
);

function mutate(whole: string, mutations: readonly (readonly [number, number, string])[]): string {
  return mutations.reduce((changed, [place, removed, inserted]) => {
    const at = 1 + Math.floor(place * changed.length);
    return changed.slice(0, at) + inserted + changed.slice(at + removed);
  }, whole);
}

describe('a record that is read at a glance', () => {
  test('says what the parser says, in documents sound and broken', async () => {
    let refused = 0;
    let read = 0;
    const property = fc.asyncProperty(
      ...([
        document,
        fc.array(mutation, { maxLength: 2 }),
        fc.integer({ min: 1, max: 3000 }),
        fc.boolean(),
      ] as const),
      async (sound, mutations, chunk, repair) => {
        const [quick, alone] = await readBoth(mutate(sound, mutations), chunk, { repair });
        expect(told(quick)).toEqual(told(alone));
        if (alone.refusal === undefined) read += 1;
        else refused += 1;
      },
    );
    await fc.assert(property, { numRuns: 500 });
    expect(Math.min(refused, read)).toBeGreaterThan(50);
  });

  const plain = '<item id="1"><stock>T1</stock><photos><photo>u</photo></photos><note/></item>';

  test.each([
    ['the end of a section in a text', '<item><stock>a]]>b</stock></item>'],
    ['a bare &', '<item><stock>a & b</stock></item>'],
    ['an unknown entity', '<item><stock>&nbsp;</stock></item>'],
    ['a reference to nothing', '<item><stock>&#0;</stock></item>'],
    ['a reference', '<item><stock>&#65;&#x20AC;&amp;lt;</stock></item>'],
    ['a control character', '<item><stock>a\u0001</stock></item>'],
    ['a control character in a section', '<item><stock><![CDATA[a\u0001]]></stock></item>'],
    ['no character', '<item><stock>\ufffe</stock></item>'],
    ['half a character', '<item><stock>\ud800</stock></item>'],
    ['a character of two halves', '<item><stock>\u{1f697}</stock></item>'],
    ['an old line break', '<item><stock>a\rb</stock></item>'],
    ['line breaks', '\r\n<item>\r\n<stock>\r\na\r\nb</stock>\r\n</item>\r\n'],
    ['an old line break around it', '\r<item><stock>a</stock></item>\r'],
    ['a wrong end tag', '<item><stock>a</photos></item>'],
    ['a wrong end tag of its own', '<item><stock>a</stock></items>'],
    ['no end tag', '<item><stock>a</item>'],
    ['an end tag too many', '<item><stock>a</stock></photos></item>'],
    ['a doubled attribute', '<item id="1" id="1"><stock>a</stock></item>'],
    ['an attribute without quotes', '<item id=1><stock>a</stock></item>'],
    ['attributes without a blank', '<item id="1"id="1"><stock>a</stock></item>'],
    ['a < in an attribute', '<item id="<"><stock>a</stock></item>'],
    ['a line break in an attribute', '<item id="a\nb"><stock>a</stock></item>'],
    ['a reference in an attribute', '<item id=" &lt;1 "><stock>a</stock></item>'],
    ['text around a section', '<item><stock>a <![CDATA[<b>&nbsp;]]></stock></item>'],
    ['text behind a section', '<item><stock><![CDATA[<b>&nbsp;]]> a</stock></item>'],
    ['a section alone', '<item><stock> <![CDATA[ <b>&nbsp; ]]>\n</stock></item>'],
    ['a section in a section', '<item><stock><![CDATA[<![CDATA[x]]>]]></stock></item>'],
    ['text beside elements', '<item>x<photos>y<photo>u</photo>z</photos></item>'],
    ['an empty element with two tags', '<item><photos></photos><note></note></item>'],
    ['blanks in tags', '<item ><stock >a</stock ><note /></item >'],
    ['a comment', '<item><!-- </item> --><stock>a</stock></item>'],
    ['an instruction', '<item><?x </item> ?><stock>a</stock></item>'],
    ['a DOCTYPE', '<item><!DOCTYPE r><stock>a</stock></item>'],
    ['a record inside', '<item><item><stock>b</stock></item></item>'],
    ['nesting beyond the limit', `<item>${'<photos>'.repeat(8)}${'</photos>'.repeat(8)}</item>`],
    ['nesting at the limit', `<item>${'<photos>'.repeat(4)}${'</photos>'.repeat(4)}</item>`],
    ['a place deep down', '<b><b><b><item><photos><photo>u</photo></photos></item></b></b></b>'],
    ['what another version of XML forbids', '<item><stock>a\u0084b\u0085c</stock></item>'],
    ['a text beyond the limit', `<item><stock>${'x'.repeat(61)}</stock></item>`],
    ['a text at the limit', `<item><stock>${'x'.repeat(60)}</stock></item>`],
    ['texts beyond the limit', `<item>${`<stock>${'x'.repeat(50)}</stock>`.repeat(8)}</item>`],
    ['an end', ''],
    ['half of itself', '<item><stock>a'],
    ['its tag inside of a comment', '<!--<item><stock>a</stock></item>-->'],
    ['its tag inside of a section', '<![CDATA[><item><stock>a</stock></item>]]>'],
    ['its tag inside of a tag', '<a <item><stock>a</stock></item>>'],
    ['its tag behind the root', '</r><item><stock>a</stock></item><r>'],
    ['text around it', 'x<item><stock>a</stock></item>x'],
    ['a name that begins with its own', '<items><item><stock>a</stock></item></items>'],
  ])('says what the parser says of a record with %s', async (_, odd) => {
    for (const prolog of ['', '<?xml version="1.1"?>']) {
      for (const again of ['', odd]) {
        const whole = `${prolog}<r>${plain}\n${plain}${odd}${plain}${again}\n${plain}</r>`;
        for (const chunk of [1, 7, 5000]) {
          for (const repair of [false, true]) {
            const [quick, alone] = await readBoth(whole, chunk, { repair });
            expect(told(quick)).toEqual(told(alone));
          }
        }
      }
    }
  });

  test('counts only where records stand', async () => {
    const [quick, alone] = await readBoth(`<r><b>${plain}</b><c>${plain}${plain}</c></r>`, 9, {
      record: 'b/item',
    });
    expect(quick.rows).toHaveLength(1);
    expect(quick).toEqual(alone);
  });
});
