import { describe, expect, test } from 'vitest';
import { jsonTexts } from '../../src/feeds/mapping/fields/json-cell.ts';
import { splitList } from '../../src/feeds/mapping/fields/features.ts';
import { columnUse } from '../../src/feeds/profile/column-use.ts';
import type { FeedProfile } from '../../src/feeds/profile/feed-profile.ts';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import { runProfile, SHIPPED_PROFILES, valueOf, writeProfiles, type Outcome } from './run-profile.ts';

const CAR = { vin: '1FTFW5L82TFA90101', year: '2026', make: 'Ford', model: 'F-150', type: 'New' };

async function profileOf(
  map: Record<string, unknown>,
  top: Record<string, unknown> = {},
): Promise<FeedProfile> {
  const base = { vin: 'vin', year: 'year', make: 'make', model: 'model', condition: 'type' };
  const builtIn = await writeProfiles({ case: { reader: 'csv', ...top, map: { ...base, ...map } } });
  return valueOf(await loadProfile('case', { builtIn }));
}

async function outcomeOf(profile: FeedProfile, cells: Record<string, string>): Promise<Outcome> {
  const row = { ...CAR, ...cells };
  const line = (values: string[]) => values.map((value) => `"${value.replaceAll('"', '""')}"`).join(',');
  return runProfile(profile, `${line(Object.keys(row))}\n${line(Object.values(row))}\n`);
}

test('a list in JSON is told by itself, whatever the profile says stands between the items', () => {
  const separator = ',';
  expect(splitList('["ABS","AC, dual zone", 4, ""]', { separator })).toEqual(['ABS', 'AC, dual zone', '4']);
  expect(splitList(' [{"name": "ABS"}, {"id": 7, "name": "AC"}] ', { separator })).toEqual(['ABS', 'AC']);
  expect(splitList('[Package A], ABS', { separator })).toEqual(['[Package A]', 'ABS']);
  expect(splitList('[]', { separator })).toEqual([]);
});

test('features of a Meta catalog may be a list in JSON', async () => {
  const profile = valueOf(await loadProfile('meta-csv', { builtIn: SHIPPED_PROFILES }));
  const cells = { ...CAR, vehicle_id: 'A1', state_of_vehicle: 'USED', features: '["ABS","AC"]' };
  const { vehicles } = await outcomeOf(profile, cells);
  expect(vehicles[0]?.features).toEqual(['ABS', 'AC']);
});

test('mileage and image of a Meta catalog may be plain texts', async () => {
  const profile = valueOf(await loadProfile('meta-csv', { builtIn: SHIPPED_PROFILES }));
  const cells = {
    ...CAR,
    vehicle_id: 'A1',
    state_of_vehicle: 'USED',
    mileage: '5000',
    image: 'https://a.example/1.jpg',
  };
  const { vehicles } = await outcomeOf(profile, cells);
  expect(vehicles[0]).toMatchObject({ mileage: 5000, photos: ['https://a.example/1.jpg'] });
});

describe('texts of a JSON cell', () => {
  test.each([
    ['{"value": 24870, "unit": "MI"}', 'value', ['24870']],
    ['{"Value": "24870"}', 'value', ['24870']],
    ['[{"url": "https://a"}, {"url": "https://b", "tag": ["x"]}]', 'url', ['https://a', 'https://b']],
    ['{"image": [{"url": "https://a"}]}', 'image/url', ['https://a']],
    ['{"tags": ["one", "two"]}', 'tags', ['one', 'two']],
    ['{"value": null}', 'value', []],
    ['{"value": {"deeper": 1}}', 'value', []],
    ['{"value": 1', 'value', []],
    ['24870', 'value', ['24870']],
    ['https://a', 'url', ['https://a']],
    ['24870', 'unit', []],
    ['', 'value', []],
    ['24870', 'mileage/value', []],
    ['{"constructor": "own"}', 'toString', []],
  ])('%s at %s', (cell, path, texts) => {
    expect(jsonTexts(cell, path.split('/'))).toEqual(texts);
  });

  test('are found at whatever depth the cell goes without following it down', () => {
    const deep = '['.repeat(50_000) + ']'.repeat(50_000);
    expect(jsonTexts(deep, ['url'])).toEqual([]);
  });
});

describe('nested values', () => {
  const MILEAGE = {
    mileage: { column: ['mileage.value', 'mileage/value'], unit: ['mileage.unit', 'mileage/unit'] },
  };

  test('come from a column of their own or from JSON, with their unit', async () => {
    const profile = await profileOf(MILEAGE);
    const flat = await outcomeOf(profile, { 'mileage.value': '40000', 'Mileage.Unit': 'KM' });
    const json = await outcomeOf(profile, { mileage: '{"unit": "KM", "value": 40000}' });
    expect([flat, json].map(({ vehicles }) => vehicles[0]?.mileage)).toEqual([24_855, 24_855]);
  });

  test('that are broken JSON are no value', async () => {
    const { vehicles } = await outcomeOf(await profileOf(MILEAGE), { mileage: '{"value": 40000' });
    expect(vehicles[0]).not.toHaveProperty('mileage');
  });

  test('leave their column among those that are used', async () => {
    const profile = await profileOf(MILEAGE);
    expect(columnUse(profile, [...Object.keys(CAR), 'mileage', 'mileage.unit', 'address']).unused).toEqual([
      'address',
    ]);
  });

  test('do not make up for a required column with a slash in its name', async () => {
    const profile = await profileOf({ condition: 'New/Used' });
    expect(columnUse(profile, ['vin', 'year', 'make', 'model', 'New']).missing).toEqual(['New/Used']);
  });
});

test('numbered columns come in the order of their numbers', async () => {
  const profile = await profileOf({ photos: 'image[*].url' });
  const { vehicles } = await outcomeOf(profile, {
    'image[0].url': 'https://img.example.com/0.jpg',
    'image[0].tag[0]': 'https://img.example.com/no-photo.jpg',
    'image[10].url': 'https://img.example.com/10.jpg',
    'image[2].url': 'https://img.example.com/2.jpg',
  });
  expect(vehicles[0]?.photos).toEqual(
    [0, 2, 10].map((number) => `https://img.example.com/${String(number)}.jpg`),
  );
});

test('numbers behind a word order a list as well, but not where several words stand before them', async () => {
  const profile = await profileOf({ photos: 'images/*' });
  const photo = (name: string) => `https://img.example.com/${name}.jpg`;
  const photosOf = async (...names: string[]) => {
    const cells = Object.fromEntries(names.map((name) => [`images/${name}`, photo(name)]));
    return (await outcomeOf(profile, cells)).vehicles[0]?.photos;
  };
  expect(await photosOf('Image1', 'Image10', 'Image2')).toEqual(['Image1', 'Image2', 'Image10'].map(photo));
  const rooms = ['Exterior2', 'Exterior1', 'Interior1'];
  expect(await photosOf(...rooms)).toEqual(rooms.map(photo));
  expect(await photosOf('10', '2', 'Thumb1')).toEqual(['Thumb1', '2', '10'].map(photo));
  expect(await photosOf('Image2', 'Cover', 'Image1')).toEqual(['Cover', 'Image1', 'Image2'].map(photo));
});

describe('a code before the list', () => {
  test('is skipped, and only once', () => {
    expect(splitList('AUV1|Tow Bar|Canopy', { separator: '|', skip: 1 })).toEqual(['Tow Bar', 'Canopy']);
    expect(splitList('AUV1', { separator: '|', skip: 1 })).toEqual([]);
    expect(splitList('AUV1|Tow Bar\nCanopy', { separator: '|', skip: 1 })).toEqual(['Tow Bar', 'Canopy']);
  });

  test('leaves the other columns of the list whole', async () => {
    const features = [
      { column: 'code', separator: '|', skip: 1 },
      { column: 'more', separator: '|' },
    ];
    const { vehicles } = await outcomeOf(await profileOf({ features }), {
      code: 'AUV1|Tow Bar',
      more: 'Canopy',
    });
    expect(vehicles[0]?.features).toEqual(['Tow Bar', 'Canopy']);
  });
});

test('a word that the profile translates to nothing leaves its field out and is not counted as unknown', async () => {
  const profile = await profileOf({ driveline: 'drive' }, { vocabulary: { driveline: { OTHER: '' } } });
  const { vehicles, wordsKept } = await outcomeOf(profile, { drive: 'Other' });
  expect(vehicles[0]).not.toHaveProperty('driveline');
  expect(wordsKept.size).toBe(0);
});

describe('the kind of vehicle out of two columns', () => {
  test.each([
    ['OTHER', 'SUV', 'car'],
    ['MOTORCYCLE', 'SUV', 'motorcycle'],
    ['', 'Sedan', 'car'],
    ['OTHER', '', 'other'],
    ['OTHER', 'Hovercraft', 'other'],
  ])('%j and %j is %s', async (type, body, expected) => {
    const profile = await profileOf({ vehicle_type: ['kind', 'body'] });
    const { vehicles } = await outcomeOf(profile, { kind: type, body });
    expect(vehicles[0]?.vehicle_type).toBe(expected);
  });
});

test('a profile may not promise nothing for what every listing must say', async () => {
  const builtIn = await writeProfiles({
    case: { reader: 'csv', vocabulary: { condition: { OTHER: '' } }, map: {} },
  });
  const loaded = await loadProfile('case', { builtIn });
  expect(loaded.ok ? [] : loaded.problems.map(({ code }) => code)).toContain('FEED_WORD_NOT_ALLOWED');
});
