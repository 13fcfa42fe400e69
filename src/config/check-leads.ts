import {
  findCrmAdapters,
  loadCrmAdapter,
  locate,
  type FoundAdapter,
  type LoadedCrmAdapter,
} from '../adapters/loader.ts';
import type { Problem } from '../model/problem.ts';
import { didYouMean } from '../model/suggestion.ts';
import type { Sound, WrittenDestination } from './bridge-file.ts';
import { checkDestinationOptions } from './destination-options.ts';
import { mergeOptions, presetNames, readPreset, type Preset } from './presets.ts';
import { quote } from './problems.ts';
import { adapterRoots, type Review } from './review.ts';
import { checkRooftopReference } from './rooftop-reference.ts';
import { findTwins, namesOf } from './twins.ts';

const DESTINATIONS = '/leads/destinations';

/** A destination whose adapter is loaded and whose options have passed it. */
export interface PreparedDestination {
  adapter: LoadedCrmAdapter;
  /** Preset merged in, defaults filled. */
  options: Record<string, unknown>;
  /** Those that the options hold. */
  secrets: string[];
}

export interface ReviewedLeads {
  problems: Problem[];
  /** By position in the file; complete when there are no problems. */
  destinations: Map<number, PreparedDestination>;
}

/** What destinations may name, looked up once. */
interface Supply {
  adapters: FoundAdapter[];
  presets: string[];
}

/** Leads that would go nowhere, and destinations that can not take them. */
export async function checkLeads(review: Review): Promise<ReviewedLeads> {
  const written = review.file.leads?.destinations ?? [];
  const supply: Supply = {
    adapters: await findCrmAdapters(adapterRoots(review.folders)),
    presets: await presetNames(review.folders),
  };
  const problems = [
    ...findTwins(namesOf(written, 'id', DESTINATIONS)).map(({ entry, earlier }) =>
      review.tell('CONFIG_ID_TWICE', entry.pointer, {
        id: review.written(entry.pointer),
        other: review.place(earlier.pointer).path ?? '',
      }),
    ),
    ...checkDefaultRooftop(review),
    ...checkCoverage(review),
  ];
  const destinations = new Map<number, PreparedDestination>();
  for (const [index, destination] of written.entries()) {
    if (destination === undefined) continue;
    const pointer = `${DESTINATIONS}/${index}`;
    problems.push(
      ...(destination.rooftops ?? []).flatMap((id, position) =>
        id === undefined ? [] : checkRooftopReference(review, id, `${pointer}/rooftops/${position}`),
      ),
    );
    const prepared = await prepare(review, destination, pointer, supply);
    if (Array.isArray(prepared)) problems.push(...prepared);
    else destinations.set(index, prepared);
  }
  return { problems, destinations };
}

function takesLeads(review: Review): boolean {
  return review.file.skills?.['lead.submit'] !== false;
}

function checkDefaultRooftop(review: Review): Problem[] {
  const { leads } = review.file;
  const id = leads?.default_rooftop;
  if (id !== undefined) return checkRooftopReference(review, id, '/leads/default_rooftop');
  // Written but faulty is told elsewhere.
  if (leads === undefined || review.isWritten('/leads/default_rooftop')) return [];
  const isNeeded = takesLeads(review) && review.rooftopIds.size > 1;
  return isNeeded ? [review.tell('CONFIG_DEFAULT_ROOFTOP_MISSING', '/leads')] : [];
}

function checkCoverage(review: Review): Problem[] {
  const destinations = review.file.leads?.destinations;
  if (destinations === undefined || !takesLeads(review)) return [];
  if (destinations.length === 0) return [review.tell('CONFIG_NO_DESTINATION', '/leads')];
  const served = new Set<string | undefined>();
  for (const destination of destinations) {
    // Without a list of its own (or with a faulty one, told elsewhere) it serves all.
    if (destination?.rooftops === undefined) return [];
    for (const id of destination.rooftops) served.add(id);
  }
  return [...review.rooftopIds]
    .filter(([id]) => !served.has(id))
    .map(([id, index]) =>
      review.tell('CONFIG_ROOFTOP_WITHOUT_DESTINATION', `/dealer/rooftops/${index}`, { name: quote(id) }),
    );
}

async function prepare(
  review: Review,
  destination: Sound<WrittenDestination>,
  pointer: string,
  supply: Supply,
): Promise<PreparedDestination | Problem[]> {
  const preset = await presetOf(review, destination, pointer, supply);
  if (Array.isArray(preset)) return preset;
  const name = destination.adapter ?? preset?.adapter;
  if (name === undefined) {
    const isNamed = review.isWritten(`${pointer}/adapter`) || review.isWritten(`${pointer}/preset`);
    return isNamed ? [] : [review.tell('CONFIG_DESTINATION_WITHOUT_ADAPTER', pointer)];
  }
  const adapter = await adapterOf(review, name, pointer, supply);
  if (Array.isArray(adapter)) return adapter;
  const options = mergeOptions(preset?.options ?? {}, destination.options ?? {});
  const faults = checkDestinationOptions(review, adapter, options, `${pointer}/options`);
  if (faults.length > 0) return faults;
  return { adapter, options, secrets: [...review.secrets.keys()].filter((secret) => holds(options, secret)) };
}

function holds(options: unknown, secret: string): boolean {
  if (typeof options === 'string') return options.includes(secret);
  if (typeof options !== 'object' || options === null) return false;
  return Object.values(options).some((option) => holds(option, secret));
}

async function presetOf(
  review: Review,
  destination: Sound<WrittenDestination>,
  pointer: string,
  supply: Supply,
): Promise<Preset | Problem[] | undefined> {
  const { preset: name, adapter } = destination;
  if (name === undefined) return undefined;
  const at = `${pointer}/preset`;
  const written = review.written(at);
  if (!supply.presets.includes(name)) {
    const suggestion = didYouMean(name, supply.presets);
    return [review.tell('CONFIG_PRESET_UNKNOWN', at, { name: written, suggestion })];
  }
  const preset = await readPreset(name, review.folders, review.secretSource);
  if (!preset.ok) return [...preset.problems];
  for (const [secret, reference] of preset.value.secrets) review.secrets.set(secret, reference);
  if (adapter === undefined || adapter === preset.value.adapter) return preset.value;
  const facts = {
    preset: written,
    wanted: quote(preset.value.adapter),
    given: review.written(`${pointer}/adapter`),
  };
  return [review.tell('CONFIG_PRESET_OTHER_ADAPTER', `${pointer}/adapter`, facts)];
}

async function adapterOf(
  review: Review,
  name: string,
  pointer: string,
  supply: Supply,
): Promise<LoadedCrmAdapter | Problem[]> {
  const isOwn = review.isWritten(`${pointer}/adapter`);
  const at = isOwn ? `${pointer}/adapter` : `${pointer}/preset`;
  const written = isOwn ? review.written(at) : quote(name);
  const names = supply.adapters.map((adapter) => adapter.name);
  if (!names.includes(name)) {
    const suggestion = didYouMean(name, names);
    return [review.tell('CONFIG_ADAPTER_UNKNOWN', at, { name: written, suggestion })];
  }
  const found = locate(name, supply.adapters);
  const loaded = found.ok ? await loadCrmAdapter(found.value.folder) : found;
  if (loaded.ok) return loaded.value;
  return loaded.problems.map(({ message, remedy, where }) => ({
    ...review.tell('CONFIG_ADAPTER_BROKEN', at, {
      name: written,
      reason: [where?.file, message].filter((part) => part !== undefined && part !== '').join(': '),
    }),
    ...(remedy === undefined ? {} : { remedy }),
  }));
}
