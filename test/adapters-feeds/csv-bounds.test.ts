import { describe, expect, test } from 'vitest';
import csv from '../../adapters/feeds/csv/adapter.ts';
import type { ReadLimits } from '../../src/adapters/index.ts';
import type { DecodedFile } from '../../src/feeds/records.ts';
import { decodedText, runReader, type ReaderRun } from '../feeds/reader-run.ts';

const limits: Partial<ReadLimits> = { maxCellCharacters: 10_000, maxColumns: 100 };

/** Comes in piece by piece and counts what was asked for: a gigabyte if nobody stops it. */
class EndlessFile implements DecodedFile {
  readonly encoding = 'utf-8';
  characters = 0;
  readonly #head: string;
  readonly #piece: string;

  constructor(head: string, piece: string) {
    this.#head = head;
    this.#piece = piece;
  }

  // eslint-disable-next-line @typescript-eslint/require-await -- the contract asks for an asynchronous stream
  async *open(): AsyncGenerator<string> {
    yield this.#head;
    while (this.characters < 1_000_000_000) {
      this.characters += this.#piece.length;
      yield this.#piece;
    }
  }
}

describe('a file without bounds is refused while it comes in', () => {
  test.each([
    ['one header cell', '', 'x'.repeat(5000), 'row_too_large'],
    ['one cell', 'a,b,c\n1,2,', 'x'.repeat(5000), 'row_too_large'],
    ['one quoted cell', 'a,b,c\n1,2,"', 'x'.repeat(5000), 'row_too_large'],
    ['a quoted cell of pairs', 'a,b,c\n1,2,"', '""'.repeat(2500), 'row_too_large'],
    ['a quoted cell of stray quotes', 'a,b,c\n1,2,"', 'x"'.repeat(2500), 'row_too_large'],
    ['columns in the header', '', 'a,'.repeat(2500), 'row_too_large'],
    ['columns in a row', 'a,b,c\n', '1,'.repeat(2500), 'row_too_large'],
    ['nothing but blanks', '', ' '.repeat(5000), 'row_too_large'],
    ['nothing but empty lines', '', '\n'.repeat(5000), 'row_too_large'],
  ])('%s', async (_, head, piece, code) => {
    const file = new EndlessFile(head, piece);
    const { refusal } = await runReader(csv, file, {}, limits);
    expect(refusal?.code).toBe(code);
    expect(file.characters).toBeLessThan(200_000);
  });

  test('rows', async () => {
    const file = new EndlessFile('a,b,c\n', '1,2,3\n'.repeat(100));
    const { rows, refusal } = await runReader(csv, file, {}, { ...limits, maxRows: 1000 });
    expect(refusal).toMatchObject({ code: 'too_many_rows', where: { line: 1002 } });
    expect(rows).toHaveLength(1000);
  });
});

test('a header with too many columns is refused', async () => {
  const header = Array.from({ length: 101 }, (_, index) => `c${index}`).join(',');
  const { refusal } = await runReader(csv, decodedText(`${header}\n`), {}, limits);
  expect(refusal?.code).toBe('too_many_columns');
  expect(refusal?.message).toContain('101 columns, at most 100');
});

test('a value beyond the limit costs its row only', async () => {
  const long = 'x'.repeat(10_001);
  const text = `a,b,c\n1,${long},3\n4,5,6\n7,"${long}",9\n`;
  const run = await runReader(csv, decodedText(text), {}, limits);
  expect(run.rows.map(({ rejection }) => rejection)).toEqual([
    { code: 'cell_too_large', detail: 'b: 10001 characters' },
    undefined,
    { code: 'cell_too_large', detail: 'b: 10001 characters' },
  ]);
});

describe('a record beyond the limit, in chunks of any size,', () => {
  const readInChunks = async (text: string): Promise<ReaderRun[]> => {
    const runs: ReaderRun[] = [];
    for (const chunk of [1000, 7777, 1_000_000]) {
      runs.push(await runReader(csv, decodedText(text, chunk), {}, limits));
    }
    return runs;
  };

  test('is refused with its line when it has few lines', async () => {
    for (const { refusal } of await readInChunks(`a,b,c\n1,2,3\n4,"${'long '.repeat(9000)}\n",6\n`)) {
      expect(refusal).toMatchObject({ code: 'row_too_large', where: { line: 3 } });
    }
  });

  test('is an unclosed quote when it has many', async () => {
    for (const run of await readInChunks(`a,b,c\n1,2,3\n4,"${'line\n'.repeat(9000)}7,8,9\n`)) {
      expect(run.rows[1]).toMatchObject({ line: 3, rejection: { code: 'quote_malformed' } });
      expect(run.rows.at(-1)).toMatchObject({ cells: { a: ['7'] } });
    }
  });
});

test('lines that each open a quote take time in proportion to their number', async () => {
  const read = (lines: number): Promise<ReaderRun> =>
    runReader(csv, decodedText(`a,b,c\n${'1,"x,3\n'.repeat(lines)}`), {}, { ...limits, maxRows: 1_000_000 });
  const { rows } = await read(20_000);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.every(({ rejection }) => rejection !== undefined)).toBe(true);
});

test('so do lines that each are repaired only after many others have been looked at', async () => {
  const text = `a,b,c\n${'"a" b,"c" d,"e" f\n'.repeat(20_000)}`;
  const { rows } = await runReader(csv, decodedText(text), {}, { maxRows: 1_000_000 });
  expect(rows).toHaveLength(20_000);
  expect(rows.every(({ rejection }) => rejection === undefined)).toBe(true);
});
