import type { Registry } from 'prom-client';
import type { Tally } from '../../runtime/tally.ts';
import type { Activity } from '../activity.ts';
import { counter, durationHistogram } from './families.ts';

const DOORS = ['a2a', 'mcp'] as const;

/** What has happened since the start. */
export function addActivityCounters(
  registry: Registry,
  { calls, leads, attempts, runs, rows }: Activity,
): void {
  const outcomes = DOORS.flatMap((door) =>
    Array.from(calls[door].outcomes(), (outcome) => ({ door, ...outcome })),
  );
  counter(
    registry,
    'requests_total',
    'Calls answered, by the code of the answer: ok, or why not.',
    ['door', 'skill', 'code'],
    outcomes.map(({ door, skill, code, calls: number }) => [[door, skill, code], number]),
  );
  counter(
    registry,
    'requests_rate_limited_total',
    'Calls turned away because their sender called too often.',
    ['door'],
    DOORS.map((door) => [
      [door],
      sumOf(outcomes.filter((call) => call.door === door && call.code === 'RATE_LIMITED')),
    ]),
  );
  durationHistogram(
    registry,
    'request_duration_seconds',
    'From the head of a request to its answer.',
    ['door', 'skill'],
    DOORS.flatMap((door) =>
      Array.from(calls[door].durations(), ({ skill, durations }) => [[door, skill], durations] as const),
    ),
  );
  counter(
    registry,
    'leads_total',
    'Leads by what they ask for and what became of them.',
    ['type', 'result'],
    sums(leads),
  );
  counter(
    registry,
    'delivery_attempts_total',
    'Attempts to deliver a lead.',
    ['destination', 'verdict'],
    sums(attempts),
  );
  counter(registry, 'feed_runs_total', 'Files taken in or refused.', ['feed', 'result'], sums(runs));
  counter(registry, 'feed_rows_total', 'Rows of files.', ['feed', 'result'], sums(rows));
}

function sumOf(outcomes: readonly { calls: number }[]): number {
  return outcomes.reduce((sum, { calls }) => sum + calls, 0);
}

function sums(tally: Tally): (readonly [readonly string[], number])[] {
  return Array.from(tally.entries(), ({ values, sum }) => [values, sum] as const);
}
