import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import csv from '../../adapters/feeds/csv/adapter.ts';
import { decode } from '../../src/feeds/reading/decode.ts';
import type { FeedEncoding } from '../../src/feeds/records.ts';
import { runReader, unpackedBytes } from '../feeds/reader-run.ts';

/**
 * Whatever table is written by the book in one of the dialects and encodings reads back the same. Line breaks inside
 * of values come back as `\n`, whatever they were.
 */

interface Writing {
  delimiter: ',' | '\t' | '|' | ';';
  quotes: 'all' | 'minimal';
  lineBreak: '\n' | '\r\n' | '\r';
  endsWithLineBreak: boolean;
}

type Bytes = { encoding: FeedEncoding; mark: boolean };

const writings: fc.Arbitrary<Writing> = fc.record({
  delimiter: fc.constantFrom(',', '\t', '|', ';'),
  quotes: fc.constantFrom('all', 'minimal'),
  lineBreak: fc.constantFrom('\n', '\r\n', '\r'),
  endsWithLineBreak: fc.boolean(),
});

const encodings: fc.Arbitrary<Bytes> = fc.constantFrom(
  { encoding: 'utf-8', mark: false },
  { encoding: 'utf-8', mark: true },
  { encoding: 'utf-16le', mark: true },
  { encoding: 'utf-16be', mark: true },
  // Without a mark UTF-16 is known by its zero bytes: every second one, in the letters of the West.
  { encoding: 'utf-16le', mark: false },
  { encoding: 'utf-16be', mark: false },
  { encoding: 'windows-1252', mark: false },
);

const WESTERN = ['é', 'ß', 'Ñ', ...Array.from('abcXYZ019 .,;|\t"\'\\=&<-')];
const WINDOWS = [...WESTERN, '€', '’', '“', '™'];
const ALL = [...WINDOWS, '漢', 'Ж', '😀', '\u00a0', '\u2028'];

function lettersOf({ encoding, mark }: Bytes): string[] {
  if (encoding === 'windows-1252') return WINDOWS;
  return encoding.startsWith('utf-16') && !mark ? WESTERN : ALL;
}

/** Values of up to 12 letters. Line breaks only where the rest cannot be taken for a row of its own. */
function valueOf(letters: string[]): fc.Arbitrary<string> {
  const line = fc.array(fc.constantFrom(...letters), { maxLength: 12 }).map((parts) => parts.join(''));
  const prose = line.map((text) => text.replace(/[,;|\t"]/g, ' '));
  const lines = fc.array(prose, { minLength: 2, maxLength: 3 }).map((parts) => parts.join('\n'));
  return fc.oneof({ weight: 4, arbitrary: line }, { weight: 1, arbitrary: lines });
}

const tables = encodings.chain((bytes) =>
  fc.integer({ min: 2, max: 6 }).chain((columns) => {
    const row = fc.array(valueOf(lettersOf(bytes)), { minLength: columns - 1, maxLength: columns - 1 });
    return fc.record({ bytes: fc.constant(bytes), rows: fc.array(row, { minLength: 1, maxLength: 8 }) });
  }),
);

function write(
  rows: readonly string[][],
  { delimiter, quotes, lineBreak, endsWithLineBreak }: Writing,
): string {
  const written = (value: string): string => {
    const broken = value.replaceAll('\n', lineBreak);
    const isPlain = quotes === 'minimal' && !/["\r\n]/.test(broken) && !broken.includes(delimiter);
    return isPlain ? broken : `"${broken.replaceAll('"', '""')}"`;
  };
  const text = rows.map((values) => values.map(written).join(delimiter)).join(lineBreak);
  return endsWithLineBreak ? `${text}${lineBreak}` : text;
}

const WINDOWS_BYTES = new Map([
  ['€', 0x80],
  ['’', 0x92],
  ['“', 0x93],
  ['™', 0x99],
]);

function encode(text: string, { encoding, mark }: Bytes): Buffer {
  const marked = mark ? `\uFEFF${text}` : text;
  if (encoding === 'utf-8') return Buffer.from(marked);
  if (encoding === 'utf-16le') return Buffer.from(marked, 'utf16le');
  if (encoding === 'utf-16be') return Buffer.from(marked, 'utf16le').swap16();
  return Buffer.from(Array.from(text, (letter) => WINDOWS_BYTES.get(letter) ?? letter.charCodeAt(0)));
}

describe('a table in any dialect and encoding', () => {
  it('reads back the same', async () => {
    await fc.assert(
      fc.asyncProperty(
        tables,
        writings,
        fc.constantFrom(1, 7, 64 * 1024),
        async ({ bytes, rows }, writing, chunk) => {
          const width = (rows[0]?.length ?? 0) + 1;
          // The letters of this name are no UTF-8 when they are written as windows-1252.
          const header = ['key', ...Array.from({ length: width - 1 }, (_, n) => `größe ${n}`)];
          const keyed = rows.map((values, n) => [`k${n}`, ...values]);
          const file = unpackedBytes(encode(write([header, ...keyed], writing), bytes), chunk);
          const decoded = await decode(file);
          if (!decoded.ok) throw new Error(decoded.problems[0]?.message);
          expect(decoded.value.encoding).toBe(bytes.encoding);
          const read = await runReader(csv, decoded.value, {});
          expect(read).toMatchObject({
            refusal: undefined,
            delimiter: writing.delimiter,
            isIncomplete: false,
          });
          expect(read.columns).toEqual(header);
          expect(read.rows.map(({ cells }) => Object.values(cells).map(([text]) => text))).toEqual(keyed);
          expect(read.rows.map(({ row }) => row)).toEqual(keyed.map((_, n) => n + 1));
          expect(read.rows.filter(({ rejection }) => rejection !== undefined)).toEqual([]);
        },
      ),
      { numRuns: 400 },
    );
  });
});
