import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { normaliseColumn, normaliseColumnPath } from '../../model/column.ts';
import type { FeedReader, RawRow, ReadContext, ReaderFacts } from '../feed-reader.ts';
import { firstDifference } from '../first-difference.ts';
import type { LoadedFeedReader } from '../loader.ts';
import { readReaderFixtures, type ReaderFixture } from './fixtures.ts';
import { HOSTILE_TEXTS } from './hostile-texts.ts';
import { checkOptionsSchema, soundOptions } from './options-checks.ts';
import { callSlowly, plain, type Trial } from './trial.ts';

/** As the bridge's own, but small enough to be met here. */
const LIMITS = {
  maxRows: 100_000,
  maxColumns: 1000,
  maxCellCharacters: 100_000,
  maxRowCharacters: 400_000,
  maxDepth: 32,
};
/** Places at which a fixture is cut; a longer text is cut at places spread over it. */
const MOST_CUTS = 1500;
const HUGE_LINE_CHARACTERS = 5_000_000;

interface Reading {
  columns: readonly string[];
  warnings: unknown[];
  rows: { row: number; line: number; cells: Record<string, readonly string[]> }[];
  refusal?: unknown;
}

/** Tries a feed reader with the text and the options of each of its fixtures. */
export async function checkReader(adapter: LoadedFeedReader, trial: Trial): Promise<void> {
  checkOptionsSchema(adapter, trial);
  for (const fixture of await readReaderFixtures(join(adapter.folder, 'fixtures'))) {
    if (!fixture.ok) trial.findings.addProblems('fixtures', fixture.problems);
    else if (soundOptions(adapter, fixture.value.name, fixture.value.options, trial)) {
      await checkWithFixture(adapter.reader, fixture.value, trial);
    }
  }
}

async function checkWithFixture(reader: FeedReader, fixture: ReaderFixture, trial: Trial): Promise<void> {
  const { text, options } = fixture;
  const subject = `fixture ${fixture.name}`;
  const copy = structuredClone(options);
  const whole = await read(reader, [text], options, trial, 'fixtures', subject);
  if (whole === undefined) return;
  trial.keep(subject, whole);
  if (!isDeepStrictEqual(plain(whole), fixture.rows)) {
    const difference = firstDifference(plain(whole), fixture.rows);
    trial.findings.add(
      'fixtures',
      subject,
      `read gives something else than ${fixture.name}.rows.json at ${difference}`,
    );
  }
  const again = await read(reader, [text], options, trial, 'repeats', subject);
  tellOther(trial, 'repeats', subject, 'the second time', again, whole);
  await cutIntoChunks(reader, fixture, whole, trial);
  await cutOff(reader, fixture, trial);
  await readOddFiles(reader, fixture, trial);
  if (!isDeepStrictEqual(options, copy)) {
    trial.findings.add('input', subject, `read changes its options at ${firstDifference(options, copy)}`);
  }
}

/** Two chunks with the border at every place, and every character alone. */
async function cutIntoChunks(
  reader: FeedReader,
  { name, text, options }: ReaderFixture,
  whole: Reading,
  trial: Trial,
): Promise<void> {
  const subject = `fixture ${name}`;
  for (const at of cuts(text)) {
    const reading = await read(
      reader,
      [text.slice(0, at), text.slice(at)],
      options,
      trial,
      'chunks',
      subject,
    );
    tellOther(trial, 'chunks', subject, `cut after ${at} characters`, reading, whole);
  }
  const single = await read(reader, text.split(''), options, trial, 'chunks', subject);
  tellOther(trial, 'chunks', subject, 'given character by character', single, whole);
}

/** A transfer that broke off, anywhere: fewer rows or a refusal, never a crash. */
async function cutOff(
  reader: FeedReader,
  { name, text, options }: ReaderFixture,
  trial: Trial,
): Promise<void> {
  for (const at of cuts(text)) {
    await read(
      reader,
      [text.slice(0, at)],
      options,
      trial,
      'files',
      `fixture ${name} cut off after ${at} characters`,
    );
  }
}

async function readOddFiles(
  reader: FeedReader,
  { name, text, options }: ReaderFixture,
  trial: Trial,
): Promise<void> {
  const start = text.slice(0, text.indexOf('\n') + 1);
  const odd: Record<string, readonly string[]> = {
    'no text at all': [],
    'an empty text': [''],
    'blank lines': ['\n\r\n  \n'],
    'a huge line': [
      start,
      ...Array.from({ length: HUGE_LINE_CHARACTERS / 50_000 }, () => 'x'.repeat(50_000)),
    ],
    'its own text twice': [text, text],
  };
  for (const [kind, hostile] of Object.entries(HOSTILE_TEXTS)) odd[kind] = [`${start}${hostile}\n`, text];
  for (const [kind, chunks] of Object.entries(odd)) {
    await read(reader, chunks, options, trial, 'files', `"${kind}" with the options of fixture ${name}`);
  }
}

function* cuts(text: string): Generator<number> {
  const step = Math.max(text.length / MOST_CUTS, 1);
  for (let at = 1; at < text.length; at += step) yield Math.floor(at);
}

async function read(
  reader: FeedReader,
  chunks: readonly string[],
  options: unknown,
  trial: Trial,
  check: 'fixtures' | 'repeats' | 'chunks' | 'files',
  subject: string,
): Promise<Reading | undefined> {
  const reading: Reading = { columns: [], warnings: [], rows: [] };
  const context: ReadContext = {
    limits: LIMITS,
    describe: ({ columns }: ReaderFacts) => (reading.columns = columns ?? reading.columns),
    warn: (note) => reading.warnings.push(note),
    refuse: (note) => (reading.refusal ??= note),
  };
  const done = await callSlowly(trial, check, 'read', subject, async () => {
    for await (const row of reader.read(stream(chunks), options, context)) {
      if (reading.refusal !== undefined) break;
      const fault = rowFault(row, reading.rows.length + 1);
      if (fault !== undefined) {
        trial.findings.add('rows', subject, fault);
        break;
      }
      reading.rows.push(plainRow(row));
    }
  });
  return done.ok ? reading : undefined;
}

// eslint-disable-next-line @typescript-eslint/require-await -- the contract asks for an asynchronous stream
async function* stream(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks;
}

function rowFault(row: RawRow, number: number): string | undefined {
  if (row.row !== number) return `row ${number} says that it is row ${String(row.row)}`;
  if (!Number.isInteger(row.line) || row.line < 1) return `row ${number} has no line`;
  for (const column of row.cells.keys()) {
    if (column !== normaliseColumn(column) && column !== normaliseColumnPath(column)) {
      return `the column ${JSON.stringify(column.slice(0, 80))} is not normalised`;
    }
    const texts: unknown = row.cells.get(column);
    const isSound =
      texts === undefined || (Array.isArray(texts) && texts.every((text) => typeof text === 'string'));
    if (!isSound)
      return `the column ${JSON.stringify(column.slice(0, 80))} holds something else than a list of texts`;
  }
  return undefined;
}

function plainRow(row: RawRow): Reading['rows'][number] {
  const cells = [...row.cells.keys()].flatMap((column) => {
    const texts = row.cells.get(column);
    return texts === undefined ? [] : [[column, texts] as const];
  });
  const { rejection, warnings } = row;
  return {
    row: row.row,
    line: row.line,
    cells: Object.fromEntries(cells),
    ...(rejection === undefined ? {} : { rejection }),
    ...(warnings === undefined ? {} : { warnings }),
  };
}

function tellOther(
  { findings }: Trial,
  check: 'repeats' | 'chunks',
  subject: string,
  when: string,
  reading: Reading | undefined,
  whole: Reading,
): void {
  if (reading === undefined || isDeepStrictEqual(plain(reading), plain(whole))) return;
  const difference = firstDifference(plain(reading), plain(whole));
  findings.add(check, `${subject}, ${when}`, `read gives something else at ${difference}`);
}
