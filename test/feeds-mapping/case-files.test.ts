import { expect, test } from 'vitest';
import { describe } from 'vitest';
import { loadProfile } from '../../src/feeds/profile.ts';
import type { FeedProfile } from '../../src/feeds/feed-profile.ts';
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
  if (written === undefined) throw new Error(`no mapping ${String(mapping)}`);
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
    QMAP: { reader: 'csv', map: manifest.mappings['QMAP'] },
  });
  return valueOf(await loadProfile('case', { builtIn }));
}

async function outcomeOf(feedCase: FeedCase, profile: FeedProfile): Promise<Outcome> {
  const rooftop = { kind: 'column' as const, otherwise: feedCase.locked_rooftop ?? 'HPM01' };
  return runProfile(profile, await readCaseText(feedCase), { rooftop });
}

/** Rows of the same vehicle are told apart by the inventory, after these steps. */
function withoutDuplicates(feedCase: FeedCase) {
  return (feedCase.expected.rejections ?? []).filter(({ reason }) => reason !== 'duplicate_vin');
}

function compare(feedCase: FeedCase, outcome: Outcome): void {
  const { expected, samples = [] } = feedCase;
  expect(outcome.checked).toHaveLength(feedCase.rows);
  expect(new Set(outcome.acceptedKeys)).toEqual(new Set(expected.accepted_keys));
  // The manifest looks two sold rows of the DMS file up by stock although their VIN is sound.
  const keysOf = (rows: { row: number; reason: string }[]) => rows.map(({ row, reason }) => `${String(row)} ${reason}`);
  expect(keysOf(outcome.rejections)).toEqual(keysOf(withoutDuplicates(feedCase)));
  if (!feedCase.file.startsWith('DVD')) {
    const named = withoutDuplicates(feedCase).map(({ row, key, reason }) => ({ row, key, reason }));
    expect(outcome.rejections).toEqual(named);
  }
  expect(outcome.warnings).toEqual((expected.warnings ?? []).filter(({ code }) => code !== 'duplicate_stock'));
  for (const sample of samples) {
    const found = outcome.vehicles.filter((vehicle) =>
      Object.entries(sample.key).every(([field, value]) => vehicle[field as keyof typeof vehicle] === value),
    );
    expect(found.map((vehicle) => ({ ...vehicle, ...sample.vehicle }))).toContainEqual(found.at(-1));
    for (const field of sample.absent ?? []) expect(found.at(-1)).not.toHaveProperty(field);
  }
}

const readable = manifest.files.filter(
  ({ expected, container, file }) =>
    expected.file !== 'rejected' && container === undefined && !file.endsWith('columns-renamed.csv'),
);

/** Photos in a second file belong to a profile that is not there yet. */
const withoutCompanionFile = readable.filter(({ file }) => file !== 'carscom-vehicles.txt');

describe('a profile written from the manifest', () => {
  test.each(withoutCompanionFile.map((feedCase) => [feedCase.file, feedCase] as const))('takes %s', async (_, feedCase) => {
    if (feedCase.expected.file === 'held') return;
    compare(feedCase, await outcomeOf(feedCase, await loadCaseProfile(feedCase)));
  });
});

const SHIPPED: Record<string, string> = {
  'homenet-iol.csv': 'homenet',
  'homenet-iol-group.txt': 'homenet',
  'vauto.csv': 'vauto',
  'google-vehicle-listings.csv': 'google',
  'cdk-inventory-extract.xml': 'cdk',
};

describe('a shipped profile', () => {
  test.each(Object.entries(SHIPPED))('takes %s as %s', async (file, name) => {
    const feedCase = manifest.files.find((each) => each.file === file);
    if (feedCase === undefined) throw new Error(`no case ${file}`);
    compare(feedCase, await outcomeOf(feedCase, await shippedProfile(name)));
  });

  const quirks = readable.filter(({ mapping, expected }) => mapping === 'QMAP' && expected.file === 'accepted');
  test.each(quirks.map((feedCase) => [feedCase.file, feedCase] as const))('homenet takes %s', async (_, feedCase) => {
    compare(feedCase, await outcomeOf(feedCase, await shippedProfile('homenet')));
  });

  test('homenet takes a file with the other spellings of its columns', async () => {
    const feedCase = manifest.files.find(({ file }) => file.endsWith('columns-renamed.csv'));
    if (feedCase === undefined) throw new Error('no case columns-renamed');
    compare(feedCase, await outcomeOf(feedCase, await shippedProfile('homenet')));
  });
});
