import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { columnUse } from '../../src/feeds/profile/column-use.ts';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import { loadVocabularies } from '../../src/feeds/profile/vocabulary.ts';
import { describeProblem } from '../../src/model/problem.ts';
import { shippedProfile, SHIPPED_PROFILES, valueOf, writeProfiles } from './run-profile.ts';

const SOUND = `reader: csv
map:
  vin: VIN
  stock: Stock
  year: Year
  make: Make
  model: Model
  condition: { column: Type, certified: Certified }
  list_price: Price
`;

async function faultsOf(text: string, others: Record<string, string> = {}): Promise<string[]> {
  const builtIn = await writeProfiles({ case: text, ...others });
  const loaded = await loadProfile('case', { builtIn });
  return loaded.ok ? [] : loaded.problems.map(describeProblem);
}

describe('a profile is refused with line, column and what to do', () => {
  test('every unknown key at once, with what was meant', async () => {
    const faults = await faultsOf(`reder: csv
map:
  vin: VIN
  yaer: Year
  condition: { colum: Type }
  mileage: { column: Miles, uint: km }
`);
    expect(faults).toEqual([
      'case.yaml:1:1 reder: unknown key "reder"; did you mean "reader"?',
      'case.yaml:4:3 map.yaer: unknown key "yaer"; did you mean "year"?',
      'case.yaml:5:3 map.condition: needs one of column, path, constant',
      'case.yaml:5:16 map.condition.colum: unknown key "colum"; did you mean "column"?',
      'case.yaml:6:29 map.mileage.uint: unknown key "uint"; did you mean "unit"?',
    ]);
  });

  test('what must stay inside the dealership can not be mapped, wherever it hides', async () => {
    const faults = await faultsOf(`${SOUND}  msrp: Invoice
  price: [AllIn, Misc_Price1]
  other_attributes:
    wheel_count: Wheel Count
    paid: { column: Floorplan Balance }
  photos: [{ column: images/* }, { column: dealer/Lead_Email }]
`);
    expect(faults.map((fault) => fault.split(' holds')[0])).toEqual([
      'case.yaml:10:3 map.msrp: the column "Invoice"',
      'case.yaml:11:18 map.price[1]: the column "Misc_Price1"',
      'case.yaml:14:13 map.other_attributes.paid.column: the column "Floorplan Balance"',
      'case.yaml:15:36 map.photos[1].column: the column "dealer/Lead_Email"',
    ]);
  });

  test('words, formats, units and flags that can not work', async () => {
    const faults = await faultsOf(`reader: csv
map:
  vin: VIN
  year: Year
  make: Make
  model: Model
  condition: Is New
  status: { column: Status, values: { A: avaliable } }
  vehicle_type: { constant: boat }
  inventory_date: { column: Date, format: MM/YYYY }
  mileage: { column: Miles, unit: { constant: leagues } }
  fees: [{ name: Doc fee, column: A }, { name: doc fee, column: B }]
vocabulary:
  condition: { B: brandnew }
`);
    expect(faults.map((fault) => fault.split(':').slice(1, 3).join(':'))).toEqual([
      '7:3 map.condition',
      '8:39 map.status.values.A',
      '9:19 map.vehicle_type.constant',
      '10:35 map.inventory_date.format',
      '11:37 map.mileage.unit.constant',
      '12:40 map.fees[1]',
      '14:16 vocabulary.condition.B',
    ]);
    expect(faults.find((fault) => fault.includes('map.condition:'))).toContain('new_values');
  });

  test('when a listing could never come of it', async () => {
    expect(await faultsOf('map:\n  make: Make\n')).toEqual([
      expect.stringContaining('no reader is named'),
      expect.stringContaining('nothing tells which vehicle a row is'),
      expect.stringContaining('the field year is not mapped'),
      expect.stringContaining('the field model is not mapped'),
      expect.stringContaining('the field condition is not mapped'),
    ]);
  });

  test('when a mapped column is excluded by never_publish', async () => {
    expect(await faultsOf(`${SOUND}never_publish: [PRICE]\n`)).toEqual([
      expect.stringMatching(/^case\.yaml:9:3 map\.list_price: the column "Price" is mapped here and listed/),
    ]);
  });
});

describe('finding and extending', () => {
  test('a misspelt name is told with the near one', async () => {
    const loaded = await loadProfile('homnet', { builtIn: SHIPPED_PROFILES });
    expect(loaded.ok ? [] : loaded.problems.map(({ message }) => message)).toEqual([
      'no profile "homnet"; did you mean "homenet"?',
    ]);
  });

  test("the dealer's own profile wins over a shipped one of the same name", async () => {
    const own = await writeProfiles({ homenet: SOUND });
    const profile = valueOf(await loadProfile('homenet', { builtIn: SHIPPED_PROFILES, own }));
    expect(profile.file).toBe(path.join(own, 'homenet.yaml'));
  });

  test('a profile adds to another, by name or by path, and takes away with null', async () => {
    const folder = await writeProfiles({
      base: `${SOUND}never_publish: [A]\noptions: { quote: none, header: true }\n`,
    });
    await mkdir(path.join(folder, 'mine'));
    const file = path.join(folder, 'mine', 'delta.yaml');
    await writeFile(
      file,
      "extends: ../base.yaml\nmode: delta\naction: Action\noptions: { quote: '\"' }\nnever_publish: [B]\nmap: { price: AllIn, stock: null }\n",
    );
    const profile = valueOf(await loadProfile(file, { builtIn: folder }));
    expect(profile).toMatchObject({
      reader: 'csv',
      mode: 'delta',
      action: { column: 'Action' },
      options: { quote: '"', header: true },
      never_publish: ['A', 'B'],
      map: { vin: 'VIN', price: 'AllIn', list_price: 'Price' },
      required: [['vin'], ['year'], ['make'], ['model'], ['condition']],
    });
    expect(profile.map).not.toHaveProperty('stock');
  });

  test('a circle is refused', async () => {
    const faults = await faultsOf('extends: other\n', { other: 'extends: case\n' });
    expect(faults).toEqual([expect.stringContaining('case.yaml > other.yaml > case.yaml')]);
  });
});

describe('the columns of a file', () => {
  test('missing ones are named as the profile names them', async () => {
    const profile = await shippedProfile('homenet');
    expect(columnUse(profile, ['Vehicle Number', 'YEAR', 'Make', 'Model', 'Type']).missing).toEqual([
      'VIN or VIN # or VIN Number',
    ]);
    expect(columnUse(profile, ['vin', 'year', 'make', 'model', 'Condition']).missing).toEqual([
      'Type or New/Used',
    ]);
    const own = await shippedProfile('aap');
    expect(columnUse(own, ['stock', 'year', 'make', 'model', 'condition']).missing).toEqual([]);
    expect(columnUse(own, ['year', 'make', 'model', 'condition']).missing).toEqual([
      'vin or stock or vehicle_id',
    ]);
  });

  test('a constant needs no column, a wildcard finds its own', async () => {
    const builtIn = await writeProfiles({
      case: `${SOUND.replace('{ column: Type, certified: Certified }', '{ constant: used }')}  photos: images/*\n`,
    });
    const profile = valueOf(await loadProfile('case', { builtIn }));
    expect(columnUse(profile, ['VIN', 'Year', 'Make', 'Model', 'images/Image1', 'extra'])).toMatchObject({
      missing: [],
      unused: ['extra'],
    });
  });

  test('private columns are not even listed', async () => {
    const columns = ['VIN', 'Other Price', 'Dlr Accessories', 'Cost', 'Lead Email', 'Color'];
    expect(columnUse(await shippedProfile('vauto'), columns).unused).toEqual(['Other Price']);
  });
});

test('every shipped profile loads and says what is known of its format', async () => {
  for (const name of ['aap', 'cdk', 'google', 'homenet', 'vauto']) {
    const profile = await shippedProfile(name);
    expect(profile.description.length, name).toBeGreaterThan(200);
  }
});

test('a vocabulary with faults is refused as a whole', async () => {
  const folder = await writeProfiles({
    condition: 'field: condition\nwords:\n  new: [n]\n  brandnew: [bn]\n  used: [u, N]\n',
    fuel: 'field: fule\nwords: {}\n',
  });
  const loaded = await loadVocabularies(folder);
  expect(loaded.ok ? [] : loaded.problems.map(describeProblem)).toEqual([
    expect.stringContaining('condition.yaml:4:3 words.brandnew: "brandnew" is not one of new, used, cpo'),
    expect.stringContaining('condition.yaml:5:13 words.used[1]: the word "N" already means new'),
    expect.stringContaining('fuel.yaml:1:1 field: must be one of'),
    expect.stringContaining('fuel.yaml:2:1 words'),
  ]);
});
