import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import csv from '../../adapters/feeds/csv/adapter.ts';
import type { Delimiter } from '../../adapters/feeds/csv/dialect.ts';
import { splitPlainLine } from '../../adapters/feeds/csv/plain-line.ts';
import { readRecord } from '../../adapters/feeds/csv/record-reading.ts';
import { scanRecord } from '../../adapters/feeds/csv/record-scan.ts';
import { SourceText } from '../../adapters/feeds/csv/source-text.ts';
import { decodedText, runReader } from '../feeds/reader-run.ts';

const delimiter = fc.constantFrom<Delimiter>(',', ';', '|', '\t');
const letter = fc.constantFrom('a', 'Z', '0', ' ', '"', ',', ';', '|', '\t', '\n', "'", 'é', '😀', '\\');
const value = fc.string({ unit: letter, maxLength: 8 });

interface Table {
  delimiter: Delimiter;
  lineEnd: string;
  isQuoted: boolean;
  rows: string[][];
}

/** Where no one can tell a value of two lines from two rows with stray quotes, we take the rows. */
function isAmbiguous({ delimiter: between, rows }: Table): boolean {
  const isOfBoth = (text: string): boolean => text.includes('\n') && text.includes(between);
  return (between === '|' || between === '\t') && rows.flat().some(isOfBoth);
}

/** The first cell is a sound word, so that no row is blank. */
const table: fc.Arbitrary<Table> = fc.record({
  delimiter,
  lineEnd: fc.constantFrom('\r\n', '\n', '\r'),
  isQuoted: fc.boolean(),
  rows: fc.array(fc.tuple(fc.stringMatching(/^S[0-9]{1,4}$/), value, value, value), { maxLength: 6 }),
});

function write({ delimiter: between, lineEnd, isQuoted, rows }: Table): string {
  const cell = (text: string): string =>
    isQuoted || /["\r\n,;|\t]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return [['Stock', 'One', 'Two', 'Three'], ...rows]
    .map((row) => row.map(cell).join(between) + lineEnd)
    .join('');
}

test('any table written in any dialect reads back the same, in chunks of any size', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), async (written, chunk) => {
      fc.pre(!isAmbiguous(written));
      const run = await runReader(csv, decodedText(write(written), chunk), {});
      expect(run.delimiter).toBe(written.delimiter);
      expect(
        run.rows.flatMap(({ rejection, warnings = [] }) => [...warnings, ...(rejection ? [rejection] : [])]),
      ).toEqual([]);
      expect(run.rows.map(({ cells }) => Object.values(cells).map(([text]) => text))).toEqual(written.rows);
      expect(run.isIncomplete).toBe(false);
    }),
    { numRuns: 1500 },
  );
});

test('whatever text comes in, chunks of any size give the same and nothing throws', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: letter, maxLength: 120 }),
      fc.integer({ min: 1, max: 9 }),
      async (body, chunk) => {
        const text = `Stock,One,Two\n${body}`;
        const whole = await runReader(csv, decodedText(text), {});
        expect(await runReader(csv, decodedText(text, chunk), {})).toEqual(whole);
        expect(whole.rows.map(({ row }) => row)).toEqual(whole.rows.map((_, index) => index + 1));
      },
    ),
    { numRuns: 1000 },
  );
});

test('a record that we call sound is one that csv-parse reads, into the same values', () => {
  fc.assert(
    fc.property(delimiter, fc.string({ unit: letter, maxLength: 40 }), (between, text) => {
      const source = new SourceText(text, true);
      source.useDelimiter(between);
      const dialect = { delimiter: between, quoting: true };
      const scan = scanRecord(source, 0, dialect);
      if (scan.kind !== 'sound' || text.slice(0, scan.end) === '') return;
      const reading = readRecord(source, 0, dialect, 'letter', () => false);
      const [parsed] = parse(text.slice(0, scan.end), {
        delimiter: between,
        record_delimiter: '\n',
        relax_quotes: true,
      });
      expect(reading).toMatchObject({
        kind: 'ended',
        values: parsed,
        certain: parsed?.length,
        end: scan.end,
      });
    }),
    { numRuns: 3000 },
  );
});

/** Values as exports write them: bare, quoted, and now and then with a quote where none should be. */
const writtenValue = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: fc.constantFrom('a', '0', ' ', "'", 'é', '😀'), maxLength: 6 }) },
  { weight: 3, arbitrary: value.map((text) => `"${text.replaceAll(/["\n]/g, '')}"`) },
  { weight: 1, arbitrary: value.map((text) => `"${text.replaceAll('\n', '').replaceAll('"', '""')}"`) },
  { weight: 1, arbitrary: value.map((text) => text.replaceAll('\n', '')) },
);

test('a line that is split without csv-parse has the values that csv-parse reads', () => {
  let split = 0;
  fc.assert(
    fc.property(delimiter, fc.array(writtenValue, { minLength: 1, maxLength: 8 }), (between, written) => {
      const line = written.join(between);
      const values = splitPlainLine(line, between);
      if (values === undefined || line === '') return;
      split += 1;
      expect(parse(line, { delimiter: between, record_delimiter: '\n' })).toEqual([values]);
    }),
    { numRuns: 5000 },
  );
  expect(split).toBeGreaterThan(1000);
});

test('only lines whose quotes all stand around a value are split without csv-parse', () => {
  expect(splitPlainLine('U1,"Bose, heated seats",,"",2024', ',')).toEqual([
    'U1',
    'Bose, heated seats',
    '',
    '',
    '2024',
  ]);
  expect(splitPlainLine('"U1"|"a,b"|', '|')).toEqual(['U1', 'a,b', '']);
  expect(splitPlainLine('', ',')).toEqual(['']);
  for (const line of ['a,"20"" wheels"', '20" wheels,a', '"a" ,b', '"a', 'a,"', '"""a"""']) {
    expect(splitPlainLine(line, ',')).toBeUndefined();
  }
});
