import { describe, expect, test } from 'vitest';
import { checkRow, checkSettings } from '../../src/feeds/checking/check.ts';
import type { FeedProfile } from '../../src/feeds/profile/feed-profile.ts';
import { brokenRule } from '../../src/feeds/checking/listing-rules.ts';
import { compileProfile } from '../../src/feeds/mapping/map.ts';
import { explain } from '../../src/feeds/problems.ts';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';
import { readCaseText, readManifest } from './cases.ts';
import {
  rooftop,
  ROOFTOPS,
  runProfile,
  shippedProfile,
  valueOf,
  VOCABULARIES,
  writeProfiles,
} from './run-profile.ts';

async function profileOf(
  map: Record<string, unknown>,
  top: Record<string, unknown> = {},
): Promise<FeedProfile> {
  const builtIn = await writeProfiles({ case: { reader: 'csv', ...top, map: { ...BASE_MAP, ...map } } });
  return valueOf(await loadProfile('case', { builtIn }));
}

const BASE_MAP = {
  vin: 'VIN',
  stock: 'Stock',
  year: 'Year',
  make: 'Make',
  model: 'Model',
  condition: 'Type',
};
const CAR = {
  VIN: '1FTFW5L82TFA90101',
  Stock: 'S1',
  Year: '2026',
  Make: 'Ford',
  Model: 'F-150',
  Type: 'New',
};

function csv(...rows: Record<string, string>[]): string {
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const line = (cells: string[]) => cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',');
  return [line(header), ...rows.map((row) => line(header.map((name) => row[name] ?? '')))].join('\n') + '\n';
}

async function vehicleOf(
  map: Record<string, unknown>,
  cells: Record<string, string>,
  top = {},
): Promise<Vehicle> {
  const outcome = await runProfile(await profileOf(map, top), csv({ ...CAR, ...cells }));
  const [vehicle] = outcome.vehicles;
  if (vehicle === undefined) throw new Error(JSON.stringify(outcome.rejections));
  return vehicle;
}

describe('the aap profile', () => {
  test('takes every field of a car', async () => {
    const row = {
      dealer_id: 'CRA02',
      vin: '1HGCY2F57RA000001',
      stock: 'T12345',
      vehicle_id: 'veh_1',
      year: '2024',
      make: 'HONDA',
      model: 'Accord',
      trim: 'EX-L',
      body: '4D Sedan',
      condition: 'Certified Pre-Owned',
      status: 'In Transit',
      msrp: '32,500',
      list_price: '$27,495.50',
      price: '$28,000.01',
      fees: 'Documentation fee:499.50|Prep:0',
      mileage: '12,345',
      transmission: 'Automatic Transmission',
      driveline: 'Front Wheel Drive',
      engine: '1.5L I4 Turbo',
      displacement_cc: '1498',
      fuel: 'Gasoline Hybrid',
      city_mpg: '29',
      highway_mpg: '37',
      electric_range_mi: '0',
      battery_kwh: '1.1',
      motor_power_hp: '181.5',
      dc_fast_charge: 'no',
      charge_port: 'SAE J1772',
      exterior_color: 'Crystal Black',
      interior_color: 'Gray',
      features: 'Moonroof|Heated Seats',
      photos: 'https://img.example.com/1.jpg|https://img.example.com/2.jpg',
      vdp_url: 'https://www.example.com/T12345',
      description: 'One owner.<br>Clean.',
      notes: 'Two keys',
      other_attributes: 'wheel_count=4|final_drive=shaft|cost=23000',
      inventory_date: '2026-04-01',
    };
    const outcome = await runProfile(await shippedProfile('aap'), csv(row));
    expect(outcome.vehicles).toEqual([
      {
        dealer_id: 'CRA02',
        rooftop: 'Cedar Ridge Auto Center',
        vin: '1HGCY2F57RA000001',
        stock: 'T12345',
        vehicle_id: 'veh_1',
        year: 2024,
        make: 'Honda',
        model: 'Accord',
        trim: 'EX-L',
        body: 'sedan',
        condition: 'cpo',
        status: 'intransit',
        msrp: 32_500,
        list_price: 27_496,
        price: 28_001,
        fees: [{ name: 'Documentation fee', amount: 500 }],
        mileage: 12_345,
        transmission: 'automatic',
        driveline: 'fwd',
        engine: '1.5L I4 Turbo',
        displacement_cc: 1498,
        fuel: 'hybrid',
        city_mpg: 29,
        highway_mpg: 37,
        battery_kwh: 1.1,
        motor_power_hp: 181.5,
        dc_fast_charge: false,
        charge_port: 'j1772',
        exterior_color: 'Crystal Black',
        interior_color: 'Gray',
        features: ['Moonroof', 'Heated Seats'],
        photos: ['https://img.example.com/1.jpg', 'https://img.example.com/2.jpg'],
        vdp_url: 'https://www.example.com/T12345',
        description: 'One owner.\nClean.',
        notes: 'Two keys',
        other_attributes: { wheel_count: 4, final_drive: 'shaft' },
        inventory_date: '2026-04-01',
      },
    ]);
  });

  test('takes a motorcycle without a VIN, and a boat with its own number', async () => {
    const outcome = await runProfile(
      await shippedProfile('aap'),
      csv(
        {
          ...{
            stock: 'M1',
            vehicle_type: 'Motorcycle',
            year: '2024',
            make: 'harley davidson',
            model: 'Road Glide',
          },
          ...{
            condition: 'new',
            displacement_cc: '1868',
            list_price: '25999',
            dealer_id: 'lakeview  pre-owned',
          },
        },
        {
          stock: 'B1',
          vin: 'SERV1234E515',
          vehicle_type: 'Boat',
          year: '2015',
          make: 'Sea Ray',
          model: 'SLX',
          condition: 'used',
        },
      ),
    );
    expect(outcome.vehicles).toEqual([
      expect.objectContaining({
        ...{ vehicle_type: 'motorcycle', make: 'Harley-Davidson', displacement_cc: 1868, dealer_id: 'LPO03' },
      }),
      expect.objectContaining({ vehicle_type: 'other', other_attributes: { serial_number: 'SERV1234E515' } }),
    ]);
    expect(outcome.checked.map((row) => (row.kind === 'accepted' ? row.staged.identity : row.kind))).toEqual([
      'stock:M1',
      'stock:B1',
    ]);
    expect(outcome.warnings.map(({ code }) => code)).toEqual([
      'vin_missing',
      'vin_not_iso_moved',
      'price_missing',
    ]);
  });

  test('takes the price column for what the field is: all-in', async () => {
    const row = { ...CAR, condition: 'new', Type: '', list_price: '', price: '30000' };
    const rows = csv({
      vin: row.VIN,
      year: '2026',
      make: 'Ford',
      model: 'F-150',
      condition: 'new',
      price: '30000',
    });
    const attested = await runProfile(await shippedProfile('aap'), rows);
    expect(attested.vehicles[0]).toMatchObject({ price: 30_000 });
    expect(attested.vehicles[0]).not.toHaveProperty('list_price');
    const base = await runProfile(await shippedProfile('aap'), rows, { price_basis: 'base' });
    expect(base.vehicles[0]).toMatchObject({ list_price: 30_000 });
    expect(base.vehicles[0]).not.toHaveProperty('price');
  });
});

describe('prices', () => {
  const map = { list_price: ['Internet', 'Selling'] };

  test('blank and zero hand on to the next column, "call" does not', async () => {
    expect(await vehicleOf(map, { Internet: '0', Selling: '30000' })).toMatchObject({ list_price: 30_000 });
    expect(await vehicleOf(map, { Internet: '', Selling: '30000' })).toMatchObject({ list_price: 30_000 });
    expect(await vehicleOf(map, { Internet: 'Call', Selling: '30000' })).not.toHaveProperty('list_price');
  });

  test('an all-in column becomes price too, rounded up', async () => {
    const vehicle = await vehicleOf(map, { Internet: '31,995.49' }, { price_basis: 'all_in' });
    expect(vehicle).toMatchObject({ list_price: 31_995, price: 31_996 });
  });

  test("base_plus_fees adds the rooftop's complete schedule to the exact amount", async () => {
    const profile = await profileOf(map);
    const fees = [
      { name: 'Documentation fee', amount: 389 },
      { name: 'Prep', amount: 100 },
    ];
    const withFees = {
      ...rooftop('HPM01', 'Harbor Point Motors'),
      profile: { name: 'Harbor Point Motors', fees },
    };
    const text = csv({ ...CAR, Internet: '31,995.49' });
    const rules = { price_basis: 'base_plus_fees' as const };
    const priced = await runProfile(profile, text, rules, [withFees]);
    expect(priced.vehicles[0]).toMatchObject({ list_price: 31_995, price: 32_485, fees });

    const none = { ...withFees, profile: { name: 'Harbor Point Motors', fees: [] } };
    const free = await runProfile(profile, text, rules, [none]);
    expect(free.vehicles[0]).toMatchObject({ list_price: 31_995, price: 31_996, fees: [] });

    const silent = await runProfile(profile, text, rules, [rooftop('HPM01', 'Harbor Point Motors')]);
    expect(silent.vehicles[0]).toMatchObject({ list_price: 31_995 });
    expect(silent.vehicles[0]).not.toHaveProperty('price');
    expect(silent.warnings.map(({ code }) => code)).toEqual(['fee_schedule_missing']);
  });

  test('a disclaimer that leaves a fee out forbids an all-in price, whoever attests it', async () => {
    const manifest = await readManifest();
    const feedCase = manifest.files.find(({ file }) => file === 'google-vehicle-listings.csv');
    if (feedCase === undefined) throw new Error('no google case');
    const outcome = await runProfile(await shippedProfile('google'), await readCaseText(feedCase), {
      price_basis: 'all_in',
    });
    expect(outcome.vehicles).toHaveLength(26);
    expect(outcome.vehicles.filter((vehicle) => 'price' in vehicle)).toEqual([]);
    expect(outcome.vehicles.every((vehicle) => vehicle.list_price !== undefined)).toBe(true);
    expect(new Set(outcome.warnings.map(({ code }) => code))).toEqual(new Set(['price_excludes_fees']));
  });

  test('bounds are those of the profile', async () => {
    const top = { price_bounds: { lowest: 5000 } };
    expect(await vehicleOf(map, { Internet: '4999' }, top)).not.toHaveProperty('list_price');
    expect(await vehicleOf(map, { Internet: '5000' }, top)).toMatchObject({ list_price: 5000 });
  });
});

test('no secret value gets into a vehicle, whatever the profile lets through', async () => {
  const manifest = await readManifest();
  const feedCase = manifest.files.find(({ file }) => file === 'quirks/cost-leak.csv');
  if (feedCase === undefined) throw new Error('no cost-leak case');
  const builtIn = await writeProfiles({
    case: { extends: 'homenet', map: { other_attributes: { wheel_count: 'Wheel Count', everything: '*' } } },
  });
  const profile = valueOf(
    await loadProfile('case', {
      builtIn,
      own: new URL('../../adapters/feeds/profiles', import.meta.url).pathname,
    }),
  );
  const outcome = await runProfile(profile, await readCaseText(feedCase));
  const text = JSON.stringify(outcome.checked);
  for (const secret of [
    '11111',
    '22222',
    '"333"',
    '"444"',
    '15555',
    '16666',
    '17777',
    '9911',
    'OWNER-PLACEHOLDER',
    'leads@crm',
  ]) {
    expect(text).not.toContain(secret);
  }
  expect(outcome.vehicles[0]?.other_attributes).toMatchObject({ wheel_count: 4 });
});

describe('rooftops', () => {
  const map = { dealer_id: 'Dealer' };

  test('that are unknown are told with the column, as the file spells it', async () => {
    const profile = await profileOf(map);
    const mapper = compileProfile(profile, VOCABULARIES);
    mapper.spellColumns(['DEALER']);
    const cells = new Map(
      Object.entries({ ...CAR, Dealer: 'Elsewhere' }).map(([k, v]) => [k.toLowerCase(), [v]]),
    );
    const settings = checkSettings({ mode: 'full', rooftop: { kind: 'column' } }, profile, {
      rooftops: ROOFTOPS,
    });
    expect(checkRow(mapper.mapRow({ row: 1, line: 2, cells }), settings)).toMatchObject({
      rejection: { code: 'rooftop_unknown', field: 'DEALER', value: 'Elsewhere' },
    });
  });

  async function kindOf(dealer: string, rule: Parameters<typeof runProfile>[2]): Promise<string> {
    const outcome = await runProfile(await profileOf(map), csv({ ...CAR, Dealer: dealer }), rule);
    return outcome.vehicles[0]?.dealer_id ?? outcome.rejections[0]?.reason ?? '';
  }

  test('are found by id, feed id or name, without case and blanks', async () => {
    const rule = { rooftop: { kind: 'column' as const } };
    expect(await kindOf('hpm 01', rule)).toBe('HPM01');
    expect(await kindOf('dvd00002', rule)).toBe('CRA02');
    expect(await kindOf('LAKEVIEW PRE-OWNED', rule)).toBe('LPO03');
    expect(await kindOf('Elsewhere Motors', rule)).toBe('rooftop_unknown');
    expect(await kindOf('', rule)).toBe('rooftop_unknown');
    expect(await kindOf('', { rooftop: { kind: 'column', otherwise: 'CRA02' } })).toBe('CRA02');
  });

  test('of a fixed feed are cross-checked', async () => {
    const rule = { rooftop: { kind: 'fixed' as const, id: 'HPM01' } };
    expect(await kindOf('', rule)).toBe('HPM01');
    expect(await kindOf('Harbor Point Motors of Port Example', rule)).toBe('HPM01');
    expect(await kindOf('CRA02', rule)).toBe('rooftop_mismatch');
  });
});

describe('delta feeds', () => {
  const rows = csv(
    { Action: 'D', VIN: CAR.VIN },
    { Action: 'delete', Stock: 'u2005' },
    { ...CAR, Action: 'U' },
    { ...CAR, Action: 'zap' },
    { Action: 'D' },
  );

  test('take vehicles off the lot by identity', async () => {
    const profile = await profileOf({}, { action: 'Action', mode: 'delta' });
    const outcome = await runProfile(profile, rows);
    expect(outcome.checked.map((row) => (row.kind === 'removal' ? row.removal.identity : row.kind))).toEqual([
      ...['vin:1FTFW5L82TFA90101', 'stock:U2005', 'accepted', 'rejected', 'rejected'],
    ]);
    expect(outcome.rejections.map(({ reason }) => reason)).toEqual([
      ...['delta_delete', 'delta_delete', 'action_unknown', 'no_identity'],
    ]);
  });

  test('read as full files leave such rows out', async () => {
    const outcome = await runProfile(await profileOf({}, { action: 'Action' }), rows);
    expect(outcome.checked.filter(({ kind }) => kind === 'removal')).toEqual([]);
    expect(outcome.rejections.filter(({ reason }) => reason === 'delta_delete')).toHaveLength(2);
  });
});

describe('rows that can not be published', () => {
  async function reasonOf(
    map: Record<string, unknown>,
    cells: Record<string, string>,
  ): Promise<string | undefined> {
    return (await runProfile(await profileOf(map), csv({ ...CAR, ...cells }))).rejections[0]?.reason;
  }

  test('fail closed on condition and status', async () => {
    expect(await reasonOf({}, { Type: 'Excellent' })).toBe('condition_unknown');
    expect(await reasonOf({}, { Type: '' })).toBe('condition_unknown');
    expect(await reasonOf({ status: 'Status' }, { Status: 'Sold' })).toBe('status_out_of_stock');
    expect(await reasonOf({ status: 'Status' }, { Status: 'NOT_AVAILABLE' })).toBe('status_out_of_stock');
    expect(await reasonOf({ status: 'Status' }, { Status: 'Zombie' })).toBe('status_unknown');
    expect(await reasonOf({ status: 'Status' }, { Status: '' })).toBeUndefined();
  });

  test('name what is missing with column and text', async () => {
    const outcome = await runProfile(await profileOf({}), csv({ ...CAR, Year: 'MY26' }));
    const [row] = outcome.checked;
    expect(row?.kind === 'rejected' ? row.rejection : undefined).toEqual({
      ...{ code: 'missing_required', field: 'Year', value: 'MY26', detail: 'year' },
    });
  });

  test('name columns as the file spells them', async () => {
    const outcome = await runProfile(
      await profileOf({}),
      csv({ ...CAR, VIN: 'BAD' }).replace('"VIN"', '"v_i_n"'),
    );
    const [row] = outcome.checked;
    expect(row?.kind === 'rejected' ? row.rejection.field : undefined).toBe('v_i_n');
  });

  test('keep their key when the reader has refused them', async () => {
    const mapper = compileProfile(await profileOf({}), VOCABULARIES);
    const cells = new Map([['vin', [CAR.VIN]]]);
    const mapped = mapper.mapRow({
      row: 7,
      line: 9,
      cells,
      rejection: { code: 'row_too_long', detail: '19 fields' },
    });
    expect(mapped).toMatchObject({
      row: 7,
      line: 9,
      key: CAR.VIN,
      rejection: { code: 'row_too_long', detail: '19 fields' },
    });
  });

  test('are stopped by the last check even when a mapping is wrong', () => {
    const sound: Vehicle = { condition: 'new', status: 'available', year: 2026, vin: CAR.VIN };
    expect(brokenRule(sound)).toBeUndefined();
    const broken: [Partial<Vehicle>, string][] = [
      [{ condition: 'good' }, 'condition'],
      [{ year: 2101 }, 'year'],
      [{ vin: 'short' }, 'vin'],
      [{ price: 0 }, 'price'],
      [{ list_price: 1.5 }, 'list_price'],
      [{ mileage: -1 }, 'mileage'],
      [{ battery_kwh: Number.NaN }, 'battery_kwh'],
      [{ photos: ['/a.jpg'] }, 'photos'],
      [{ vdp_url: 'javascript:alert(1)' }, 'vdp_url'],
      [{ inventory_date: '08/03/2026' }, 'inventory_date'],
      [
        {
          fees: [
            { name: 'Doc', amount: 1 },
            { name: 'doc', amount: 2 },
          ],
        },
        'fees',
      ],
    ];
    for (const [change, field] of broken) expect(brokenRule({ ...sound, ...change })).toBe(field);
    const settings = checkSettings(
      { mode: 'full', rooftop: { kind: 'fixed', id: 'HPM01' } },
      {},
      { rooftops: ROOFTOPS },
    );
    const mapped = { row: 1, line: 2, key: '', vehicle: { ...sound, mileage: -1 }, warnings: [] };
    expect(checkRow(mapped, settings)).toMatchObject({
      kind: 'rejected',
      rejection: { code: 'listing_invalid', detail: 'mileage' },
    });
  });
});

describe('words', () => {
  const map = {
    body: 'Body',
    fuel: 'Fuel',
    driveline: 'Drive',
    transmission: 'Trans',
    vehicle_type: 'Kind',
    make: 'Make',
  };

  test('are translated where they are known, kept and counted where not', async () => {
    const outcome = await runProfile(
      await profileOf(map),
      csv(
        {
          ...CAR,
          Make: 'CHEVY',
          Body: 'Sport Utility',
          Fuel: 'PLUGIN_HYBRID',
          Drive: 'FOUR_WD',
          Trans: '10-Speed Automatic',
          Kind: 'car_truck',
        },
        {
          ...CAR,
          Make: 'Acme',
          Body: 'Landaulet',
          Fuel: 'Steam',
          Drive: '4x4',
          Trans: 'Auto',
          Kind: 'Hovercraft',
        },
        { ...CAR, Body: 'Landaulet' },
      ),
    );
    const [known, unknown] = outcome.vehicles;
    expect(known).toMatchObject({
      ...{
        make: 'Chevrolet',
        body: 'suv',
        fuel: 'phev',
        driveline: '4wd',
        transmission: '10-Speed Automatic',
      },
      vehicle_type: 'car',
    });
    expect(unknown).toMatchObject({
      ...{ make: 'Acme', body: 'Landaulet', fuel: 'Steam', driveline: '4wd', transmission: 'automatic' },
      vehicle_type: 'other',
    });
    const counts = Object.fromEntries(
      [...outcome.wordsKept].map(([field, words]) => [field, Object.fromEntries(words)]),
    );
    expect(counts).toEqual({
      ...{ make: { Acme: 1 }, body: { Landaulet: 2 }, fuel: { Steam: 1 }, vehicle_type: { Hovercraft: 1 } },
    });
  });

  test("of the profile come before the general ones, the column's before the profile's", async () => {
    const status = { column: 'Status', values: { A: 'pending' } };
    const top = { vocabulary: { status: { A: 'intransit', Z: 'intransit' } } };
    expect(await vehicleOf({ status }, { Status: 'a' }, top)).toMatchObject({ status: 'pending' });
    expect(await vehicleOf({ status }, { Status: 'z' }, top)).toMatchObject({ status: 'intransit' });
    expect(await vehicleOf({ status }, { Status: 'In Stock' }, top)).toMatchObject({ status: 'available' });
  });
});

test('the content hash changes with the content and with nothing else', async () => {
  const profile = await profileOf({ list_price: 'Price', trim: 'Trim' });
  const hashes = async (text: string) =>
    (await runProfile(profile, text)).checked.map((row) =>
      row.kind === 'accepted' ? row.staged.contentHash : '',
    );
  const [first, other] = await hashes(csv({ ...CAR, Price: '30000' }, { ...CAR, Price: '30001' }));
  expect(first).not.toBe(other);
  const reordered = csv({ Price: '$30,000.00', Unused: 'x', ...CAR });
  expect(await hashes(reordered)).toEqual([first]);
});

test('mileage in hours and unknown units', async () => {
  const map = { mileage: { column: 'Usage', unit: 'Unit' } };
  expect(await vehicleOf(map, { Usage: '62', Unit: 'Hours' })).toMatchObject({
    other_attributes: { engine_hours: 62 },
  });
  expect(await vehicleOf(map, { Usage: '1000', Unit: 'KM' })).toMatchObject({ mileage: 621 });
  const outcome = await runProfile(await profileOf(map), csv({ ...CAR, Usage: '10', Unit: 'furlongs' }));
  expect(outcome.warnings.map(({ code }) => code)).toEqual(['value_invalid']);
  expect(outcome.vehicles[0]).not.toHaveProperty('mileage');
});

test('a code is told in words, with its facts and what to do', () => {
  expect(
    explain('vin_invalid', { field: 'VIN', value: '1GC', detail: '3 characters instead of 17' }),
  ).toEqual({
    message:
      'the VIN is not sound (17 letters and digits without I, O and Q) (VIN "1GC": 3 characters instead of 17)',
    remedy: "Correct it in the dealer's system and export again.",
  });
  expect(explain('a_code_of_a_vendor', { detail: 'why' })).toEqual({ message: 'a code of a vendor (why)' });
  expect(explain('value_invalid', { value: 'x'.repeat(1000) }).message.length).toBeLessThan(200);
});

test('a row that breaks off is told by what is missing, not by its condition', async () => {
  const outcome = await runProfile(
    await profileOf({}),
    csv({ ...CAR, Type: '', Year: '', Make: '', Model: '' }, CAR),
  );
  expect(outcome.rejections).toEqual([{ row: 1, key: CAR.VIN, reason: 'missing_required' }]);
});

test('a photo address in capitals does not cost the vehicle', async () => {
  const photos = { column: 'Photos', separator: ',' };
  const vehicle = await vehicleOf({ photos }, { Photos: 'HTTP://img.example.com/1.JPG' });
  expect(vehicle.photos).toEqual(['http://img.example.com/1.JPG']);
});

test('a missing price is told with a column that the file has', async () => {
  const profile = await profileOf({ list_price: ['Internet_Price', 'SellingPrice'] });
  const mapper = compileProfile(profile, VOCABULARIES);
  const cells = new Map(
    Object.entries({ ...CAR, SellingPrice: '' }).map(([name, text]) => [name.toLowerCase(), [text]]),
  );
  expect(mapper.mapRow({ row: 1, line: 2, cells }).warnings).toMatchObject([
    { code: 'price_missing', field: 'SellingPrice' },
  ]);
});
