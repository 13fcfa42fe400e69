import { describe, expect, test } from 'vitest';
import csv from '../../adapters/feeds/csv/adapter.ts';
import type { CsvOptions } from '../../adapters/feeds/csv/dialect.ts';
import type { ReadLimits } from '../../src/adapters/index.ts';
import { decodedText, runReader, type ReaderRun } from '../feeds/reader-run.ts';

/** Reads the text in one piece and character by character, and insists that both give the same. */
async function read(
  text: string,
  options: CsvOptions = {},
  limits: Partial<ReadLimits> = {},
): Promise<ReaderRun> {
  const whole = await runReader(csv, decodedText(text), options, limits);
  expect(await runReader(csv, decodedText(text, 1), options, limits)).toEqual(whole);
  return whole;
}

const valuesOf = (run: ReaderRun): string[][] =>
  run.rows.map(({ cells }) => Object.values(cells).map(([value = '']) => value));
const rejectionsOf = (run: ReaderRun): (string | undefined)[] =>
  run.rows.map(({ rejection }) => rejection?.code);
const warningsOf = (run: ReaderRun): string[][] =>
  run.rows.map(({ warnings = [] }) => warnings.map(({ code }) => code));

describe('the header', () => {
  test('names the columns; cells are found by the normalised name', async () => {
    const run = await read(' Stock # ,New/Used,"VIN_No."\n1,U,x\n');
    expect(run.columns).toEqual(['Stock #', 'New/Used', 'VIN_No.']);
    expect(run.rows[0]?.cells).toEqual({ 'stock#': ['1'], 'new/used': ['U'], vinno: ['x'] });
  });

  test('is the first line that is not blank', async () => {
    const run = await read('\r\n   \n\na,b\n1,2\n');
    expect(run.rows).toEqual([{ row: 1, line: 5, cells: { a: ['1'], b: ['2'] } }]);
  });

  test('found again further down is no row', async () => {
    expect(valuesOf(await read('a,b\n1,2\na,b\n3,4\n'))).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  test('may run over two lines inside of quotes', async () => {
    const run = await read('a,"stock\nnumber",c\n1,2,3\n');
    expect(run.rows).toEqual([{ row: 1, line: 3, cells: { a: ['1'], stocknumber: ['2'], c: ['3'] } }]);
  });

  test('alone gives no rows', async () => {
    for (const text of ['a,b\r\n', 'a,b'])
      expect(await read(text)).toMatchObject({ rows: [], refusal: undefined });
  });

  test('doubled and nameless columns are told and do not make the file incomplete', async () => {
    const run = await read('a,A ,,b\n1,2,3,4\n');
    expect(run.rows[0]?.cells).toEqual({ a: ['1'], b: ['4'] });
    expect(run.warnings).toEqual([
      { code: 'duplicate_header', detail: 'A' },
      { code: 'column_without_name', detail: '1' },
    ]);
    expect(run.isIncomplete).toBe(false);
  });

  test('can be missing: the columns are then named by the options', async () => {
    const run = await read('1,2,3\n4,5,6\n', { header: false, columns: ['Stock', '', 'Year'] });
    expect(run.rows.map(({ line, cells }) => [line, cells])).toEqual([
      [1, { stock: ['1'], year: ['3'] }],
      [2, { stock: ['4'], year: ['6'] }],
    ]);
  });
});

describe('the delimiter', () => {
  test.each([
    ['a,b;c,d\n', ','],
    ['a;b;c,d\n', ';'],
    ['a|b|c\n1,2,3,4|5|6\n', '|'],
    ['a\tb\n1,2,3\t4\n', '\t'],
    ['"a;b;c;d",e,f\n', ','],
    ['"a\tb\tc"\n', '\t'],
    ['stock\n1\n', ','],
    ['sep=;\na,x;b\n1;2\n', ';'],
  ])('is decided on the header line: %j', async (text, delimiter) => {
    expect((await read(text)).delimiter).toBe(delimiter);
  });

  test('the profile decides, unless one column comes out that has tabs inside', async () => {
    expect((await read('a,b;c\n', { delimiter: ';' })).columns).toEqual(['a,b', 'c']);
    const run = await read('a\tb\n1\t2\n', { delimiter: ',' });
    expect(run.delimiter).toBe('\t');
    expect(valuesOf(run)).toEqual([['1', '2']]);
    expect((await read('a;b\n1;2\n', { delimiter: ',' })).columns).toEqual(['a;b']);
  });
});

describe('line ends', () => {
  test('of all three kinds may be mixed', async () => {
    const run = await read('a,b\r1,2\r\n3,4\n\r5,6\r\r\n7,8');
    expect(valuesOf(run)).toEqual([
      ['1', '2'],
      ['3', '4'],
      ['5', '6'],
      ['7', '8'],
    ]);
    expect(run.rows.map(({ line }) => line)).toEqual([2, 3, 5, 7]);
  });

  test('inside of quotes belong to the value and become one kind', async () => {
    expect(valuesOf(await read('a,b\n"1\r\n2\r3\n4",x\n'))).toEqual([['1\n2\n3\n4', 'x']]);
  });

  test('spelled out are turned on demand only', async () => {
    const text = 'a,b\none\\ntwo\\r\\nthree,x\n';
    expect(valuesOf(await read(text))).toEqual([['one\\ntwo\\r\\nthree', 'x']]);
    expect(valuesOf(await read(text, { literal_newlines: true }))).toEqual([['one\ntwo\nthree', 'x']]);
  });
});

describe('a line in which every value is quoted', () => {
  test('is split only where one value ends and the next begins', async () => {
    const run = await read('a,b,c\n",","",","\n"x","y,","z"\n"","","q"\n"1","2"" rim","3"\n"1",2,"3"\n');
    expect(valuesOf(run)).toEqual([
      [',', '', ','],
      ['x', 'y,', 'z'],
      ['', '', 'q'],
      ['1', '2" rim', '3'],
      ['1', '2', '3'],
    ]);
    expect(warningsOf(run).flat()).toEqual([]);
  });
});

describe('the shape of a row', () => {
  const header = 'a,b,c,d\n';

  test('blank lines, blanks and delimiters alone are no rows', async () => {
    expect((await read(`${header}\n  \n,,,\n"","",,\n , ,\t,\n1,2,3,4\n`)).rows).toMatchObject([
      { row: 1, line: 7 },
    ]);
  });

  test('short is kept with a warning, empty extras are kept without', async () => {
    const run = await read(`${header}1,2\n1,2,3,4,,\n1,2,3,\n`);
    expect(rejectionsOf(run)).toEqual([undefined, undefined, undefined]);
    expect(run.rows.map(({ warnings }) => warnings)).toEqual([
      [{ code: 'row_short', detail: '2 fields, header has 4' }],
      undefined,
      undefined,
    ]);
  });

  test('filled extras mean slipped columns', async () => {
    const run = await read(`${header}1,2,3,4,,x\n`);
    expect(run.rows[0]?.rejection).toEqual({ code: 'row_too_long', detail: '6 fields, header has 4' });
    expect(run.rows[0]?.cells).toEqual({ a: ['1'], b: ['2'], c: ['3'], d: ['4'] });
  });

  test('a single value is a trailer where there are many columns', async () => {
    expect(rejectionsOf(await read(`${header}Total: 8\n`))).toEqual(['row_not_a_vehicle']);
    expect(rejectionsOf(await read('stock\nT1\n'))).toEqual([undefined]);
  });

  test('a header that ends in a delimiter does not make its rows short', async () => {
    expect(warningsOf(await read('a,b,c,\n1,2,3\n4,5,6,\n'))).toEqual([[], []]);
  });
});

describe('quotes', () => {
  test('by the book', async () => {
    expect(valuesOf(await read('a,b,c\n"x,1","say ""hi""",""\n'))).toEqual([['x,1', 'say "hi"', '']]);
  });

  test('inside of an unquoted value are letters, without a word', async () => {
    const run = await read('a,b,c\n1,20" wheels,6\'2"\n');
    expect(valuesOf(run)).toEqual([['1', '20" wheels', '6\'2"']]);
    expect(warningsOf(run)).toEqual([[]]);
  });

  test('are letters everywhere if the profile says so', async () => {
    expect(valuesOf(await read('a|b\n"1|2"\n', { quote: 'none' }))).toEqual([['"1', '2"']]);
  });

  test('blanks after a closing quote are dropped', async () => {
    const run = await read('a,b\n"1" ,"2"  \n');
    expect(valuesOf(run)).toEqual([['1', '2']]);
    expect(warningsOf(run)).toEqual([[]]);
  });

  test.each([
    ['20" wheels, loaded', '"20" wheels, loaded"'],
    ['The "Flash" trim', '"The "Flash" trim"'],
    ['inch 18"', '"inch 18""'],
    ['18" and "more" x', '"18"" and "more" x"'],
  ])('that are not doubled are repaired: %s', async (value, written) => {
    const run = await read(`a,b,c\n1,${written},"3"\n4,5,6\n`);
    expect(valuesOf(run)).toEqual([
      ['1', value, '3'],
      ['4', '5', '6'],
    ]);
    expect(warningsOf(run)).toEqual([['quote_repaired'], []]);
  });

  test('sound by the book but a value short are read as inch marks', async () => {
    const run = await read('a,b,c\n"1","18"",",x\n"1","18"","x"\n');
    expect(valuesOf(run)[1]).toEqual(['1', '18"', 'x']);
  });

  test('are repaired in values of several lines', async () => {
    const run = await read('a,b,c\n1,"has 20" wheels\nand more, too",3\n4,5,6\n');
    expect(valuesOf(run)).toEqual([
      ['1', 'has 20" wheels\nand more, too', '3'],
      ['4', '5', '6'],
    ]);
    expect(run.rows.map(({ line }) => line)).toEqual([2, 4]);
  });

  test('that no reading explains lose one row', async () => {
    const run = await read('a,b,c\n"1","x,"3"\n"4","5","6"\n');
    expect(rejectionsOf(run)).toEqual(['quote_malformed', undefined]);
    expect(run.rows[0]?.cells).toEqual({ a: ['1'] });
    expect(valuesOf(run)[1]).toEqual(['4', '5', '6']);
  });
});

describe('a quote that is never closed', () => {
  const rows = Array.from({ length: 300 }, (_, index) => `S${index},model ${index},good car`);

  test('loses one row and not the file, though no other quote follows', async () => {
    const lines = [...rows];
    lines[10] = 'S10,"model 10,good car';
    const run = await runReader(csv, decodedText(`a,b,c\n${lines.join('\n')}\n`), {});
    expect(run.rows).toHaveLength(300);
    expect(
      run.rows.flatMap(({ row, rejection }) => (rejection === undefined ? [] : [[row, rejection.code]])),
    ).toEqual([[11, 'quote_malformed']]);
    expect(run.rows[11]).toMatchObject({ line: 13, cells: { a: ['S11'] } });
    expect(run.isIncomplete).toBe(false);
  });

  test('in many rows loses those rows', async () => {
    const lines = rows.map((line, index) => (index % 7 === 3 ? line.replace('model', '"model') : line));
    const run = await runReader(csv, decodedText(`a,b,c\n${lines.join('\r\n')}\r\n`, 100), {});
    const lost = run.rows
      .filter(({ rejection }) => rejection?.code === 'quote_malformed')
      .map(({ row }) => row - 1);
    expect(lost).toEqual(Array.from({ length: 43 }, (_, index) => index * 7 + 3));
    expect(run.rows).toHaveLength(300);
  });

  test('in a pipe file is a letter', async () => {
    const run = await read('a|b|c\n1|"Flash edition|3\n4|5|6\n7|20" wheels|9\n1|x|"\n');
    expect(valuesOf(run)).toEqual([
      ['1', '"Flash edition', '3'],
      ['4', '5', '6'],
      ['7', '20" wheels', '9'],
      ['1', 'x', '"'],
    ]);
  });

  test('in a pipe file never joins rows that happen to close it', async () => {
    const run = await read('a|b|c\n1|"Flash edition|3\n4|5|6\n7|wheels 20"|9\n');
    expect(valuesOf(run)).toEqual([
      ['1', '"Flash edition', '3'],
      ['4', '5', '6'],
      ['7', 'wheels 20"', '9'],
    ]);
  });

  test('does not swallow the file when no row is whole', async () => {
    const lines = Array.from({ length: 250 }, (_, index) => `S${index},x`);
    lines[0] = 'S0,"x';
    const run = await runReader(csv, decodedText(`a,b,c\n${lines.join('\n')}\n`), {});
    expect(run.rows).toHaveLength(250);
    expect(run.rows[0]?.rejection?.code).toBe('quote_malformed');
    expect(run.rows[249]?.cells.a).toEqual(['S249']);
  });

  test('leaves prose with commas inside of its value alone', async () => {
    const text = 'a,b,c\n1,"first, second, third\nABS, AC, radio\nend "x" here",3\n4,5,6\n';
    const run = await read(text);
    expect(valuesOf(run)).toEqual([
      ['1', 'first, second, third\nABS, AC, radio\nend "x" here', '3'],
      ['4', '5', '6'],
    ]);
  });
});

describe('a file that is cut short', () => {
  const whole = 'a,b,c\r\n1,"x, y",3\r\n4,"five ""5""","six"\r\n';

  test.each([
    ['inside of quotes', 'a,b,c\n1,2,3\n4,"fi', { a: ['4'] }],
    ['inside of quotes that hold lines', 'a,b,c\n1,2,3\n4,"fi\nve\n\nsi', { a: ['4'] }],
    ['after an unquoted value', 'a,b,c\n1,2,3\n4,5', { a: ['4'], b: ['5'] }],
    ['in the first value', 'a,b,c\n1,2,3\nS4', { a: ['S4'] }],
  ])('%s refuses its last row and says that rows may be missing', async (_, text, cells) => {
    const run = await read(text);
    expect(run.rows[1]).toMatchObject({ row: 2, line: 3, rejection: { code: 'row_truncated' } });
    expect(run.rows[1]?.cells).toEqual(cells);
    expect(run).toMatchObject({
      isIncomplete: true,
      warnings: [{ code: 'possibly_truncated', detail: 'line 3' }],
    });
  });

  test('at any place never gives a row that the whole file has not', async () => {
    const rows = valuesOf(await read(whole));
    for (let at = whole.indexOf('\n') + 1; at < whole.length; at += 1) {
      const run = await read(whole.slice(0, at));
      const kept = run.rows.filter(({ rejection }) => rejection === undefined);
      for (const [index, row] of kept.entries()) {
        const values = Object.values(row.cells).map(([value = '']) => value);
        expect(values.slice(0, 2)).toEqual(rows[index]?.slice(0, 2));
      }
      expect(run.isIncomplete).toBe(run.rows.length > kept.length);
    }
  });

  test('of which only the last line end is missing is whole', async () => {
    expect(await read('a,b,c\n1,2,3\n4,5,6')).toMatchObject({
      isIncomplete: false,
      rows: [{ row: 1 }, { row: 2 }],
    });
  });
});

describe('a file of another kind', () => {
  test.each([
    ['<?xml version="1.0"?><r/>', 'not_a_feed', 'XML'],
    ['\n <inventory>', 'not_a_feed', 'XML'],
    ['{"vehicles": []}', 'not_a_feed', 'JSON'],
    ['[{"vin": 1}]', 'not_a_feed', 'JSON'],
    ['', 'empty_file', 'empty'],
    [' \r\n\r\n', 'empty_file', 'empty'],
    ['"a,b\n1,2\n', 'not_a_feed', 'quotes of the header line'],
  ])('%j is refused', async (text, code, words) => {
    const { refusal } = await read(text);
    expect(refusal?.code).toBe(code);
    expect(refusal?.message).toContain(words);
  });
});

describe('rows and headers that end in a delimiter', () => {
  test('have their stray quotes repaired as others have', async () => {
    const stray = '"sits on 20" wheels"';
    const runs = [
      `a,b,c,d,\n1,${stray},3,4\n5,6,7,8\n`,
      `a,b,c,d\n1,${stray},3,4,\n5,6,7,8,\n`,
      `a,b,c,d,\n1,${stray},3,4,\n5,6,7,8,\n`,
      `a,b,c,d\n1,${stray},3,4,,,\n5,6,7,8,,,\n`,
    ];
    for (const text of runs) {
      const run = await read(text);
      expect(rejectionsOf(run)).toEqual([undefined, undefined]);
      expect(warningsOf(run)).toEqual([['quote_repaired'], []]);
      expect(valuesOf(run)).toEqual([
        ['1', 'sits on 20" wheels', '3', '4'],
        ['5', '6', '7', '8'],
      ]);
    }
  });

  test('are found again behind a quote that is never closed', async () => {
    const run = await read('a,b,c,d\n1,"open,3,4,\n5,6,7,8,\n9,10,11,12,\n');
    expect(rejectionsOf(run)).toEqual(['quote_malformed', undefined, undefined]);
    expect(valuesOf(run).slice(1)).toEqual([
      ['5', '6', '7', '8'],
      ['9', '10', '11', '12'],
    ]);
  });
});

describe('words in quotes at the beginning of a value', () => {
  test('are letters where a row comes out that way', async () => {
    const run = await read('a,b,c\n1,"like new" inside,3\n4,"One owner", clean,6\n7,8,"mint" and clean\n');
    expect(rejectionsOf(run)).toEqual([undefined, 'row_too_long', undefined]);
    expect(warningsOf(run)).toEqual([['quote_repaired'], [], ['quote_repaired']]);
    expect(valuesOf(run)[0]).toEqual(['1', '"like new" inside', '3']);
    expect(valuesOf(run)[2]).toEqual(['7', '8', '"mint" and clean']);
  });
});

describe('blanks before an opening quote', () => {
  test('are dropped where only so the row has the right number of values', async () => {
    const run = await read('a,b,c\n1, "Nice, car",3\n"4", "Nice, too","6"\n7, "plain",9\n');
    expect(rejectionsOf(run)).toEqual([undefined, undefined, undefined]);
    expect(warningsOf(run)).toEqual([['quote_repaired'], ['quote_repaired'], []]);
    expect(valuesOf(run)).toEqual([
      ['1', 'Nice, car', '3'],
      ['4', 'Nice, too', '6'],
      ['7', ' "plain"', '9'],
    ]);
  });

  test('are the way of the whole file where the header has them', async () => {
    const run = await read(
      '"a", "b",  "c"\n"1", "Nice, car", "3"\n"4", "20"" wheels\nand more", "6"\n7, 8, "9"\n',
    );
    expect(run.columns).toEqual(['a', 'b', 'c']);
    expect(rejectionsOf(run)).toEqual([undefined, undefined, undefined]);
    expect(valuesOf(run)).toEqual([
      ['1', 'Nice, car', '3'],
      ['4', '20" wheels\nand more', '6'],
      ['7', ' 8', '9'],
    ]);
  });
});

describe('a comment of very many lines', () => {
  const comment = Array.from({ length: 80 }, (_, index) => `line ${index}`).join('\n');
  const others = '2,b,c,d\n3,b,c,d\n4,b,c,d\n';

  test('whose quote is never closed costs its row alone', async () => {
    const run = await read(`s,t,u,v\n1,"${comment},x,y\n${others}`);
    expect(rejectionsOf(run)).toEqual(['quote_malformed', undefined, undefined, undefined]);
    expect(run.rows.map(({ cells }) => cells.s?.[0])).toEqual(['1', '2', '3', '4']);
    expect(run.isIncomplete).toBe(false);
  });

  test('is repaired when a quote in it is not doubled', async () => {
    const run = await read(`s,t,u,v\n1,"20" wheels\n${comment}",x,y\n${others}`);
    expect(rejectionsOf(run)).toEqual([undefined, undefined, undefined, undefined]);
    expect(valuesOf(run)[0]).toEqual(['1', `20" wheels\n${comment}`, 'x', 'y']);
  });

  test('in which the file ends was cut short', async () => {
    const run = await read(`s,t,u,v\n2,b,c,d\n1,"${comment}`);
    expect(rejectionsOf(run)).toEqual([undefined, 'row_truncated']);
    expect(run.isIncomplete).toBe(true);
  });

  test('swallows no short row: those are told, and not lost', async () => {
    const short = Array.from({ length: 20 }, (_, index) => `S${index},b,c`).join('\n');
    const run = await read(`s,t,u,v\n1,"open,x,y\n${short}\n${others}`);
    expect(run.rows).toHaveLength(24);
    expect(rejectionsOf(run).slice(0, 3)).toEqual(['quote_malformed', undefined, undefined]);
    expect(run.rows[20]?.cells.s).toEqual(['S19']);
  });
});

describe('exports that were glued together', () => {
  test.each([
    '\uFEFFStock,VIN,Make',
    'STOCK,Vin,make',
    'Stock ,VIN, Make,',
    '\uFEFF"Stock","VIN","Make"',
    '\x1aStock,VIN,Make',
  ])('bring their header along, which is no row: %j', async (again) => {
    const run = await read(`Stock,VIN,Make\n1,2,3\n${again}\n4,5,6\n`);
    expect(valuesOf(run)).toEqual([
      ['1', '2', '3'],
      ['4', '5', '6'],
    ]);
    expect(run.rows.map(({ row, line, rejection }) => [row, line, rejection])).toEqual([
      [1, 2, undefined],
      [2, 4, undefined],
    ]);
  });

  test.each(['VIN,Stock,Make', 'Stock,Price,VIN,Make', 'Stock,VIN', 'stock,vin,make,model'])(
    'are refused where the columns are others: %s',
    async (again) => {
      const run = await read(`Stock,VIN,Make,Price\n1,2,3,4\n${again}\n4,5,6,7\n`);
      expect(run.refusal).toMatchObject({ code: 'header_changes', where: { line: 3 } });
    },
  );

  test('bring it along also where the first column has no name', async () => {
    expect(valuesOf(await read(',Stock,VIN\n1,2,3\n,stock,vin\n,5,6\n'))).toEqual([
      ['2', '3'],
      ['5', '6'],
    ]);
  });

  test('a vehicle whose values look like names of columns is one', async () => {
    expect((await read('Stock,VIN,Make\nStock1,x,y\nMake,2,3\n')).rows).toHaveLength(2);
  });
});

describe('a line that tells how many vehicles there are', () => {
  const header = 'a,b,c,d\n';
  const rows = '1,2,3,4\n5,6,7,8\n';

  test.each([
    'Total vehicles: 3',
    'Total vehicles: 3,,,',
    'Vehicles,3,,',
    'Total,3',
    '"Count: 5"',
    '# 5 records',
    'TRAILER,5,,',
  ])('shows that the file lacks some: %s', async (line) => {
    for (const end of ['', '\n']) {
      const run = await read(`${header}${rows}${line}${end}`);
      const [announced] = /\d/.exec(line) ?? [];
      if (line === 'Total,3') expect(run.isIncomplete).toBe(false);
      else
        expect(run.warnings).toMatchObject([
          { code: 'possibly_truncated', detail: `it speaks of ${announced ?? ''} vehicles and holds 2` },
        ]);
      expect(rejectionsOf(run)).toEqual([undefined, undefined, 'row_not_a_vehicle']);
    }
  });

  test.each([
    'Total vehicles: 2',
    'Total: 4',
    'Records: 4',
    'Total,,,41995',
    'Total price: 99',
    'Total: $99',
    '2 rooftops',
  ])('or some other total does not: %s', async (line) => {
    const run = await read(`${header}${rows}${line}\n`);
    expect([run.isIncomplete, run.warnings]).toEqual([false, []]);
  });

  test.each(['END', '*** End of file ***', 'eof'])(
    'or that the file ends here is no half row: %s',
    async (line) => {
      const run = await read(`${header}${rows}${line}`);
      expect([run.isIncomplete, rejectionsOf(run)[2]]).toEqual([false, 'row_not_a_vehicle']);
      expect((await read(`${header}${rows}${line} of`)).isIncomplete).toBe(true);
    },
  );

  test('is no sign of a cut where no line break ends it', async () => {
    expect((await read(`${header}${rows}Total vehicles: 2`)).isIncomplete).toBe(false);
  });
});
