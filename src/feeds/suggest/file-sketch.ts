import type { RawRow } from '../../adapters/feed-reader.ts';
import { loadFeedReader } from '../../adapters/loader.ts';
import { failure, success, type Result } from '../../model/problem.ts';
import { fileFault } from '../file-fault.ts';
import { DEFAULT_READ_LIMITS, DEFAULT_UNPACK_LIMITS } from '../limits.ts';
import { decode } from '../reading/decode.ts';
import { readRows } from '../reading/read.ts';
import { unpack } from '../reading/unpack.ts';
import type { DecodedFile, FeedEncoding } from '../records.ts';
import type { Aliases } from './aliases.ts';
import type { ColumnSketch } from './column-sketch.ts';
import { looksLikeData } from './header-line.ts';
import { findRecordElement } from './record-element.ts';
import { RowSketch } from './row-sketch.ts';

/** What an unknown export turned out to be. */
export interface FileSketch {
  container: 'none' | 'gzip' | 'zip';
  encoding: FeedEncoding;
  reader: 'csv' | 'xml';
  /** Of the reader, as a profile has to say them. */
  options: Record<string, unknown>;
  /** Of a table. */
  delimiter?: string;
  /** Of a table: whether its first line names the columns. */
  hasHeader?: boolean;
  rows: number;
  /** Rows that the reader could not make sense of. */
  unsoundRows: number;
  columns: ColumnSketch[];
  /** The first sound rows, for trying the mapping on. */
  samples: RawRow[];
  /** Codes such as `duplicate_header`. */
  warnings: string[];
}

/**
 * Reads the whole file the way a run would, and finds out by itself what a profile would have to say. Faults: those
 * of the file (empty_file, not_a_feed, xml_not_well_formed …), no_rows.
 */
export async function sketchFile(
  file: string,
  aliases: Aliases,
  adapterFolders: readonly string[],
): Promise<Result<FileSketch>> {
  const unpacked = await unpack(file, DEFAULT_UNPACK_LIMITS);
  if (!unpacked.ok) return unpacked;
  const decoded = await decode(unpacked.value);
  if (!decoded.ok) return decoded;
  const look = (reader: 'csv' | 'xml', options: Record<string, unknown>): Promise<Result<ReadSketch>> =>
    readSketch(decoded.value, reader, options, adapterFolders);
  const isXml = /^\s*</.test(await beginning(decoded.value));
  const found = isXml ? await sketchXml(decoded.value, aliases, look) : await sketchTable(aliases, look);
  if (!found.ok) return found;
  if (found.value.rows === 0) return failure(fileFault('no_rows'));
  const { container } = unpacked.value;
  return success({ container, encoding: decoded.value.encoding, ...found.value });
}

type ReadSketch = Omit<FileSketch, 'container' | 'encoding'> & { doubtfulRows: number };
type Look = (reader: 'csv' | 'xml', options: Record<string, unknown>) => Promise<Result<ReadSketch>>;

async function beginning(file: DecodedFile): Promise<string> {
  let text = '';
  for await (const chunk of file.open()) {
    text += chunk;
    if (text.trim() !== '' || text.length > 1_000_000) break;
  }
  return text;
}

async function sketchXml(file: DecodedFile, aliases: Aliases, look: Look): Promise<Result<ReadSketch>> {
  const record = await findRecordElement(file, aliases);
  if (!record.ok) return record;
  const read = await look('xml', { record: record.value });
  const isBroken = !read.ok && read.problems.some(({ code }) => code === 'xml_not_well_formed');
  if (!isBroken) return read;
  const repaired = await look('xml', { record: record.value, repair: true });
  return repaired.ok ? repaired : read;
}

async function sketchTable(aliases: Aliases, look: Look): Promise<Result<ReadSketch>> {
  const first = await look('csv', {});
  if (!first.ok) return first;
  const names = first.value.columns.map(({ name }) => name);
  const known = names.filter((name) => aliases.isKnown(aliases.keyOf(name))).length;
  if (known === 0 && looksLikeData(names)) return sketchWithoutHeader(look);
  return preferLettersForQuotes(first.value, look);
}

/** In pipe and tab files a quote often is an inch mark: read so if more rows are sound that way. */
async function preferLettersForQuotes(read: ReadSketch, look: Look): Promise<Result<ReadSketch>> {
  if (read.doubtfulRows === 0 || (read.delimiter !== '|' && read.delimiter !== '\t')) return success(read);
  const plain = await look('csv', { quote: 'none' });
  return plain.ok && plain.value.doubtfulRows < read.doubtfulRows ? plain : success(read);
}

/** Names the columns by their place; how many there are, the widest row says. */
async function sketchWithoutHeader(look: Look): Promise<Result<ReadSketch>> {
  const widest = await look('csv', { header: false, columns: placeNames(DEFAULT_READ_LIMITS.maxColumns) });
  if (!widest.ok) return widest;
  const width = widest.value.columns.findLastIndex(({ filled }) => filled > 0) + 1;
  const read = await look('csv', { header: false, columns: placeNames(Math.max(width, 1)) });
  return read.ok ? success({ ...read.value, hasHeader: false }) : read;
}

function placeNames(count: number): string[] {
  return Array.from({ length: count }, (_, place) => `Column ${place + 1}`);
}

/** Reads all rows; keeps counts and the first rows only. */
async function readSketch(
  file: DecodedFile,
  readerName: 'csv' | 'xml',
  options: Record<string, unknown>,
  adapterFolders: readonly string[],
): Promise<Result<ReadSketch>> {
  const loaded = await loadFeedReader(readerName, adapterFolders);
  if (!loaded.ok) return loaded;
  const checked = structuredClone(options);
  loaded.value.checkOptions(checked);
  const reading = readRows(file, loaded.value.reader, checked, DEFAULT_READ_LIMITS);
  const rows = new RowSketch();
  for await (const row of reading.rows) rows.add(row);
  const { columns, delimiter, refusal, warnings } = reading.facts();
  if (refusal !== undefined) return failure(refusal);
  return success({
    reader: readerName,
    options,
    ...(delimiter === undefined ? {} : { delimiter }),
    ...(readerName === 'csv' ? { hasHeader: true } : {}),
    ...rows.facts(),
    columns: rows.columns(columns),
    warnings: [...new Set(warnings.map(({ code }) => code))],
  });
}
