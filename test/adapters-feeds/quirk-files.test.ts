import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import csv from '../../adapters/feeds/csv/adapter.ts';
import xml from '../../adapters/feeds/xml/adapter.ts';
import { decode } from '../../src/feeds/reading/decode.ts';
import { DEFAULT_UNPACK_LIMITS } from '../../src/feeds/limits.ts';
import type { FeedEncoding } from '../../src/feeds/records.ts';
import { unpack } from '../../src/feeds/reading/unpack.ts';
import { runReader, unpackedBytes, type ReaderRun } from '../feeds/reader-run.ts';

interface CaseFile {
  file: string;
  rows: number;
  record_path?: string;
  delimiter?: string;
  expected: {
    file: string;
    file_reason?: string;
    file_warnings?: string[];
    rejections?: { row: number; key: string; reason: string; detail?: string }[];
    warnings?: { row: number; key: string; code: string }[];
  };
}

const CASES = new URL('../cases/feeds/', import.meta.url);
const { files } = JSON.parse(readFileSync(new URL('manifest.json', CASES), 'utf8')) as { files: CaseFile[] };

/** What a reader can know; the other codes of the manifest are the mapper's and the guard's. */
const READER_REJECTIONS = new Set(['quote_malformed', 'row_truncated', 'row_too_long', 'row_not_a_vehicle']);
const READER_WARNINGS = new Set(['quote_repaired', 'row_short']);
const READER_REASONS = new Set(['empty_file', 'not_a_feed', 'archive_unsafe_path', 'xml_not_well_formed']);

interface FileRun extends Partial<ReaderRun> {
  refusedAs?: string | undefined;
  encoding?: FeedEncoding;
}

async function run(name: string, options: { repair?: boolean; chunkBytes?: number } = {}): Promise<FileRun> {
  const caseFile = files.find(({ file }) => file === name);
  if (caseFile === undefined) throw new Error(`no case ${name}`);
  const unpacked = await unpack(fileURLToPath(new URL(name, CASES)), DEFAULT_UNPACK_LIMITS);
  if (!unpacked.ok) return { refusedAs: unpacked.problems[0]?.code };
  const { chunkBytes } = options;
  const rechunked =
    chunkBytes === undefined
      ? unpacked.value
      : unpackedBytes(Buffer.concat(await unpacked.value.open().toArray()), chunkBytes);
  const decoded = await decode(rechunked);
  if (!decoded.ok) return { refusedAs: decoded.problems[0]?.code };
  const record = caseFile.record_path?.split(' ')[0];
  const read =
    record === undefined
      ? await runReader(csv, decoded.value, {})
      : await runReader(xml, decoded.value, { record, repair: options.repair ?? false });
  return { ...read, refusedAs: read.refusal?.code, encoding: decoded.value.encoding };
}

const vinOf = (row: ReaderRun['rows'][number]): string => row.cells.vin?.[0]?.trim().toUpperCase() ?? '';

describe.each(files)('$file', (caseFile) => {
  const { expected } = caseFile;

  test('gives the rows, refusals and warnings that the manifest names, in chunks of any size', async () => {
    const whole = await run(caseFile.file);
    for (const chunkBytes of [1, 13]) {
      const inChunks = await run(caseFile.file, { chunkBytes });
      if (whole.refusal === undefined) expect(inChunks).toEqual(whole);
      else expect(inChunks.refusal).toEqual(whole.refusal);
    }

    const reason = READER_REASONS.has(expected.file_reason ?? '') ? expected.file_reason : undefined;
    expect(whole.refusedAs).toBe(reason);
    if (reason !== undefined) return;
    const rows = whole.rows ?? [];
    expect(rows).toHaveLength(caseFile.rows);
    if (caseFile.delimiter !== undefined) expect(whole.delimiter).toBe(caseFile.delimiter);

    const rejections = rows.flatMap((row) =>
      row.rejection === undefined ? [] : [{ row: row.row, key: vinOf(row), reason: row.rejection.code }],
    );
    const wanted = (expected.rejections ?? []).filter(({ reason: code }) => READER_REJECTIONS.has(code));
    expect(rejections).toEqual(wanted.map(({ row, key, reason: code }) => ({ row, key, reason: code })));

    const refusedRows = new Set((expected.rejections ?? []).map(({ row }) => row));
    const warnings = rows.flatMap((row) =>
      refusedRows.has(row.row)
        ? []
        : (row.warnings ?? []).map(({ code }) => ({ row: row.row, key: vinOf(row), code })),
    );
    expect(warnings).toEqual((expected.warnings ?? []).filter(({ code }) => READER_WARNINGS.has(code)));
    expect(whole.isIncomplete).toBe(expected.file_warnings?.includes('possibly_truncated') ?? false);
  });
});

describe('values of the case files', () => {
  const column = async (file: string, name: string): Promise<(string | undefined)[]> =>
    ((await run(file)).rows ?? []).map(({ cells }) => cells[name]?.[0]);

  test('stray quotes come out as the dealer meant them', async () => {
    const comments = await column('quirks/unescaped-quotes.csv', 'description');
    expect(comments.slice(0, 3)).toEqual([
      'Sits on 20" wheels, loaded',
      'The "Flash" trim',
      'ends with inch 18"',
    ]);
    expect(comments[4]).toBe('backslash \\"escaped\\" text');
    expect(comments[5]).toBe('proper "doubled"');
    expect(comments[7]).toBe('Trail Boss, clean history, 2" lift & all-terrain tires.');
  });

  test('a row with an unclosed quote keeps the values before it, and the rows after it are whole', async () => {
    const { rows = [] } = await run('quirks/unterminated-quote.csv');
    expect(rows[2]).toMatchObject({
      line: 4,
      cells: { vin: ['2HKRS6H77THA90103'], dateinstock: ['08/21/2026'] },
    });
    expect(rows[2]?.cells).not.toHaveProperty('description');
    expect(rows[3]).toMatchObject({
      line: 5,
      cells: { vin: ['19XFL2H81TEA90104'], description: [expect.any(String)] },
    });
  });

  test('a pipe file keeps its inch marks', async () => {
    expect((await column('quirks/pipe.txt', 'description'))[0]).toBe(
      'SuperCrew with tow package, spray-in liner and 18" wheels.',
    );
  });

  test('line breaks inside of values are one kind', async () => {
    const { rows = [] } = await run('quirks/embedded-newlines.csv');
    expect(rows.map(({ line }) => line)).toEqual([2, 4, 7, 9, 11]);
    expect(rows.slice(0, 3).map(({ cells }) => cells.description?.[0])).toEqual([
      'line 1\nline 2',
      'line 1\nline 2\nline 3',
      'old mac\nline',
    ]);
    expect(rows[3]?.cells.options).toEqual(['Bose Audio,\nMoonroof']);
  });

  test('what a spreadsheet has mangled stays text', async () => {
    const stocks = await column('quirks/excel-mangled.csv', 'stock');
    expect(stocks.slice(0, 4)).toEqual(['417', '1.23457E+11', '="00419"', "'00420"]);
    expect(await column('vauto.csv', 'stock#')).toContain('00417');
  });

  test('of two columns with one name the first counts', async () => {
    const read = await run('quirks/duplicate-headers.csv');
    expect(read.rows?.[0]?.cells.options).toEqual(['Tow Package,Apple CarPlay,Remote Start']);
    expect(read.warnings?.map(({ code }) => code)).toEqual(['duplicate_header', 'column_without_name']);
    expect(read.isIncomplete).toBe(false);
  });

  test('windows-1252, both kinds of UTF and a declared encoding are read', async () => {
    expect(await run('quirks/cp1252.csv')).toMatchObject({ encoding: 'windows-1252' });
    const comments = await column('quirks/cp1252.csv', 'description');
    expect(comments.slice(0, 2)).toEqual(['Dealer’s choice — won’t last', '20” wheels, “Black Edition”']);
    expect(comments.join('')).not.toContain('\uFFFD');
    expect(await run('quirks/bom-utf16.csv')).toMatchObject({ encoding: 'utf-16le' });
    for (const file of ['quirks/bom-utf8.csv', 'quirks/bom-utf16.csv']) {
      expect(await column(file, 'dealerid')).toEqual(Array.from({ length: 10 }, () => 'HPM01'));
    }
    expect(await run('quirks/xml-cdata-entities.xml')).toMatchObject({ encoding: 'iso-8859-1' });
  });

  test('XML: CDATA, references decoded once, one photo and many, leading zeros', async () => {
    const { rows = [] } = await run('quirks/xml-cdata-entities.xml');
    expect(rows.map(({ cells }) => cells.comments?.[0])).toEqual([
      'Tow & haul <b>ready</b>',
      'Heat pump & range — ok',
      'Leather &amp; more',
      'Café',
      'FWD, Super Cruise ready, 300+ mile range estimate.',
    ]);
    expect(rows[0]?.cells['photos/photo']).toEqual(['https://img.example.com/a.jpg?x=1&y=2']);
    expect(rows[3]?.cells.stock).toEqual(['HP2604']);
    expect((await run('quirks/xml-single-item.xml')).rows?.[0]?.cells).toMatchObject({ stock: ['00123'] });
    expect((await run('meta-vehicles.xml')).rows?.[0]?.cells['image/url']).toHaveLength(3);
  });

  test('broken XML is refused with its place, and mended only on demand', async () => {
    const refused = await run('quirks/xml-malformed.xml');
    expect(refused.refusal).toMatchObject({ where: { line: 4, column: 196 } });
    expect(refused.refusal?.message).toContain('a bare & must be &amp;');
    const mended = await run('quirks/xml-malformed.xml', { repair: true });
    expect(mended.rows?.map(({ cells }) => cells.comments?.[0]).slice(1, 3)).toEqual([
      'Bluetooth & CarPlay',
      'One\u00a0owner',
    ]);
    expect(mended.warnings).toEqual([{ code: 'xml_repaired', detail: '2 places' }]);
    expect((await run('quirks/xml-truncated.xml', { repair: true })).refusedAs).toBe('xml_not_well_formed');
  });
});
