import { afterAll, beforeAll, expect, it } from 'vitest';
import { timeZoneWarnings } from '../../src/config/time-zone-warnings.ts';
import { describeProblem } from '../../src/model/problem.ts';
import { openDealership, SMALL, type Dealership } from './dealership.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
});
afterAll(() => dealer.remove());

async function warningsOf(timezone: string): Promise<string[]> {
  const loaded = await dealer.load(SMALL.replace('id: ONE\n', `id: ONE\n      timezone: ${timezone}\n`));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return timeZoneWarnings(loaded.value).map(describeProblem);
}

const fixed = (name: string, meant: string) => [
  `bridge.yaml dealer.rooftops[0].timezone: ${name} has no daylight saving time: from March to November visits would be told an hour off. Write ${meant}.`,
];

it.each([
  ['EST', 'America/New_York'],
  ['MST', 'America/Denver, or America/Phoenix in Arizona'],
  ['Etc/GMT+6', 'America/Chicago'],
  ['UTC', 'the name of the zone with a city, such as America/New_York'],
])('warns of a zone without summer time that stands for no place: %s', async (zone, meant) => {
  expect(await warningsOf(zone)).toEqual(fixed(zone, meant));
});

it('warns of an abbreviation that is read as another zone', async () => {
  expect(await warningsOf('AST')).toEqual([expect.stringContaining('AST is read as the time of Alaska.')]);
});

it.each([
  'America/New_York',
  'America/Phoenix',
  'America/Puerto_Rico',
  'Pacific/Honolulu',
  'US/Eastern',
  'EST5EDT',
  'CST6CDT',
  'PST',
  'HST',
])('believes %s', async (zone) => {
  expect(await warningsOf(zone)).toEqual([]);
});
