import { fileURLToPath } from 'node:url';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import csvReader from '../../adapters/feeds/csv/adapter.ts';
import xmlReader from '../../adapters/feeds/xml/adapter.ts';
import type { FeedReader, ReadContext } from '../../src/adapters/feed-reader.ts';
import type { FeedConfig } from '../../src/config/config.ts';
import { checkRow, checkSettings } from '../../src/feeds/checking/check.ts';
import { compileProfile } from '../../src/feeds/mapping/map.ts';
import type { FeedProfile } from '../../src/feeds/profile/feed-profile.ts';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import type { CheckedRow } from '../../src/feeds/records.ts';
import { loadVocabularies } from '../../src/feeds/profile/vocabulary.ts';
import { describeProblem, type Result } from '../../src/model/problem.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';
import { withoutUnknown, type Vehicle } from '../../src/model/vehicle.ts';

const folder = (name: string) => fileURLToPath(new URL(`../../${name}`, import.meta.url));

export const SHIPPED_PROFILES = folder('adapters/feeds/profiles');

export function rooftop(id: string, name: string, feedIds: string[] = []): Rooftop {
  return { id, feed_ids: feedIds, profile: { name } };
}

/** The fictional group of the case files. */
export const ROOFTOPS: Rooftop[] = [
  rooftop('HPM01', 'Harbor Point Motors'),
  rooftop('CRA02', 'Cedar Ridge Auto Center', ['DVD00002']),
  rooftop('LPO03', 'Lakeview Pre-Owned', ['LPS04']),
];

export function valueOf<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(result.problems.map(describeProblem).join('\n'));
  return result.value;
}

export const VOCABULARIES = valueOf(await loadVocabularies(folder('config/vocabulary')));

/** Writes profiles (JSON is YAML too) into a folder of their own. */
export async function writeProfiles(profiles: Record<string, unknown>): Promise<string> {
  const target = await mkdtemp(path.join(tmpdir(), 'profiles-'));
  for (const [name, profile] of Object.entries(profiles)) {
    const text = typeof profile === 'string' ? profile : JSON.stringify(profile, undefined, 2);
    await writeFile(path.join(target, `${name}.yaml`), text);
  }
  return target;
}

export async function shippedProfile(name: string): Promise<FeedProfile> {
  return valueOf(await loadProfile(name, { builtIn: SHIPPED_PROFILES }));
}

export interface Outcome {
  checked: CheckedRow[];
  vehicles: Vehicle[];
  acceptedKeys: string[];
  rejections: { row: number; key: string; reason: string }[];
  warnings: { row: number; key: string; code: string }[];
  wordsKept: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

type FeedRules = Partial<Pick<FeedConfig, 'rooftop' | 'price_basis' | 'mode'>>;

/** Reads, maps and checks a text with the real readers. */
export async function runProfile(
  profile: FeedProfile,
  text: string,
  rules: FeedRules = {},
  rooftops: Rooftop[] = ROOFTOPS,
): Promise<Outcome> {
  const mapper = compileProfile(profile, VOCABULARIES);
  const feed = { mode: 'full' as const, rooftop: { kind: 'column' as const, otherwise: 'HPM01' }, ...rules };
  const settings = checkSettings(feed, profile, { rooftops });
  const checked: CheckedRow[] = [];
  const reader = (profile.reader === 'xml' ? xmlReader : csvReader) as unknown as FeedReader;
  const context: ReadContext = {
    limits: {
      maxRows: 10_000,
      maxColumns: 500,
      maxCellCharacters: 100_000,
      maxRowCharacters: 400_000,
      maxDepth: 20,
    },
    describe: ({ columns }) => {
      if (columns !== undefined) mapper.spellColumns(columns);
    },
    warn: () => undefined,
    refuse: (note) => {
      throw new Error(`refused: ${note.code}`);
    },
  };
  const options =
    profile.reader === 'xml'
      ? profile.options
      : { delimiter: 'auto', quote: '"', header: true, ...profile.options };
  for await (const row of reader.read(chunks(text), options, context)) {
    checked.push(checkRow(mapper.mapRow(row), settings));
  }
  return summarise(checked, mapper.wordsKept);
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* chunks(text: string): AsyncIterable<string> {
  yield text;
}

function summarise(checked: CheckedRow[], wordsKept: Outcome['wordsKept']): Outcome {
  const accepted = checked.filter((row) => row.kind === 'accepted');
  return {
    checked,
    vehicles: accepted.map(({ staged }) => withoutUnknown(staged.vehicle)),
    acceptedKeys: accepted.map(({ key }) => key),
    rejections: checked.flatMap((row) => {
      if (row.kind === 'accepted') return [];
      return [
        { row: row.row, key: row.key, reason: row.kind === 'removal' ? 'delta_delete' : row.rejection.code },
      ];
    }),
    warnings: checked.flatMap(({ row, key, warnings }) => warnings.map(({ code }) => ({ row, key, code }))),
    wordsKept,
  };
}
