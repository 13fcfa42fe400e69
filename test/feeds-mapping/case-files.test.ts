import { describe, expect, test } from 'vitest';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import type { FeedProfile } from '../../src/feeds/profile/feed-profile.ts';
import type { Vehicle } from '../../src/model/vehicle.ts';
import { readCaseText, readManifest, type FeedCase } from './cases.ts';
import { runProfile, shippedProfile, valueOf, writeProfiles, type Outcome } from './run-profile.ts';

const manifest = await readManifest();

const TOP_LEVEL_KEYS = ['extends', 'never_publish', 'mode', 'action'];

/** A manifest mapping as a profile: fields go under `map`, the rest stays at the top. */
function profileOf(feedCase: FeedCase): Record<string, unknown> {
  const mapping = mappingOf(feedCase);
  const { map, ...top } = splitMapping(mapping);
  const record = feedCase.record_path?.split(' ')[0];
  const quote = feedCase.quoting?.startsWith('none') === true ? { quote: 'none' } : {};
  return {
    ...top,
    reader: record === undefined ? 'csv' : 'xml',
    options: record === undefined ? quote : { record },
    map,
  };
}

function mappingOf({ mapping }: FeedCase): Record<string, unknown> {
  const written = typeof mapping === 'string' ? manifest.mappings[mapping] : mapping;
  if (written === undefined) throw new Error('a case without mapping');
  return written;
}

function splitMapping(mapping: Record<string, unknown>) {
  const entries = Object.entries(mapping);
  const map = Object.fromEntries(entries.filter(([key]) => !TOP_LEVEL_KEYS.includes(key)));
  return { ...Object.fromEntries(entries.filter(([key]) => TOP_LEVEL_KEYS.includes(key))), map };
}

async function loadCaseProfile(feedCase: FeedCase): Promise<FeedProfile> {
  const builtIn = await writeProfiles({
    case: profileOf(feedCase),
    QMAP: { reader: 'csv', map: manifest.mappings.QMAP },
  });
  return valueOf(await loadProfile('case', { builtIn }));
}

async function outcomeOf(feedCase: FeedCase, profile: FeedProfile): Promise<Outcome> {
  const rooftop = { kind: 'column' as const, otherwise: feedCase.locked_rooftop ?? 'HPM01' };
  return runProfile(profile, await readCaseText(feedCase), { rooftop });
}

/** The manifest looks some rows up by stock although their VIN is sound: the key may be either. */
function keysOf(outcome: Outcome, row: number, key: string): string[] {
  const checked = outcome.checked.find((each) => each.row === row);
  const stock = checked?.kind === 'accepted' ? checked.staged.vehicle.stock : undefined;
  return [key, ...(stock === undefined ? [] : [stock])];
}

function compare(feedCase: FeedCase, outcome: Outcome): void {
  const { expected, samples = [] } = feedCase;
  expect(outcome.checked).toHaveLength(feedCase.rows);

  // Rows of the same vehicle are told apart by the inventory, after these steps.
  const acceptedKeys = expected.accepted_keys ?? [];
  const accepted = outcome.checked.filter(({ kind }) => kind === 'accepted');
  for (const key of acceptedKeys) {
    expect(
      accepted.some((each) => keysOf(outcome, each.row, each.key).includes(key)),
      key,
    ).toBe(true);
  }
  const rejections = (expected.rejections ?? []).filter(({ reason }) => reason !== 'duplicate_vin');
  expect(accepted).toHaveLength(feedCase.rows - rejections.length);
  expect(outcome.rejections.map(({ row, reason }) => ({ row, reason }))).toEqual(
    rejections.map(({ row, reason }) => ({ row, reason })),
  );
  if (!feedCase.file.startsWith('DVD')) {
    expect(outcome.rejections.map(({ key }) => key)).toEqual(rejections.map(({ key }) => key));
  }

  const warnings = (expected.warnings ?? []).filter(({ code }) => code !== 'duplicate_stock');
  expect(outcome.warnings.map(({ row, code }) => ({ row, code }))).toEqual(
    warnings.map(({ row, code }) => ({ row, code })),
  );
  for (const [index, { row, key }] of warnings.entries()) {
    expect(keysOf(outcome, row, outcome.warnings[index]?.key ?? '')).toContain(key);
  }

  for (const sample of samples) {
    const vehicle = outcome.vehicles.findLast((each) => matches(each, sample.key));
    expect(vehicle).toMatchObject(sample.vehicle);
    for (const field of sample.absent ?? []) expect(vehicle).not.toHaveProperty(field);
  }
}

function matches(vehicle: Vehicle, key: Partial<Vehicle>): boolean {
  return Object.entries(key).every(([field, value]) => vehicle[field as keyof Vehicle] === value);
}

const readable = manifest.files.filter(
  ({ expected, container, file }) =>
    expected.file === 'accepted' &&
    container === undefined &&
    file !== 'carscom-images.txt' &&
    !file.endsWith('columns-renamed.csv'),
);

/** Photos in a second file belong to a profile that is not there yet. */
const withoutCompanionFile = readable.filter(({ file }) => file !== 'carscom-vehicles.txt');

describe('a profile written from the manifest', () => {
  test.each(withoutCompanionFile.map((feedCase) => [feedCase.file, feedCase] as const))(
    'takes %s',
    async (_, feedCase) => {
      compare(feedCase, await outcomeOf(feedCase, await loadCaseProfile(feedCase)));
    },
  );
});

const SHIPPED: Record<string, string> = {
  'homenet-iol.csv': 'homenet',
  'homenet-iol-group.txt': 'homenet',
  'vauto.csv': 'vauto',
  'google-vehicle-listings.csv': 'google',
  'cdk-inventory-extract.xml': 'cdk',
  'meta-vehicles.xml': 'meta-xml',
  'dealerspike-powersports.xml': 'dealerspike',
};

describe('a shipped profile', () => {
  test.each(Object.entries(SHIPPED))('takes %s as %s', async (file, name) => {
    const feedCase = manifest.files.find((each) => each.file === file);
    if (feedCase === undefined) throw new Error(`no case ${file}`);
    compare(feedCase, await outcomeOf(feedCase, await shippedProfile(name)));
  });

  const quirks = readable.filter(({ mapping }) => mapping === 'QMAP');
  test.each(quirks.map((feedCase) => [feedCase.file, feedCase] as const))(
    'homenet takes %s',
    async (_, feedCase) => {
      compare(feedCase, await outcomeOf(feedCase, await shippedProfile('homenet')));
    },
  );

  test('homenet takes a file with the other spellings of its columns', async () => {
    const feedCase = manifest.files.find(({ file }) => file.endsWith('columns-renamed.csv'));
    if (feedCase === undefined) throw new Error('no case columns-renamed');
    compare(feedCase, await outcomeOf(feedCase, await shippedProfile('homenet')));
  });
});
