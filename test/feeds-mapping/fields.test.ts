import { describe, expect, test } from 'vitest';
import { attributePairs, attributeValue } from '../../src/feeds/mapping/fields/attributes.ts';
import { flagCondition, withCertifiedMark } from '../../src/feeds/mapping/fields/condition.ts';
import { compileDateFormat, parseDate } from '../../src/feeds/mapping/fields/date.ts';
import { parseDisplacement } from '../../src/feeds/mapping/fields/displacement.ts';
import { addFeatures, splitList } from '../../src/feeds/mapping/fields/features.ts';
import { feesOfColumns, feesOfList } from '../../src/feeds/mapping/fields/fees.ts';
import { parseFlag } from '../../src/feeds/mapping/fields/flag.ts';
import { descriptionText } from '../../src/feeds/mapping/fields/html-text.ts';
import { parseMileage } from '../../src/feeds/mapping/fields/mileage.ts';
import { dollarsHalfUp, dollarsUp, parseMoney } from '../../src/feeds/mapping/fields/money.ts';
import { doubtAboutNumber, parseNumber } from '../../src/feeds/mapping/fields/numbers.ts';
import { parsePhotos } from '../../src/feeds/mapping/fields/photos.ts';
import { excludesCharges } from '../../src/feeds/mapping/fields/price-disclaimer.ts';
import {
  codeText,
  lineText,
  looksLikeDate,
  looksLikeDateSerial,
  looksScientific,
} from '../../src/feeds/mapping/fields/text.ts';
import { cleanVin, judgeVin } from '../../src/feeds/mapping/fields/vin-text.ts';
import { webAddress } from '../../src/feeds/mapping/fields/web-address.ts';
import { WordsKept } from '../../src/feeds/mapping/fields/words.ts';
import { parseYear } from '../../src/feeds/mapping/fields/year.ts';

describe('money', () => {
  test.each([
    ['$31,995', 3_199_500],
    ['31995.00 USD', 3_199_500],
    ['31,995.50', 3_199_550],
    ['USD 31,995.49', 3_199_549],
    ['$ 31 995', 3_199_500],
    [' 19750.00 ', 1_975_000],
    ['$31,995*', 3_199_500],
    ['1.9995E+04', 1_999_500],
    ['US$500', 50_000],
    ['US $31,995', 3_199_500],
    ['U.S. $31,995', 3_199_500],
    ['USD $31,995', 3_199_500],
    ['$31,995 USD', 3_199_500],
    ['31,995 dollars', 3_199_500],
    ['31995 US Dollars', 3_199_500],
    ['31995.000', 3_199_500],
    ['31,995.000', 3_199_500],
    ['0.500', 50],
    ['31995.4999', 3_199_549],
    ['0.29', 29],
    ['12.50E+02', 125_000],
    ['"31995"', 3_199_500],
    ['"$31,995"', 3_199_500],
    ['&#36;31,995', 3_199_500],
  ])('reads %s', (text, cents) => {
    expect(parseMoney(text)).toEqual({ kind: 'amount', cents });
  });

  test.each(['', ' ', '0', '0.00', '$0', '########', 'N/A', '-'])('takes %j for no price', (text) => {
    expect(parseMoney(text)).toEqual({ kind: 'none' });
  });

  test.each(['Call for Price', 'TBD', 'Please inquire', 'Call 207-555-0101', 'Please text 555-0101'])(
    'takes %s for words',
    (text) => {
      expect(parseMoney(text)).toEqual({ kind: 'words' });
    },
  );

  test.each([
    '-1',
    '31.995,00',
    '€31995',
    '31995 CAD',
    '$31,99',
    '31,995 - 33,000',
    'now 31995',
    'C$31,995',
    'AU $31,995',
    '31,995 Canadian dollars',
    '31,995 AUD',
    '125.000',
    '$ 1.250',
    '999.999 USD',
    '1e400',
    '3l995',
  ])('refuses %s', (text) => {
    expect(parseMoney(text)).toEqual({ kind: 'invalid' });
  });

  test('rounds list prices half up, prices and fees up', () => {
    expect([3_199_549, 3_199_550, 3_199_501].map(dollarsHalfUp)).toEqual([31_995, 31_996, 31_995]);
    expect([3_199_549, 3_199_500, 3_199_501].map(dollarsUp)).toEqual([31_996, 31_995, 31_996]);
  });
});

describe('numbers', () => {
  test.each(['125.000', '1.000', '45.210', '-118.450', ' 250.000 '])(
    'takes %s neither for thousands nor for decimals',
    (text) => {
      expect(parseNumber(text)).toBeUndefined();
      expect(doubtAboutNumber(text)).toMatch(/^it may mean \d{4,6} or \d{1,3}\.\d{3}; /);
    },
  );

  test.each([
    ['0.125', 0.125],
    ['1250.125', 1250.125],
    ['1,250.125', 1250.125],
    ['1.2500', 1.25],
    ['1.9990E+04', 19_990],
    ['1.5E+01', 15],
    ['5E-01', 0.5],
    ['125,000', 125_000],
  ])('reads %s, which means one thing only', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  test.each(['1.23E+04', '1.2E+04', '2E+4', '1.999E+04', '1.2E+11', '$1.23E+04'])(
    'does not read %s, whose last digits a spreadsheet has lost',
    (text) => {
      expect(parseNumber(text)).toBeUndefined();
      expect(parseMoney(text)).toEqual({ kind: 'invalid' });
      expect(doubtAboutNumber(text)).toMatch(/^a spreadsheet has shortened it/);
    },
  );

  test.each([
    ['007', 7],
    ['1,234,567', 1_234_567],
    ['10.5', 10.5],
    ['-3', -3],
  ])('reads %s', (text, value) => {
    expect(parseNumber(text)).toBe(value);
  });

  test.each(['12,34', '1.2.3', '0x1F', 'NaN', 'Infinity', '1_000', '', '--1', '9'.repeat(5000)])(
    'refuses %.20s',
    (text) => {
      expect(parseNumber(text)).toBeUndefined();
    },
  );
});

describe('mileage', () => {
  test.each([
    ['24870', 24_870],
    ['2,777 miles', 2777],
    ['118,450 mi.', 118_450],
    ['100 km', 62],
    ['0', 0],
    ['24870.6', 24_871],
  ])('reads %s', (text, miles) => {
    expect(parseMileage(text)).toEqual({ kind: 'miles', miles });
  });

  test('converts by the unit of the column, and keeps hours apart', () => {
    expect(parseMileage('160934', 'kilometers')).toEqual({ kind: 'miles', miles: 100_000 });
    expect(parseMileage('62 hrs')).toEqual({ kind: 'hours', hours: 62 });
    expect(parseMileage('62.5', 'hours')).toEqual({ kind: 'hours', hours: 62.5 });
  });

  test.each([
    ['-5', 'implausible'],
    ['99999999', 'implausible'],
    ['999999', 'implausible'],
    ['999,999', 'implausible'],
    ['999999 km', 'implausible'],
    ['#N/A', 'no_number'],
    ['TMU', 'no_number'],
    ['24k', 'no_number'],
    ['118.450', 'no_number'],
    ['40.000 km', 'no_number'],
    ['1.250 hrs', 'no_number'],
    ['12 parsecs', 'no_number'],
  ])('does not publish %s', (text, kind) => {
    expect(parseMileage(text)).toEqual({ kind });
  });
});

describe('year', () => {
  test.each([
    ['2026', 2026],
    ['2,026', 2026],
    ['2026.0', 2026],
    ["'2019", 2019],
  ])('reads %s', (text, year) => {
    expect(parseYear(text, undefined)).toBe(year);
  });

  test('expands two digits only when the VIN agrees', () => {
    expect(parseYear('18', '1C4RJFBG2JCA90112')).toBe(2018);
    expect(parseYear('19', '1C4RJFBG2JCA90112')).toBeUndefined();
    expect(parseYear('18', undefined)).toBeUndefined();
  });

  test.each(['1899', '2101', '20266', 'MY26', '0', ''])('refuses %j', (text) => {
    expect(parseYear(text, undefined)).toBeUndefined();
  });
});

describe('date', () => {
  test.each([
    ['08/03/2026', '2026-08-03'],
    ['8/3/2026', '2026-08-03'],
    ['2026-08-03', '2026-08-03'],
    ['2026-08-03T23:59:59-05:00', '2026-08-03'],
    ['9/16/2026 8:08:00 AM', '2026-09-16'],
    ['46231', '2026-07-28'],
    ['20260808', '2026-08-08'],
    ['Aug 3, 2026', '2026-08-03'],
    ['03-AUG-2026', '2026-08-03'],
    ['02/29/2024', '2024-02-29'],
  ])('reads %s', (text, date) => {
    expect(parseDate(text)).toBe(date);
  });

  test.each(['02/29/2026', '13/01/2026', '00/10/2026', '8/3/26', '2026', 'yesterday', '1/1/1066', '4623'])(
    'refuses %s',
    (text) => {
      expect(parseDate(text)).toBeUndefined();
    },
  );

  test.each([
    '2026-8-3',
    '2026/08/03',
    '20260803',
    'Aug 3, 2026',
    '3-Aug-2026',
    '3 Aug 2026',
    '3 August 2026',
  ])('reads %s, which has one meaning only, whatever the profile says', (text) => {
    expect(parseDate(text, compileDateFormat('DD/MM/YYYY'))).toBe('2026-08-03');
  });

  test('follows the format of the profile', () => {
    const dayFirst = compileDateFormat('DD/MM/YYYY');
    expect(parseDate('03/08/2026', dayFirst)).toBe('2026-08-03');
    expect(parseDate('08/31/2026', dayFirst)).toBeUndefined();
    expect(parseDate('260803', compileDateFormat('YYMMDD'))).toBe('2026-08-03');
    expect(parseDate('2026-08-03', compileDateFormat('YYYY-DD-MM'))).toBe('2026-03-08');
    expect(compileDateFormat('MM/YYYY')).toBeUndefined();
    expect(compileDateFormat('YYYY-YYYY-MM')).toBeUndefined();
  });
});

describe('text', () => {
  test('takes what spreadsheets put around codes away, and nothing else', () => {
    expect(codeText('="00419"')).toBe('00419');
    expect(codeText("'00420")).toBe('00420');
    expect(codeText(' 0x1F ')).toBe('0x1F');
    expect(codeText('1E5')).toBe('1E5');
  });

  test('puts a value on one line', () => {
    expect(lineText('  B&amp;O\r\n Audio\u00a0\t<b>Pro</b> ')).toBe('B&O Audio Pro');
    expect(lineText(' N/A ')).toBeUndefined();
    expect(lineText('#REF!')).toBeUndefined();
    expect(lineText('Nautilus')).toBe('Nautilus');
    expect(lineText('Black  Cloth ')).toBe('Black Cloth');
    expect(lineText('Black Cloth')).toBe('Black Cloth');
    expect(lineText('Citro\u00ebn\u007f')).toBe('Citro\u00ebn');
  });

  test('knows what a spreadsheet leaves behind', () => {
    expect(['9-Mar', 'Mar-24', '9-3', 'F-150'].map(looksLikeDate)).toEqual([true, true, false, false]);
    for (const text of ['9/3/2026', '2026-03-09', '3/9/2026 0:00', '2026-03-09 00:00:00', '9-Mar-26'])
      expect(looksLikeDate(text), text).toBe(true);
    for (const text of ['3/4', '1/2/3', '2026', '2026-03', '44935'])
      expect(looksLikeDate(text), text).toBe(false);
    expect(['44935', '46000', '4500', '35000', '449350'].map(looksLikeDateSerial)).toEqual([
      ...[true, true, false, false, false],
    ]);
    expect(['1.23457E+11', '1E5', '1e+05'].map(looksScientific)).toEqual([true, false, true]);
  });
});

describe('description', () => {
  test('keeps text and line breaks of HTML', () => {
    expect(
      descriptionText('<p>One&nbsp;owner.<br>New tires &amp; brakes</p><ul><li>Tow</li><li>Nav</li></ul>'),
    ).toBe('One owner.\nNew tires & brakes\nTow\nNav');
    expect(descriptionText('A<br/><br>B')).toBe('A\n\nB');
    expect(descriptionText('<td>a</td><td>b</td>')).toBe('a b');
  });

  test('drops scripts, styles, comments and pixels', () => {
    const html =
      '<!-- x --><SCRIPT src=a>alert(1)</script >Clean <style>p{}</style>text<img src="https://t.example.com/p.gif">';
    expect(descriptionText(html)).toBe('Clean text');
    expect(descriptionText('<script>never closed')).toBeUndefined();
  });

  test('decodes twice at most and leaves text that only looks like HTML', () => {
    expect(descriptionText('&lt;b&gt;Double&lt;/b&gt; encoded &amp;amp; more')).toBe('Double encoded & more');
    expect(descriptionText('2 < 3 & 5 > 4 seats')).toBe('2 < 3 & 5 > 4 seats');
    expect(descriptionText('dealer&#146;s choice &#x2014; 20&Prime;')).toBe('dealer’s choice — 20″');
    expect(descriptionText('AT&T &unknown; &#0; &#xD800;')).toBe(
      'AT&T &unknown;  &#xD800;'.replace('  ', ' '),
    );
  });

  test.each([
    ['x<y and z>w', 'x<y and z>w'],
    ['a<b and c>d', 'a<b and c>d'],
    ['<<<SALE>>> today', '<<<SALE>>> today'],
    ['<ABS> brakes, <b>new</b>', '<ABS> brakes, new'],
    ['<div style="a>b">Hi</div>', 'Hi'],
    ["<a title='more > less' href=x>Hi</a>", 'Hi'],
    ['<p class=">Hi</p>', 'Hi'],
    ['<o:p>Hi</o:p><br clear="all">there', 'Hi\nthere'],
    ['<xyz onclick="alert(1)">Hi</xyz>', 'Hi'],
    ['<hr noshade>Hi<td nowrap>you</td>', 'Hi you'],
    [`<img src="data:image/png;base64,${'A'.repeat(3000)}">Hi`, 'Hi'],
    ['price <$20,000 & >10 mpg', 'price <$20,000 & >10 mpg'],
    ['5<a', '5<a'],
  ])('takes of %.40j only what is markup', (html, text) => {
    expect(descriptionText(html)).toBe(text);
  });

  test.each(['<zz', '<a \'"', '<a "', '<zz>', '<b<', '</x', '<p"', "<i '"])(
    'gets through many of %s in one go and leaves them',
    (piece) => {
      const text = piece.repeat(30_000);
      expect(descriptionText(text)).toBe(text);
    },
  );

  test('gets through hostile markup in one go', () => {
    const hostile = '<script>'.repeat(20_000) + '<a'.repeat(50_000) + '&lt;'.repeat(20_000);
    expect(descriptionText(hostile)).toBeUndefined();
    expect(descriptionText('<'.repeat(100_000))).toHaveLength(100_000);
  });

  test('puts line ends in order', () => {
    expect(descriptionText('line 1\r\nline 2 \r line 3\n\n\n\nline 4')).toBe(
      'line 1\nline 2\nline 3\n\nline 4',
    );
  });
});

describe('photos', () => {
  const one = 'https://img.example.com/1.jpg';
  const two = 'https://img.example.com/2.jpg';

  test.each([
    [`${one},${two},`],
    [`${one} , ${two}`],
    [`${one}|${two}`],
    [`${one},${two}`],
    [`${one}|${two},`],
    [`${one},${two}|${one}`],
    [`${one};${two}`],
    [`${one}\n${two}`],
    [JSON.stringify([one, two])],
    [JSON.stringify([{ url: one }, { url: two }])],
    [`${one},${one},/relative/3.jpg,ftp://img.example.com/4.jpg,javascript:alert(1),${two}`],
  ])('reads %s', (cell) => {
    expect(parsePhotos([cell]).photos).toEqual([one, two]);
  });

  test('keeps commas and blanks inside of an address', () => {
    expect(
      parsePhotos(['https://img.example.com/w_640,h_480/a b.jpg,//img.example.com/c.jpg']).photos,
    ).toEqual(['https://img.example.com/w_640,h_480/a%20b.jpg', 'https://img.example.com/c.jpg']);
    for (const [inside, encoded] of [
      ['https://my_bucket.s3.amazonaws.com/a,/b.jpg', 'https://my_bucket.s3.amazonaws.com/a,/b.jpg'],
      ['https://img.example.com/my photo /x.jpg', 'https://img.example.com/my%20photo%20/x.jpg'],
      ['https://img.example.com/photo 1: front.jpg', 'https://img.example.com/photo%201:%20front.jpg'],
    ] as const) {
      expect(parsePhotos([inside])).toEqual({ photos: [encoded], dropped: 0, beyondLimit: 0 });
      expect(parsePhotos([`${inside}, ${one}`]).photos).toEqual([encoded, one]);
    }
    expect(parsePhotos([`${one},/img/2.jpg|data:image/png;base64,AAAA ${two}`])).toEqual({
      ...{ photos: [one, two], dropped: 2, beyondLimit: 0 },
    });
    expect(parsePhotos([`${one}?a=1&amp;b=2`]).photos).toEqual([`${one}?a=1&b=2`]);
  });

  test.each([['~'], ['^'], ['\\n'], ['\\r\\n'], [' ~ '], ['||'], ['']])('are told apart by "%s"', (sign) => {
    const [a, b] = ['https://a.example/1.jpg', 'https://a.example/2.jpg?w=1'];
    expect(parsePhotos([`${a}${sign}${b}`])).toEqual({ photos: [a, b], dropped: 0, beyondLimit: 0 });
  });

  test.each([
    ["['A','B']"],
    ['["A","B"]'],
    ['{"1":"A","2":"B"}'],
    ['{"photos":[{"href":"A"},{"href":"B"}]}'],
    ['{A,B}'],
    ['1:A|2:B'],
    ['1=A,2=B'],
    ['<img src="A"><img alt="x" src=\'B\'/>'],
  ])('are read out of %s', (list) => {
    const [a, b] = ['https://a.example/1.jpg', 'https://a.example/2.jpg'];
    const cell = list.replace('A', a).replace('B', b);
    expect(parsePhotos([cell])).toEqual({ photos: [a, b], dropped: 0, beyondLimit: 0 });
  });

  test('never become one dead address, and an address within another stays', () => {
    expect(parsePhotos(['https://a.example/1https://a.example/2'])).toEqual({
      photos: [],
      dropped: 1,
      beyondLimit: 0,
    });
    const fetched = [
      'https://cdn.example/fetch/w_400/https://a.example/1.jpg',
      'https://cdn.example/?url=https://a.example/1.jpg',
      'https://a.example/~jane/1.jpg',
      'https://a.example/a^b.jpg',
    ];
    for (const address of fetched) {
      const { photos } = parsePhotos([address]);
      expect(photos).toEqual([address.replace('^', '%5E')]);
    }
  });

  test('leaves out the words for no photo and the quotes around addresses', () => {
    const lists = [
      '|.',
      '|N/A',
      ',.',
      ', null',
      '|.|.|',
      '|no photo',
      ';Image Not Available',
      '|photos coming soon',
    ];
    for (const behind of lists) {
      expect(parsePhotos([`${one}${behind}`])).toEqual({ photos: [one], dropped: 0, beyondLimit: 0 });
      expect(parsePhotos([`${one}${behind}|${two}`]).photos).toEqual([one, two]);
    }
    expect(parsePhotos([`.|${one}`]).photos).toEqual([one]);
    expect(parsePhotos([`${one}${'|.'.repeat(100_000)}`]).photos).toEqual([one]);
    expect(parsePhotos([`"${one}","${two}"`]).photos).toEqual([one, two]);
    expect(parsePhotos([`'${one}'; '${two}'`]).photos).toEqual([one, two]);
  });

  test('follows an unusual separator', () => {
    expect(parsePhotos([`${one}~${two}`], '~').photos).toEqual([one, two]);
  });

  test('counts what it leaves out and is not slowed by runs of separators', () => {
    expect(parsePhotos(['.'])).toEqual({ photos: [], dropped: 0, beyondLimit: 0 });
    expect(parsePhotos(['/a.jpg', 'b.jpg'])).toEqual({ photos: [], dropped: 2, beyondLimit: 0 });
    expect(parsePhotos([`${one}${','.repeat(200_000)}x`]).dropped).toBe(1);
  });
});

test('addresses are absolute http or https addresses, or none', () => {
  expect(webAddress('HTTPS://Example.com/A.JPG')).toBe('https://Example.com/A.JPG');
  expect(webAddress('https://example.com/ä?q=1')).toBe('https://example.com/%C3%A4?q=1');
  expect(webAddress('//example.com/a')).toBe('https://example.com/a');
  for (const bad of [
    '/a',
    'example.com/a',
    'javascript:alert(1)',
    'data:,x',
    'https://',
    'https://exa mple.com/',
    'file:///etc',
  ]) {
    expect(webAddress(bad), bad).toBeUndefined();
  }
});

test('lists are split, headings cut off, prose and repeats left out', () => {
  expect(splitList('Audio@Bose~Comfort@Heated Seats~~Moonroof', { separator: '~', after: '@' })).toEqual([
    'Bose',
    'Heated Seats',
    'Moonroof',
  ]);
  const found = new Map<string, string>();
  addFeatures(found, `Moonroof, moonroof ,${'Call us today '.repeat(20)}\nBose Audio`, { separator: ',' });
  expect([...found.values()]).toEqual(['Moonroof', 'Bose Audio']);
});

describe('fees', () => {
  test('of columns: zero is not charged, blank is not told', () => {
    const columns = (doc: string | undefined, prep: string | undefined) => [
      { name: 'Documentation fee', text: doc },
      { name: 'Dealer prep', text: prep },
    ];
    const documentation = { name: 'Documentation fee', amount: 389 };
    expect(feesOfColumns(columns('389', '0'))).toEqual({ kind: 'fees', fees: [documentation] });
    expect(feesOfColumns(columns('388.01', undefined))).toEqual({ kind: 'fees', fees: [documentation] });
    expect(feesOfColumns(columns('0', '0.00'))).toEqual({ kind: 'fees', fees: [] });
    expect(feesOfColumns(columns('0', undefined))).toEqual({ kind: 'not_given' });
    expect(feesOfColumns(columns('389', 'ask'))).toEqual({ kind: 'invalid', value: 'ask' });
  });

  test('of one cell', () => {
    expect(feesOfList('Documentation fee:500|Theft protection: $1,290.10|Prep:0', '|')).toEqual({
      kind: 'fees',
      fees: [
        { name: 'Documentation fee', amount: 500 },
        { name: 'Theft protection', amount: 1291 },
      ],
    });
    expect(feesOfList('none', '|')).toEqual({ kind: 'fees', fees: [] });
    expect(feesOfList(' ', '|')).toEqual({ kind: 'not_given' });
    expect(feesOfList('Doc:500|doc:600', '|')).toEqual({ kind: 'invalid', value: 'doc:600' });
    expect(feesOfList('Doc:500|Prep', '|')).toEqual({ kind: 'invalid', value: 'Prep' });
  });

  test.each([
    'Doc fee:$389.00; Prep:100',
    'Doc fee $389, Prep:100',
    'Doc fee 389; Prep:100',
    'Doc=389/Prep:100',
  ])('that stand together as one in %s are none', (list) => {
    expect(feesOfList(list, '|')).toEqual({ kind: 'invalid', value: list });
  });

  test.each(['Theft protection: 3 years:1290', 'Doc fee (2026):389', '$mart care:100', 'Tax; title:50'])(
    'with an odd name, as %s, are some',
    (list) => {
      expect(feesOfList(list, '|')).toMatchObject({ kind: 'fees', fees: [{}] });
    },
  );

  test('of a list may come to nothing', () => {
    expect(feesOfList('Doc:0', '|')).toEqual({ kind: 'fees', fees: [] });
  });
});

test('a disclaimer that leaves a charge out is recognised', () => {
  expect(excludesCharges('Price does not include tax, title, license, or $389 documentation fee.')).toBe(
    true,
  );
  expect(excludesCharges('All prices plus dealer charges')).toBe(true);
  expect(excludesCharges("Price doesn't include freight")).toBe(true);
  expect(excludesCharges('Price includes all mandatory dealer fees and add-ons.')).toBe(false);
  expect(excludesCharges('See dealer for details.')).toBe(false);
});

test('conditions of yes-or-no columns', () => {
  const isNew = flagCondition(['Y'], []);
  expect(['Y', 'y', 'N', '', 'U', 'new'].map(isNew)).toEqual([
    'new',
    'new',
    'used',
    undefined,
    undefined,
    undefined,
  ]);
  const isUsed = flagCondition([], ['1']);
  expect(['0', '1'].map(isUsed)).toEqual(['new', 'used']);
  expect(flagCondition(['Y'], ['U'])('U')).toBe('used');
});

test('the certified mark makes used cpo and leaves new alone', () => {
  expect(withCertifiedMark('used', true)).toEqual({ condition: 'cpo' });
  expect(withCertifiedMark('used', false)).toEqual({ condition: 'used' });
  expect(withCertifiedMark('cpo', true)).toEqual({ condition: 'cpo' });
  expect(withCertifiedMark('cpo', false)).toEqual({ condition: 'used', warning: 'certified_contradicted' });
  expect(withCertifiedMark('new', true)).toEqual({ condition: 'new', warning: 'certified_new' });
  expect(withCertifiedMark('used', undefined)).toEqual({ condition: 'used', warning: 'certified_unknown' });
  expect(['True', 'YES', '1', 'Certified', 'false', 'N', '', 'maybe'].map(parseFlag)).toEqual([
    ...[true, true, true, true, false, false, false, undefined],
  ]);
});

test('engine size in cubic centimeters', () => {
  expect(['649', '1,868 cc', '2.7L', '350 ci', '0'].map(parseDisplacement)).toEqual([
    649, 1868, 2700, 5735, 0,
  ]);
  expect(['2.7', 'V6', '-5', '2.7 gallons'].map(parseDisplacement)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test('attributes become numbers only where nothing is lost', () => {
  expect(
    ['62', '0062', '10.50', '10.5', 'true', 'belt', ' '].map((text) => attributeValue(text, {})),
  ).toEqual([...[62, '0062', '10.50', 10.5, true, 'belt', undefined]]);
  expect(['1.255', '0.255', '1255.125'].map((text) => attributeValue(text, {}))).toEqual([
    ...['1.255', 0.255, 1255.125],
  ]);
  expect(attributeValue('a|b', { separator: '|' })).toEqual(['a', 'b']);
  expect(attributePairs('wheel_count=2|Final_Drive = belt|__proto__=1|oops', '|')).toEqual({
    pairs: [
      { name: 'wheel_count', value: '2' },
      { name: 'final_drive', value: ' belt' },
    ],
    invalid: ['__proto__=1', 'oops'],
  });
});

describe('VIN column', () => {
  const car = { vehicleType: undefined, year: 2023 };

  test.each([
    '1ftfw5l82tfa90101',
    ' 1FTFW5L82TFA90101 ',
    '1FT-FW5L82TF A90101',
    '1FTFW5L82TFA90101.',
    "'1FTFW5L82TFA90101",
  ])('cleans %j', (text) => {
    expect(cleanVin(text)).toBe('1FTFW5L82TFA90101');
  });

  test.each(['', 'TBD', 'n/a', 'NO VIN', 'In Transit', '0', '########'])('takes %j for none', (text) => {
    expect(cleanVin(text)).toBe('');
  });

  test('suggests, and never corrects, a misread VIN', () => {
    expect(judgeVin('x', '5J6RT6H9XPLA9O106', car)).toEqual({
      kind: 'invalid',
      text: '5J6RT6H9XPLA9O106',
      detail: 'it holds O; perhaps 5J6RT6H9XPLA90106',
    });
    expect(judgeVin('x', '1FM5K8GC3NGA9010', car)).toMatchObject({ detail: '16 characters instead of 17' });
  });

  test('keeps other serial numbers of boats, trailers, motorcycles and old cars', () => {
    const serial = { kind: 'serial', serial: 'CB1-2000111' };
    expect(judgeVin('CB1-2000111', 'CB12000111', { vehicleType: 'motorcycle', year: 2020 })).toEqual(serial);
    expect(judgeVin('CB1-2000111', 'CB12000111', { vehicleType: 'car', year: 1979 })).toEqual(serial);
    expect(judgeVin('CB1-2000111', 'CB12000111', { vehicleType: 'car', year: 1981 }).kind).toBe('invalid');
    expect(judgeVin('1'.repeat(17), '1'.repeat(17), car).kind).toBe('placeholder');
  });
});

test('kept words are counted within bounds', () => {
  const words = new WordsKept();
  for (let index = 0; index < 1000; index++) words.add('body', `Body ${String(index)}`);
  words.add('body', 'Body 1');
  expect(words.counts.get('body')?.size).toBe(200);
  expect(words.counts.get('body')?.get('Body 1')).toBe(2);
});
