import { afterAll, beforeAll, expect, it } from 'vitest';
import { rooftopContactWarnings } from '../../src/config/rooftop-contact-warnings.ts';
import { describeProblem } from '../../src/model/problem.ts';
import { openDealership, SMALL, type Dealership } from './dealership.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
});
afterAll(() => dealer.remove());

async function settingsWith(rooftop: string) {
  const loaded = await dealer.load(SMALL.replace('id: ONE\n', `id: ONE\n${rooftop}`));
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
  return loaded.value;
}

const warningsOf = async (rooftop: string): Promise<string[]> =>
  rooftopContactWarnings(await settingsWith(rooftop)).map(describeProblem);

it('warns of a rooftop that leads name and nobody can reach', async () => {
  expect(await warningsOf('')).toEqual([
    expect.stringMatching(/^bridge\.yaml dealer\.rooftops\[0\]: neither phones nor emails are listed, /),
  ]);
});

it.each([
  ['a phone', "      phones: [{ value: '+12075550110' }]\n"],
  ['an address', '      emails: [{ value: sales@dealer.example }]\n'],
])('is content with %s', async (_, rooftop) => {
  expect(await warningsOf(rooftop)).toEqual([]);
});

it('is content with a rooftop of which no leads go out', async () => {
  const settings = await settingsWith('');
  expect(rooftopContactWarnings({ ...settings, leads: { ...settings.leads, destinations: [] } })).toEqual([]);
});
