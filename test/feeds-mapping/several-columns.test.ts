import { describe, expect, test } from 'vitest';
import { columnUse } from '../../src/feeds/profile/column-use.ts';
import type { FeedProfile } from '../../src/feeds/profile/feed-profile.ts';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import { describeProblem } from '../../src/model/problem.ts';
import {
  runProfile,
  SHIPPED_PROFILES,
  shippedProfile,
  valueOf,
  writeProfiles,
  type Outcome,
} from './run-profile.ts';

const BASE = { stock: 'Stock', year: 'Year', make: 'Make', model: 'Model', condition: 'Type' };

async function profileOf(map: Record<string, unknown>): Promise<FeedProfile> {
  const builtIn = await writeProfiles({ case: { reader: 'csv', map: { ...BASE, ...map } } });
  return valueOf(await loadProfile('case', { builtIn }));
}

async function outcomeOf(map: Record<string, unknown>, cells: Record<string, string>): Promise<Outcome> {
  const row = { Stock: 'S1', Year: '2024', Make: 'Honda', Model: 'Pioneer', Type: 'Used', ...cells };
  const text = `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`;
  return runProfile(await profileOf(map), text);
}

describe('an odometer and an hour meter', () => {
  const map = {
    mileage: [
      { column: ['Miles', 'Odometer'] },
      { column: 'Metric', unit: 'Metric Type' },
      { column: 'Hours', unit: { constant: 'hours' } },
    ],
  };

  test('are both read, whichever of them is filled', async () => {
    const both = await outcomeOf(map, { Miles: '1204', Metric: '', 'Metric Type': '', Hours: '88.5' });
    expect(both.vehicles[0]).toMatchObject({ mileage: 1204, other_attributes: { engine_hours: 88.5 } });
    const hours = await outcomeOf(map, { Odometer: '', Metric: '48', 'Metric Type': 'Hours' });
    expect(hours.vehicles[0]).toMatchObject({ other_attributes: { engine_hours: 48 } });
    expect(hours.vehicles[0]).not.toHaveProperty('mileage');
  });

  test('that say the same twice: the first counts', async () => {
    const cells = { Miles: '1204', Metric: '9999', 'Metric Type': 'Miles', Hours: '' };
    expect((await outcomeOf(map, cells)).vehicles[0]).toMatchObject({ mileage: 1204 });
    const twice = { Miles: '7', Metric: '10', 'Metric Type': 'hrs', Hours: '20' };
    expect((await outcomeOf(map, twice)).vehicles[0]).toMatchObject({
      mileage: 7,
      other_attributes: { engine_hours: 10 },
    });
  });

  test('have their columns counted as used, and a wrong unit told at its place', async () => {
    const use = columnUse(await profileOf(map), [
      'Stock',
      'Odometer',
      'Metric',
      'Metric Type',
      'Hours',
      'Rest',
    ]);
    expect(use.unused).toEqual(['Rest']);
    const builtIn = await writeProfiles({
      case: `reader: csv\nmap:\n  mileage: [Miles, { column: Hours, unit: { constant: moons } }]\n`,
    });
    const loaded = await loadProfile('case', { builtIn });
    expect(loaded.ok ? [] : loaded.problems.map(describeProblem)).toEqual([
      expect.stringMatching(/^case\.yaml:3:\d+ map\.mileage\[1\]\.unit\.constant: no unit "moons"/),
    ]);
  });
});

describe('a status and a mark that a sale is pending', () => {
  const map = { status: { column: ['Status', 'Pending'], values: { '1': 'pending', '0': 'available' } } };

  test.each([
    ['In Stock', '0', 'available'],
    ['In Stock', '1', 'pending'],
    ['On Order', '0', 'intransit'],
    ['Pending', '', 'pending'],
    ['', '', 'available'],
  ])('status %j with %j is %s', async (status, pending, expected) => {
    const { vehicles } = await outcomeOf(map, { Status: status, Pending: pending });
    expect(vehicles.map((vehicle) => vehicle.status)).toEqual([expected]);
  });

  test.each([
    ['Sold', '1', 'status_out_of_stock'],
    ['Zombie', '1', 'status_unknown'],
    ['In Stock', 'perhaps', 'status_unknown'],
  ])('status %j with %j refuses the row: %s', async (status, pending, reason) => {
    const { rejections } = await outcomeOf(map, { Status: status, Pending: pending });
    expect(rejections.map((rejection) => rejection.reason)).toEqual([reason]);
  });
});

test('a constant beside columns counts where none of them is filled', async () => {
  const map = { vehicle_type: { column: ['Kind', 'Class'], constant: 'trailer' } };
  const typeOf = async (kind: string, className: string) =>
    (await outcomeOf(map, { Kind: kind, Class: className })).vehicles[0]?.vehicle_type;
  expect(await typeOf('', '')).toBe('trailer');
  expect(await typeOf('ATV', '')).toBe('other');
  expect(await typeOf('Other', 'Motorcycle')).toBe('motorcycle');
});

test('a unit that HomeNet says is on its way or reserved is so', async () => {
  const row = (vin: string, mark: string) => `${vin},S,2019,Honda,Accord,Used,${mark}`;
  const text = [
    'VIN,Stock,Year,Make,Model,Type,in_transit,reserve_flag',
    row('1HGCV1F31KAA90301', 'True,False'),
    row('1FTEW1EP5JKA90302', 'False,1'),
    row('1HGCV1F34LA391007', ',0'),
    row('1HGCV1F3XLA391000', ','),
  ].join('\n');
  const { vehicles, rejections } = await runProfile(await shippedProfile('homenet'), `${text}\n`);
  expect(rejections).toEqual([]);
  expect(vehicles.map(({ status }) => status)).toEqual(['intransit', 'pending', 'available', 'available']);
});

test('a status that no column gives may be constant, and gives way to what a column says', async () => {
  const status = { column: 'Status', constant: 'pending' };
  const own = await writeProfiles({ own: { extends: 'homenet', map: { status } } });
  const profile = valueOf(await loadProfile('own', { own, builtIn: SHIPPED_PROFILES }));
  const row = '1HGCV1F31KAA90301,S,2019,Honda,Accord,Used';
  const { vehicles } = await runProfile(
    profile,
    `VIN,Stock,Year,Make,Model,Type,Status\n${row},\n${row.replace('S,', 'T,')},Available\n`,
  );
  expect(vehicles.map(({ status }) => status)).toEqual(['pending', 'available']);
});
