import { Readable } from 'node:stream';
import type { FeedReader, FileNote, ReadLimits, RowNote } from '../../src/adapters/index.ts';
import { DEFAULT_READ_LIMITS } from '../../src/feeds/limits.ts';
import { readRows } from '../../src/feeds/reading/read.ts';
import type { DecodedFile, UnpackedFile } from '../../src/feeds/records.ts';
import type { Problem } from '../../src/model/problem.ts';

/** A row as plain data, to compare whole rows. */
interface PlainRow {
  row: number;
  line: number;
  cells: Record<string, readonly string[]>;
  rejection?: RowNote;
  warnings?: readonly RowNote[];
}

export interface ReaderRun {
  rows: PlainRow[];
  delimiter: string | undefined;
  columns: readonly string[];
  warnings: readonly FileNote[];
  isIncomplete: boolean;
  refusal: Problem | undefined;
}

export async function runReader<Options>(
  reader: FeedReader<Options>,
  file: DecodedFile,
  options: Options,
  limits: Partial<ReadLimits> = {},
): Promise<ReaderRun> {
  const { maxCellCharacters = DEFAULT_READ_LIMITS.maxCellCharacters } = limits;
  const bounds = { ...DEFAULT_READ_LIMITS, maxRowCharacters: 4 * maxCellCharacters, ...limits };
  const reading = readRows(file, reader, options, bounds);
  const rows: PlainRow[] = [];
  for await (const { row, line, cells, rejection, warnings } of reading.rows) {
    const plain = Object.fromEntries(
      [...cells.keys()].flatMap((key) => {
        const texts = cells.get(key);
        return texts === undefined ? [] : [[key, texts] as const];
      }),
    );
    rows.push({
      row,
      line,
      cells: plain,
      ...(rejection === undefined ? {} : { rejection }),
      ...(warnings === undefined ? {} : { warnings }),
    });
  }
  return { rows, ...reading.facts() };
}

/** The text in chunks of a given number of characters. */
export function decodedText(text: string, chunkCharacters = 64 * 1024): DecodedFile {
  return { encoding: 'utf-8', open: () => chunksOf(text, chunkCharacters) };
}

// eslint-disable-next-line @typescript-eslint/require-await -- the contract asks for an asynchronous stream
async function* chunksOf(text: string, characters: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += characters) yield text.slice(at, at + characters);
}

export function unpackedBytes(bytes: Uint8Array, chunkBytes = 64 * 1024): UnpackedFile {
  const chunks: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes)
    chunks.push(Buffer.from(bytes.subarray(at, at + chunkBytes)));
  return { name: 'feed', container: 'none', open: () => Readable.from(chunks) };
}
