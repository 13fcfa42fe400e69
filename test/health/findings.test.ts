import { describe, expect, it } from 'vitest';
import { findingsOf } from '../../src/bridge/findings/findings.ts';
import { alertsOf } from '../../src/bridge/health-alerts.ts';
import { isTrouble, type Trouble, worstOf } from '../../src/model/finding.ts';
import type { HealthReport } from '../../src/web/health-report.ts';
import { NOON, THRESHOLDS, wellReport } from './report.ts';

const MEBIBYTE = 1024 * 1024;

/** What is found after `change` has happened to a bridge that is well. */
function found(change: (report: HealthReport) => void, leadAlerts: Trouble[] = []) {
  const report = wellReport();
  change(report);
  return findingsOf(report, leadAlerts, THRESHOLDS, NOON);
}

const troubles = (change: (report: HealthReport) => void, leadAlerts?: Trouble[]) =>
  found(change, leadAlerts)
    .filter(isTrouble)
    .map(({ key, status, text }) => [key, status, text]);

it('a bridge that is well has findings and no trouble', () => {
  const findings = found(() => undefined);
  expect(worstOf(findings)).toBe('ok');
  expect(findings.map(({ key }) => key)).toEqual([
    'database:leads',
    'database:inventory',
    'disk-low',
    'log',
    'event-loop',
    'clock',
    'leads',
    'feed:main',
    'feed:photos',
    'lot-stale:HPM01',
    'lot-stale:CRA02',
    'certificate-ends',
    'backup-old',
  ]);
});

describe('a trouble', () => {
  const run = { run_id: 'run_1', feed_id: 'main', since: '2026-11-30T08:00:00Z', reason: 'too few rows' };

  it.each<[string, (report: HealthReport) => void, string[]]>([
    [
      'of a database is a failure',
      ({ machine }) => (machine.databases.leads = 'database disk image is malformed'),
      ['database:leads', 'fail', 'The database leads.db does not answer: database disk image is malformed'],
    ],
    [
      'of a disk that is low is a warning',
      ({ machine }) => (machine.disk!.free_bytes = 1999 * MEBIBYTE),
      ['disk-low', 'warn', 'The disk of the data folder has 1,999 MB free, less than 2000.'],
    ],
    [
      'of a log that cannot be written is a warning',
      ({ machine }) => (machine.log = { lost_lines: 3, fault: 'ENOSPC' }),
      ['log', 'warn', 'The log cannot be written (ENOSPC); lines are lost.'],
    ],
    [
      'of a program that stood still is a warning',
      ({ machine }) => (machine.event_loop.delay_max_ms = 1000),
      ['event-loop', 'warn', 'The program stood still for 1000 ms.'],
    ],
    [
      'of a clock that has jumped ahead is a warning',
      ({ clock }) =>
        (clock.jump = {
          kind: 'ahead',
          from: '2026-11-01T12:00:00Z',
          to: '2026-11-30T12:00:00Z',
          believed_in_seconds: 7201,
        }),
      [
        'clock',
        'warn',
        'The clock said 2026-11-01T12:00:00Z when the bridge last ran, and 2026-11-30T12:00:00Z after that: ' +
          'the bridge was off for so long, or the clock runs ahead. Until it is believed no customer is erased, ' +
          'and no log is deleted for its age.',
      ],
    ],
    [
      'of a clock that was set back is a warning',
      ({ clock }) =>
        (clock.jump = {
          kind: 'back',
          from: '2026-11-30T12:00:00Z',
          to: '2020-01-01T00:00:00Z',
          believed_in_seconds: 60,
        }),
      [
        'clock',
        'warn',
        'The clock was set back: it said 2026-11-30T12:00:00Z when the bridge last ran, and 2020-01-01T00:00:00Z after that.',
      ],
    ],
    [
      'of leads whose destination is not in the settings is a warning',
      ({ leads }) => leads.destinations.push({ id: 'old-crm', waiting: 3, not_in_settings: true }),
      [
        'destination-unknown:old-crm',
        'warn',
        '3 leads wait for the destination old-crm, which is not in the settings: nobody sends them.',
      ],
    ],
    [
      'of a feed that is overdue is a failure',
      ({ feeds }) => (feeds.overdue = ['main']),
      [
        'feed-overdue:main',
        'fail',
        'The feed main has brought no good file for longer than expected; the last came 2026-11-30T11:00:00Z.',
      ],
    ],
    [
      'of a held file goes by its run',
      ({ feeds }) => (feeds.held = [run]),
      ['run-held:run_1', 'fail', 'A file of the feed main is held and the lot stays as it was: too few rows'],
    ],
    [
      'of a refused file goes by its feed, however many follow',
      ({ feeds }) => (feeds.refused = [run]),
      [
        'file-refused:main',
        'fail',
        'The newest file of the feed main was refused and the lot stays as it was: too few rows',
      ],
    ],
    [
      'of a folder that is away is a failure',
      ({ feeds }) => (feeds.unreachable_folders = [{ feed_id: 'main', since: run.since, reason: 'ENOENT' }]),
      [
        'folder-unreachable:main',
        'fail',
        'The inbox folder of the feed main cannot be looked into since 2026-11-30T08:00:00Z: ENOENT',
      ],
    ],
    [
      'of a source begins when it has failed for long',
      ({ feeds }) =>
        (feeds.sources = [
          {
            feed_id: 'photos',
            ok: false,
            last_success: '2026-11-30T10:00:00Z',
            last_failure: { at: '2026-11-30T11:55:00Z', reason: 'login refused' },
          },
        ]),
      ['source-failing:photos', 'fail', 'The files of the feed photos cannot be fetched: login refused'],
    ],
    [
      'of an adapter is a failure',
      ({ leads }) => (leads.destinations = [{ id: 'crm', waiting: 1, adapter_fault: 'no such field' }]),
      [
        'adapter-refuses:crm',
        'fail',
        'The adapter of the destination crm cannot write its leads: no such field',
      ],
    ],
    [
      'of a lot that nobody confirms is a warning',
      ({ lot }) => (lot.rooftops[0]!.age_seconds = 72 * 3600 + 1),
      ['lot-stale:HPM01', 'warn', 'The 12 vehicles of the rooftop HPM01 were last confirmed 72 hours ago.'],
    ],
    [
      'of a token file is a failure',
      ({ access }) => (access.tokens_file_fault = 'line 3'),
      ['tokens-file', 'fail', 'The token file cannot be used and its last good state stays in use: line 3'],
    ],
    [
      'of a certificate that ends soon is a warning',
      ({ access }) => (access.tls!.days_left = 13),
      ['certificate-ends', 'warn', 'The certificate ends on 2027-02-28T00:00:00Z.'],
    ],
    [
      'of a backup that is old is a failure',
      ({ backup }) => (backup!.overdue = true),
      [
        'backup-old',
        'fail',
        'No good backup was made for too long: the last good one is of 2026-11-30T02:00:00Z.',
      ],
    ],
    [
      'of a backup that failed is a warning',
      ({ backup }) => (backup!.last_failure = { at: '2026-11-30T02:00:00Z', reason: 'disk full' }),
      ['backup-failed', 'warn', 'The last backup failed: disk full'],
    ],
  ])('%s', (_, change, expected) => {
    expect(troubles(change)).toEqual([expected]);
  });

  it('that a person has been told of long ago is a second one when it gets serious', () => {
    const serious = troubles(({ machine, access }) => {
      machine.disk!.free_bytes = 199 * MEBIBYTE;
      access.tls!.days_left = -1;
    });
    expect(serious.map(([key, status]) => [key, status])).toEqual([
      ['disk-low', 'warn'],
      ['disk-nearly-full', 'fail'],
      ['certificate-ends', 'warn'],
      ['certificate-ends-now', 'fail'],
    ]);
  });
});

it.each<[string, (report: HealthReport) => void]>([
  [
    'a file that a person has discarded',
    ({ feeds }) =>
      (feeds.refused = [{ run_id: 'r', feed_id: 'main', since: '', reason: '', discarded: true }]),
  ],
  [
    'a source that has failed for minutes only',
    ({ feeds }) => (feeds.sources = [{ feed_id: 'photos', ok: false, last_success: '2026-11-30T10:00:01Z' }]),
  ],
  [
    'backups that are switched off',
    ({ backup }) => Object.assign(backup!, { enabled: false, overdue: true }),
  ],
  ['a file system that does not tell its room', ({ machine }) => delete machine.disk],
  ['no certificate of our own', ({ access }) => delete access.tls],
  [
    'a destination that is in the clear by the settings',
    ({ leads }) => (leads.unencrypted_destinations = ['crm']),
  ],
])('%s is no trouble', (_, change) => {
  expect(troubles(change)).toEqual([]);
});

it('a lead that was refused wants a person, and is no outage', () => {
  const refused = { key: 'delivery-rejected:7', text: 'crm refused lead_7', remedy: 'Resend.' };
  const findings = found(() => undefined, [{ ...refused, status: 'warn' }]);
  expect(worstOf(findings)).toBe('warn');
  expect(findings.some(({ key }) => key === 'leads')).toBe(false);
});

describe('alerts', () => {
  const paused = { key: 'destination-paused:crm', text: 'crm refuses', remedy: 'Look.' };
  const refused = { key: 'delivery-rejected:7', text: 'crm refused lead_7', remedy: 'Resend.' };

  it('are the troubles, those of the leads among them, but none that goes by itself', () => {
    const report = wellReport();
    report.machine.event_loop.delay_max_ms = 5000;
    report.machine.log = { lost_lines: 1, fault: 'ENOSPC' };
    const checks = findingsOf(
      report,
      [
        { ...paused, status: 'fail' },
        { ...refused, status: 'warn' },
      ],
      THRESHOLDS,
      NOON,
    );
    const { alerts, isPartial } = alertsOf({ ...report, checks });
    expect([alerts.map(({ key }) => key), isPartial]).toEqual([
      ['log', 'destination-paused:crm', 'delivery-rejected:7'],
      false,
    ]);
    expect(alerts.slice(1)).toEqual([paused, refused]);
  });

  it('are not all while a database does not answer', () => {
    const report = wellReport();
    report.machine.databases.inventory = 'disk I/O error';
    const checks = findingsOf(report, [], THRESHOLDS, NOON);
    expect(alertsOf({ ...report, checks })).toMatchObject({
      alerts: [{ key: 'database:inventory' }],
      isPartial: true,
    });
  });
});
