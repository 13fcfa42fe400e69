import { describe, expect, it } from 'vitest';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import { runProfile, shippedProfile, valueOf, writeProfiles } from './run-profile.ts';

const BASE = { reader: 'csv', mode: 'full', description: 'Own.' };
const MAP = {
  vin: 'vin',
  year: 'year',
  make: 'make',
  model: 'model',
  condition: { column: 'type', certified: 'certified' },
};

async function read(map: object, columns: Record<string, string>) {
  const own = await writeProfiles({ own: { ...BASE, map: { ...MAP, ...map } } });
  const profile = valueOf(await loadProfile('own', { builtIn: own }));
  const cells = {
    vin: '1HGCV1F37LA391007',
    year: '2020',
    make: 'Honda',
    model: 'Accord',
    type: 'Used',
    ...columns,
  };
  const text = `${Object.keys(cells).join('\t')}\n${Object.values(cells).join('\t')}\n`;
  const { vehicles, warnings } = await runProfile(profile, text);
  return { vehicle: vehicles[0], warned: warnings.map(({ code }) => code) };
}

describe('a condition that says certified beside a mark', () => {
  it.each([
    ['CPO', 'False', 'used', ['certified_contradicted']],
    ['Certified', 'No', 'used', ['certified_contradicted']],
    ['CPO', '', 'cpo', []],
    ['CPO', 'N/A', 'cpo', []],
    ['CPO', 'Yes', 'cpo', []],
    ['Used', 'No', 'used', []],
    ['New', 'No', 'new', []],
  ])('%s and %j is %s', async (type, certified, condition, warned) => {
    expect(await read({}, { type, certified })).toMatchObject({ vehicle: { condition }, warned });
  });
});

describe('a stock number from the end of the VIN', () => {
  const stock = { column: 'stock', from_vin: 8 };

  it('stands where the column is blank', async () => {
    expect((await read({ stock }, { stock: '' })).vehicle).toMatchObject({ stock: 'LA391007' });
    expect((await read({ stock }, { stock: 'N/A' })).vehicle).toMatchObject({ stock: 'LA391007' });
  });

  it('does not stand for one that is there, nor for one that cannot be read', async () => {
    expect((await read({ stock }, { stock: 'A7' })).vehicle).toMatchObject({ stock: 'A7' });
    expect((await read({ stock }, { stock: '1.2E+11' })).vehicle).not.toHaveProperty('stock');
  });

  it('is the way of no profile that does not say so', async () => {
    expect((await read({ stock: 'stock' }, { stock: '' })).vehicle).not.toHaveProperty('stock');
    expect((await shippedProfile('dealercenter')).map.stock).toEqual({ column: 'StockNumber', from_vin: 8 });
  });
});

describe('a measure with its unit', () => {
  const map = { battery_kwh: 'kwh', motor_power_hp: 'hp', electric_range_mi: 'range', city_mpg: 'mpg' };

  it('is read where the unit is the one of the field', async () => {
    const { vehicle, warned } = await read(map, {
      kwh: '77.4 kWh',
      hp: '320 hp',
      range: '310 mi',
      mpg: '25 MPG',
    });
    expect(vehicle).toMatchObject({
      battery_kwh: 77.4,
      motor_power_hp: 320,
      electric_range_mi: 310,
      city_mpg: 25,
    });
    expect(warned).toEqual([]);
  });

  it('is left out where it is another one, or the number is beyond all vehicles', async () => {
    const { vehicle, warned } = await read(map, { kwh: '77 Ah', hp: '235 kW', range: '99999', mpg: '500' });
    for (const field of Object.keys(map)) expect(vehicle).not.toHaveProperty(field);
    expect(warned).toEqual(['value_invalid', 'value_invalid', 'value_invalid', 'value_invalid']);
  });
});
