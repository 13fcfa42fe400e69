import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { progressLine, type Terminal } from '../../src/cli/progress-line.ts';
import { previewFile } from '../../src/feeds/preview.ts';
import { ProgressMeter, progressToLog, type Progress } from '../../src/feeds/reporting/progress.ts';
import { Dealership } from '../feeds-intake/dealership.ts';

let dealership: Dealership;
beforeEach(async () => {
  dealership = await Dealership.open();
});
afterEach(() => dealership.close());

describe('the progress of a file', () => {
  function meter(everyMs: number) {
    const told: Progress[] = [];
    let asked = 0;
    let now = 1000;
    const clock = {
      now: () => {
        asked += 1;
        return now;
      },
    };
    const subject = { feedId: 'lot', fileName: 'lot.csv', bytes: 1000 };
    const made = new ProgressMeter(subject, clock, { everyMs, tell: (progress) => told.push(progress) });
    return { told, made, asked: () => asked, at: (ms: number) => (now = 1000 + ms) };
  }

  it('is told from five seconds on, then at its interval', () => {
    const { told, made, at } = meter(10_000);
    let rows = 0;
    made.read(1000);
    made.begin(() => rows);
    for (const [ms, count] of [
      [4999, 10],
      [5000, 40],
      [14_999, 80],
      [15_000, 150],
    ] as const) {
      at(ms);
      rows = count;
      made.read(100);
    }
    const common = { feedId: 'lot', fileName: 'lot.csv' };
    expect(told).toEqual([
      { ...common, rows: 40, rowsPerSecond: 8, percent: 20 },
      { ...common, rows: 150, rowsPerSecond: 10, percent: 40 },
    ]);
  });

  it('asks the clock once a piece and never goes beyond a hundred percent', () => {
    const { told, made, asked, at } = meter(1);
    made.begin(() => 5);
    at(6000);
    made.read(1200);
    expect(asked()).toBe(2);
    expect(told[0]?.percent).toBe(100);
  });

  it('goes to the log as facts, the name of the file made visible', () => {
    const { log } = dealership.services();
    progressToLog(log).tell({ feedId: 'lot', fileName: 'a\nb', rows: 7, rowsPerSecond: 3, percent: 9 });
    expect(dealership.log).toEqual([
      {
        level: 'info',
        facts: { feed: 'lot', file: 'a\\nb', rows: 7, rows_per_s: 3, percent: 9 },
        message: 'feed run goes on',
      },
    ]);
  });
});

describe('a file on its way in', () => {
  const ROWS = 6000;
  const comment = (row: number): string =>
    Array.from({ length: 8 }, (_, n) => ((row * 7919 + n * 104_729) % 1e9).toString(36)).join(' ');
  const CSV = `stock,year,make,model,condition,dealer_comment\n${Array.from(
    { length: ROWS },
    (_, row) => `S${row},2020,Honda,Civic,used,${comment(row)}\n`,
  ).join('')}`;
  const XML = `<inventory>${Array.from(
    { length: ROWS },
    (_, row) =>
      `<unit><Stocknumber>S${row}</Stocknumber><Year>2020</Year><Make>Honda</Make><Model>Rebel</Model><Condition>New</Condition></unit>`,
  ).join('')}</inventory>`;

  it.each([
    ['CSV', 'lot.csv', Buffer.from(CSV), 'aap'],
    ['gzip', 'lot.csv.gz', gzipSync(CSV), 'aap'],
    ['XML', 'lot.xml', Buffer.from(XML), 'psxdigital'],
  ])('tells its share of bytes and its rows: %s', async (_name, name, bytes, profile) => {
    const file = path.join(dealership.folder, name);
    await writeFile(file, bytes);
    const told: Progress[] = [];
    // Each look at the clock is six seconds after the one before.
    const clock = { now: () => (dealership.now += 6000) };
    const services = dealership.services({
      clock,
      progress: { everyMs: 1, tell: (each) => told.push(each) },
    });
    const feed = dealership.feed(profile);
    const { report } = await previewFile(file, feed, services);
    expect(report.rows).toBe(ROWS);
    expect(told.at(-1)).toMatchObject({ feedId: 'lot', fileName: name, percent: 100 });
    const percents = told.map(({ percent }) => percent);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(told.at(-1)?.rows).toBeLessThanOrEqual(ROWS);
  });
});

describe('the line on a terminal', () => {
  const progress = { feedId: 'lot', fileName: 'lot.csv', rows: 12_345, rowsPerSecond: 2400, percent: 42 };

  function terminal(over: Partial<Terminal> = {}) {
    const written: string[] = [];
    const write = (text: string): boolean => written.push(text) > 0;
    return {
      written,
      line: progressLine({ isTTY: true, columns: 80, write: write, ...over }),
    };
  }

  it('is written anew each time and taken away at the end', () => {
    const { written, line } = terminal();
    line.teller?.tell(progress);
    line.end();
    line.end();
    expect(written).toEqual(['\r\u001B[2K42 %  12,345 rows  2,400 rows/s  lot.csv', '\r\u001B[2K']);
  });

  it('never wraps', () => {
    const { written, line } = terminal({ columns: 20 });
    line.teller?.tell(progress);
    expect(written).toEqual(['\r\u001B[2K42 %  12,345 rows  '.slice(0, 4 + 1 + 19)]);
  });

  it('is not there where nobody looks', () => {
    const { written, line } = terminal({ isTTY: false });
    expect(line.teller).toBeUndefined();
    line.end();
    expect(written).toEqual([]);
  });
});
