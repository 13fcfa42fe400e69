import { describe, expect, test } from 'vitest';
import type { FeedReader, ReadContext } from '../../src/adapters/index.ts';
import { DEFAULT_READ_LIMITS } from '../../src/feeds/limits.ts';
import { readRows } from '../../src/feeds/reading/read.ts';
import { decodedText, runReader } from './reader-run.ts';

/** A vendor's reader: every line is a row of one cell; what it says of the file is up to the test. */
function lineReader(beforeRow: (row: number, context: ReadContext) => void): FeedReader {
  return {
    async *read(text, _options, context) {
      let row = 0;
      for await (const chunk of text) {
        for (const line of chunk.split('\n')) {
          row += 1;
          beforeRow(row, context);
          yield { row, line: row, cells: new Map([['line', [line]]]) };
        }
      }
    },
  };
}

describe('reading rows', () => {
  test('hands on the rows and what the reader says of the file', async () => {
    const reader = lineReader((row, context) => {
      if (row !== 1) return;
      context.describe({ delimiter: '|' });
      context.describe({ columns: ['Line'] });
      context.warn({ code: 'possibly_truncated', incomplete: true });
    });
    const run = await runReader(reader, decodedText('a\nb'), {});
    expect(run.rows.map(({ cells }) => cells.line)).toEqual([['a'], ['b']]);
    expect(run).toMatchObject({
      delimiter: '|',
      columns: ['Line'],
      warnings: [{ code: 'possibly_truncated', incomplete: true }],
      isIncomplete: true,
      refusal: undefined,
    });
  });

  test('a warning alone does not make the file incomplete', async () => {
    const run = await runReader(
      lineReader((_, context) => context.warn({ code: 'duplicate_header' })),
      decodedText('a'),
      {},
    );
    expect(run).toMatchObject({ isIncomplete: false, warnings: [{ code: 'duplicate_header' }] });
  });

  test('stops at the first refusal, even if the reader goes on', async () => {
    const reader = lineReader((row, context) => {
      if (row > 2) context.refuse({ code: 'row_too_large', detail: `row ${row}`, line: row, column: 7 });
    });
    const run = await runReader(reader, decodedText('a\nb\nc\nd'), {});
    expect(run.rows).toHaveLength(2);
    expect(run.refusal).toMatchObject({ code: 'row_too_large', where: { line: 3, column: 7 } });
    expect(run.refusal?.message).toContain('row 3');
  });

  test('refuses a file with more rows than are allowed', async () => {
    const run = await runReader(
      lineReader(() => undefined),
      decodedText('a\nb\nc'),
      {},
      { maxRows: 2 },
    );
    expect(run.rows).toHaveLength(2);
    expect(run.refusal).toMatchObject({ code: 'too_many_rows', where: { line: 3 } });
  });

  test('keeps a bounded number of warnings', async () => {
    const reader = lineReader((row, context) =>
      context.warn({ code: 'odd', detail: `${row}`, incomplete: row === 900 }),
    );
    const run = await runReader(reader, decodedText('x\n'.repeat(999)), {});
    expect(run.warnings).toHaveLength(100);
    expect(run.isIncomplete).toBe(true);
  });

  test("lets a reader's own failure through", async () => {
    const reader = lineReader(() => {
      throw new TypeError('bug');
    });
    const { rows } = readRows(decodedText('a'), reader, {}, DEFAULT_READ_LIMITS);
    await expect(rows[Symbol.asyncIterator]().next()).rejects.toThrow('bug');
  });
});
