import { describe, expect, it } from 'vitest';
import { reportText } from '../../src/feeds/reporting/report-text.ts';
import { toRunRecord, type RunReport } from '../../src/feeds/reporting/report.ts';
import { RunDraft } from '../../src/feeds/reporting/run-draft.ts';
import { isNeverPublished } from '../../src/feeds/profile/never-published.ts';
import { Tally } from '../../src/feeds/reporting/tally.ts';
import { visibleText } from '../../src/feeds/reporting/visible-text.ts';
import { systemClock } from '../../src/model/clock.ts';

const REPORT: RunReport = {
  runId: 'run_1',
  feedId: 'main-lot',
  profile: 'homenet',
  mode: 'full',
  status: 'partial',
  file: {
    name: 'lot.csv',
    size: 12_345,
    modifiedAt: '2026-09-15T06:00:00Z',
    fingerprint: 'f'.repeat(64),
    container: 'zip',
    encoding: 'windows-1252',
    delimiter: '\t',
    warnings: [],
  },
  startedAt: '2026-09-15T06:01:00Z',
  finishedAt: '2026-09-15T06:01:01Z',
  durationMs: 1000,
  rows: 30,
  accepted: 28,
  rejected: 2,
  removalsAsked: 0,
  added: 4,
  changed: 3,
  unchanged: 21,
  removed: 1,
  sameAsLast: false,
  rejectionCounts: { vin_invalid: 2 },
  rejections: [
    {
      row: 6,
      line: 9,
      key: 'P1001',
      code: 'vin_invalid',
      field: 'VIN',
      value: '5J6RT6H9XPLA9O106',
      message: 'the VIN is not sound (VIN "5J6RT6H9XPLA9O106")',
      remedy: 'Correct it.',
    },
  ],
  removals: [],
  warningCounts: { price_missing: 5 },
  warnings: [1, 2, 3, 4].map((row) => ({
    row,
    line: row + 1,
    key: `K${row}`,
    code: 'price_missing',
    message: 'there is no price',
  })),
  unknownColumns: ['Doors', 'Lot Attendant'],
  wordsKept: [{ field: 'body', word: 'Shooting Brake', rows: 2 }],
  rooftops: [{ rooftopId: 'HPM01', before: 25, added: 4, changed: 3, unchanged: 21, removed: 1, moved: 0 }],
};

describe('the report for people', () => {
  it('says what happened, where, why and what to do', () => {
    expect(reportText(REPORT)).toBe(`PARTIAL: 2 of 30 rows refused, the rest taken in.

  File      lot.csv (12345 bytes, last changed 2026-09-15T06:00:00Z)
  Feed      main-lot, profile homenet, mode full
  Read as   windows-1252, tab between the cells, packed as zip
  Run       run_1, 2026-09-15T06:01:00Z, 1000 ms
  Rows      30
  Accepted  28
  Refused   2

What it changed
  rooftop  before  added  changed  unchanged  removed
  HPM01    25      4      3        21         1

Refused rows
  line 9, row 6, P1001: vin_invalid: the VIN is not sound (VIN "5J6RT6H9XPLA9O106"). What to do: Correct it.
  … and 1 more; by code: vin_invalid 2
  With all their values, to be sent back: the .rejects.csv beside this report

Warnings (the rows were taken in)
  price_missing: 5 times
    line 2, row 1, K1: price_missing: there is no price.
    line 3, row 2, K2: price_missing: there is no price.
    line 4, row 3, K3: price_missing: there is no price.
    … and 2 more

Columns that are not used
  Doors, Lot Attendant

Words that no vocabulary knows, published as they came
  body: "Shooting Brake" (2 rows)
`);
  });

  it.each([
    [{ status: 'ok', rejected: 0 }, 'OK: all 30 rows taken in.'],
    [
      { status: 'partial', rejected: 0 },
      'PARTIAL: 30 rows taken in, with a doubt about the file as a whole.',
    ],
    [{ status: 'held' }, 'HELD: nothing was changed; a person has to look at this file first.'],
    [{ status: 'failed' }, 'FAILED: nothing was changed; the lot stays as it was.'],
  ] as const)('begins with what became of the file: %j', (over, headline) => {
    expect(reportText({ ...REPORT, ...over }).split('\n')[0]).toBe(headline);
  });

  it('does not name one encoding alone where file and bytes disagree', () => {
    const warning = { code: 'encoding_contradicted', message: 'the file says …' };
    const file = { ...REPORT.file, encoding: 'utf-8', warnings: [warning] };
    expect(reportText({ ...REPORT, file })).toContain('utf-8 (see encoding_contradicted below)');
  });

  it('gives the place of a fault of the whole file', () => {
    const problem = {
      code: 'xml_not_well_formed',
      message: 'broken',
      remedy: 'Send it again.',
      line: 4,
      column: 17,
    };
    const text = reportText({ ...REPORT, status: 'failed', problem });
    expect(text).toContain('xml_not_well_formed: broken (line 4, column 17)\nWhat to do: Send it again.');
  });
});

describe('the run record', () => {
  it('holds what changed on the lot', () => {
    expect(toRunRecord(REPORT)).toMatchObject({ added: 4, changed: 3, unchanged: 21, removed: 1 });
  });

  it('of a held run claims no change', () => {
    const draft = new RunDraft(
      'lot.csv',
      {
        id: 'main-lot',
        profile: 'homenet',
        folder: '/nowhere',
        files: '*',
        mode: 'full',
        rooftop: { kind: 'fixed', id: 'HPM01' },
        settle_ms: 0,
        guard: { max_removed_percent: 20, max_removed_vehicles: 10 },
      },
      systemClock,
    );
    draft.rooftops = [...REPORT.rooftops];
    const held = toRunRecord(draft.held({ code: 'shrink_guard', message: 'few' }));
    expect(held).toMatchObject({
      status: 'held',
      code: 'shrink_guard',
      message: 'few',
      added: 0,
      removed: 0,
    });
  });
});

it('calls the vehicles of a companion feed that names no rooftop those of any rooftop', () => {
  const change = { rooftopId: '*', before: 0, added: 5, changed: 0, unchanged: 0, removed: 0, moved: 0 };
  const text = reportText({ ...REPORT, joined: { onLot: 5, notOnLot: 0 }, rooftops: [change] });
  expect(text).toContain('\n  any      0       5      0        0          0\n');
});

describe('values in reports', () => {
  it('show control and direction characters as codes', () => {
    expect(visibleText('a\nb\tc\u0007d\u202Ee\uD800')).toBe('a\\nb\\tc\\u{0007}d\\u{202e}e\uFFFD');
  });

  it('are cut at 200 characters', () => {
    expect(visibleText('x'.repeat(201))).toBe(`${'x'.repeat(200)}…`);
  });

  it('of a cost column are left out', () => {
    const tally = new Tally(isNeverPublished);
    tally.warn(
      { row: 1, line: 2, key: 'U1' },
      { code: 'value_invalid', field: 'Dealer Cost', value: '11111' },
    );
    tally.warn({ row: 1, line: 2, key: 'U1' }, { code: 'value_invalid', field: 'Price', value: 'abc' });
    expect(tally.warned.rows.map(({ field, value }) => ({ field, value }))).toEqual([
      { field: 'Dealer Cost', value: undefined },
      { field: 'Price', value: 'abc' },
    ]);
    expect(JSON.stringify(tally.warned.rows)).not.toContain('11111');
  });
});

describe('a hopeless file', () => {
  it('is counted whole and listed in part', () => {
    const tally = new Tally(isNeverPublished);
    for (let row = 1; row <= 10_005; row += 1)
      tally.reject({ row, line: row, key: '' }, { code: 'no_identity' });
    expect(tally.rejected.rows).toHaveLength(10_000);
    expect(tally.rejected.total).toBe(10_005);
    expect(tally.rejected.counts).toEqual({ no_identity: 10_005 });
  });
});
