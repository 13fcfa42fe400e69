import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { compileProfile } from '../../src/feeds/mapping/map.ts';
import { columnUse } from '../../src/feeds/profile/column-use.ts';
import { caseNamed, type CaseFile } from '../feeds-intake/case-files.ts';
import { runProfile, shippedProfile, SHIPPED_PROFILES, VOCABULARIES } from '../feeds-mapping/run-profile.ts';
import { CASES, preview, SAMPLES } from './format-preview.ts';

/** What vehicles cost and where leads go, as the samples have it. */
const SECRETS: Record<string, string[]> = {
  'dealervault.csv': ['36011', '19870', '29950', '12100'],
  'autoxloo.csv': ['33100', '32444', '34555', '29444'],
  'cargurus.csv': ['leads-hpm01', 'leads-cra02', 'leads-lpo03'],
};

describe.each(Object.entries(SECRETS))('the sample %s', (sample, secrets) => {
  it('gives nothing away that must stay inside the dealership', async () => {
    const result = await preview(path.join(SAMPLES, sample), path.parse(sample).name);
    expect(result.accepted).toBeGreaterThan(2);
    for (const secret of secrets) expect(JSON.stringify(result)).not.toContain(secret);
  });
});

describe.each(['dms14.csv', 'dms14-named.csv', 'cox-au.csv'])('the sample %s', (sample) => {
  it('has prices in another currency, so no vehicle has any, even where the feed claims all-in prices', async () => {
    const profile = path.parse(sample).name;
    for (const basis of [undefined, 'all_in', 'base_plus_fees'] as const) {
      const { vehicles } = await preview(path.join(SAMPLES, sample), profile, 'HPM01', basis);
      expect(vehicles).toHaveLength(3);
      for (const vehicle of vehicles) {
        expect(vehicle).not.toHaveProperty('list_price');
        expect(vehicle).not.toHaveProperty('price');
        expect(vehicle).not.toHaveProperty('msrp');
      }
    }
  });
});

describe('a DealerVault file with the columns alone that are certain', () => {
  const HEAD =
    'DV Dealer ID,Vendor Dealer ID,Location,Vehicle Status,Vehicle Type,VIN,Make,Model,Vehicle Style,Cost,Internet Price';
  const tabs = (line: string) => `${line.replaceAll(',', '\t')}\n`;
  const row = (vin: string) => tabs(`DVD00002,DVD00002,Main,A,U,${vin},TESLA,MODEL 3,4D,30000,34990`);

  it('brings the vehicles whose VIN tells their year, and refuses the others', async () => {
    const profile = await shippedProfile('dealervault');
    const text = `${tabs(HEAD)}${row('5YJ3E1EB1NFA90110')}${row('1M8GDM9AXKP042788')}${row('5YJ3E1EB2NFA90110')}`;
    const { vehicles, rejections } = await runProfile(profile, text);
    expect(vehicles).toMatchObject([{ vin: '5YJ3E1EB1NFA90110', year: 2022, list_price: 34_990 }]);
    expect(rejections.map(({ row: place, reason }) => [place, reason])).toEqual([
      [2, 'missing_required'],
      [3, 'missing_required'],
    ]);
  });

  it('lacks no column that is required', async () => {
    expect(columnUse(await shippedProfile('dealervault'), HEAD.split(',')).missing).toEqual([]);
  });
});

describe('a UK file that is read by place', () => {
  it('may bring its header line', async () => {
    const profile = await shippedProfile('dms14');
    const header = (profile.options.columns as string[]).join(',');
    const row =
      'CRA02,UK-7,48211,Ford,Puma,1.0 ST-Line 5dr,2022,16995,ZZ22 TST,19800,,,Grey,Petrol,SUV,5,999,Manual,N';
    const { checked, vehicles } = await runProfile(profile, `${header}\n${row}\n`);
    expect(checked).toHaveLength(1);
    expect(vehicles).toMatchObject([{ dealer_id: 'CRA02', stock: 'UK-7', model: 'Puma', condition: 'used' }]);
  });
});

describe('Google vehicle ads', () => {
  it('keep a price below all-in when the disclaimer names a fee, whatever the feed claims', async () => {
    const sample = path.join(SAMPLES, 'google-vehicle-ads.tsv');
    const { vehicles } = await preview(sample, 'google-vehicle-ads', 'HPM01', 'all_in');
    expect(vehicles.map(({ list_price: listPrice, price }) => [listPrice, price])).toEqual([
      [31_245, undefined],
      [38_450, 38_450],
      [undefined, undefined],
    ]);
  });
});

describe('every shipped profile', async () => {
  const names = (await readdir(SHIPPED_PROFILES)).map((file) => path.parse(file).name);

  it.each(names)('%s loads and says what it is', async (name) => {
    const profile = await shippedProfile(name);
    expect(profile.description.length).toBeGreaterThan(100);
    expect(() => compileProfile(profile, VOCABULARIES)).not.toThrow();
  });
});

/** Case files of these formats come out as the manifest says. */
describe.each([
  ['cargurus.csv', 'cargurus'],
  ['frazer-dealercarsearch.csv', 'frazer'],
  ['DVD00002_20260916_0808_INV.csv', 'dealervault'],
  ['pipe-flags.txt', 'unityworks'],
  ['carscom-vehicles.txt', 'carscom'],
])('the case file %s with the profile %s', (file, profile) => {
  it('has the answers of the manifest', async () => {
    const entry = caseNamed(file);
    const result = await preview(path.join(CASES, file), profile, entry.locked_rooftop);
    expect(result.file.status).toBe('accepted');
    expect(result.rows).toBe(entry.rows);
    expect(result.vehicles.map(({ vin }) => vin)).toEqual(entry.expected.accepted_keys);
    expect(result.rejections.map(({ row, code }) => ({ row, code }))).toEqual(
      (entry.expected.rejections ?? []).map(({ row, reason }) => ({ row, code: reason })),
    );
    expect(result.warnings).toEqual([]);
    for (const { key, vehicle, absent = [] } of samplesOf(entry)) {
      const found = result.vehicles.find(({ vin }) => vin === key.vin);
      expect(found).toMatchObject(vehicle);
      for (const field of absent) expect(found).not.toHaveProperty(field);
    }
  });
});

/** The second file of photos is not joined. */
function samplesOf({ file, samples = [] }: CaseFile): NonNullable<CaseFile['samples']> {
  if (file !== 'carscom-vehicles.txt') return samples;
  return samples.map((sample) => {
    const vehicle = { ...sample.vehicle };
    delete vehicle.photos;
    return { ...sample, vehicle, absent: ['photos'] };
  });
}
