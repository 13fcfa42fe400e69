import type { RawRow } from '../adapters/feed-reader.ts';
import { normaliseColumnPath } from '../model/column.ts';
import { isSoundVin } from './fields/vin-text.ts';
import { VEHICLE_TYPES, type ListingStatus, type VehicleType } from '../model/vehicle.ts';
import { compileAction } from './action.ts';
import { compileSource, type CellSource } from './cell-source.ts';
import { compileCondition } from './condition-mapper.ts';
import { compileFieldMappers, readLine } from './field-mappers.ts';
import type { FeedProfile, ProfileMap } from './feed-profile.ts';
import { lineText } from './fields/text.ts';
import { createTranslator, normaliseWord, WordsKept } from './fields/words.ts';
import { compileIdentity, type RowIdentity } from './identity-mapper.ts';
import { compilePrices } from './price-mapper.ts';
import type { MappedRow, Rejection } from './records.ts';
import { RowDraft } from './row-draft.ts';
import { OUT_OF_STOCK, type Vocabularies, type VocabularyField } from './vocabulary.ts';

/** A profile made ready for one run: names resolved, vocabularies joined. */
export interface FeedMapper {
  mapRow(row: RawRow): MappedRow;
  /** Lets rejections and warnings name columns as this file spells them. */
  spellColumns(columns: readonly string[]): void;
  /** Words that no vocabulary knows and that were published as they came: field → word → rows. */
  readonly wordsKept: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Compiles a checked profile for one run. */
export function compileProfile(profile: FeedProfile, vocabularies: Vocabularies): FeedMapper {
  const { map } = profile;
  const wordsKept = new WordsKept();
  const translator = (field: VocabularyField) => translatorOf(profile, vocabularies, field);
  const wordTranslators = {
    make: translator('make'),
    body: translator('body'),
    fuel: translator('fuel'),
    driveline: translator('driveline'),
    transmission: translator('transmission'),
    charge_port: translator('charge_port'),
  };
  const identity = compileIdentity(map);
  const action = profile.action === undefined ? undefined : compileAction(profile.action);
  const dealer = map.dealer_id === undefined ? undefined : compileSource(map.dealer_id);
  const mapVehicleType = compileVehicleType(map.vehicle_type, translator('vehicle_type'), wordsKept);
  const mapStatus = compileStatus(map.status, translator('status'));
  const mapCondition = map.condition === undefined ? undefined : compileCondition(map.condition, translator('condition'));
  const fieldMappers = compileFieldMappers(map, wordTranslators, wordsKept);
  const mapPrices = compilePrices(profile);
  const isVehicle = compileIsVehicle(map);
  const findMissing = compileMissingFields(map);
  const spelling = new Map<string, string>();

  function mapRow(raw: RawRow): MappedRow {
    const mapped = mapCells(raw);
    const { rejection, warnings } = mapped;
    for (const note of rejection === undefined ? warnings : [rejection, ...warnings]) {
      if (note.field !== undefined) note.field = spelling.get(normaliseColumnPath(note.field)) ?? note.field;
    }
    return mapped;
  }

  function mapCells(raw: RawRow): MappedRow {
    const draft = new RowDraft(raw.cells, raw.warnings ?? []);
    const ids = identity.read(draft);
    const dealerText = dealer?.first(raw.cells);
    const mapped: MappedRow = {
      row: raw.row,
      line: raw.line,
      key: ids.key,
      vehicle: draft.vehicle,
      warnings: draft.warnings,
    };
    const dealerName = dealerText === undefined ? undefined : lineText(dealerText);
    if (dealerName !== undefined) mapped.dealer = dealerName;
    if (raw.rejection !== undefined) return { ...mapped, rejection: { ...raw.rejection } };

    const asked = action?.(draft) ?? 'upsert';
    if (asked === 'delete') {
      mapped.remove = true;
      Object.assign(draft.vehicle, identityOf(ids));
      if (Object.keys(draft.vehicle).length === 0) mapped.rejection = { code: 'no_identity' };
      return mapped;
    }
    if (asked !== 'upsert') return { ...mapped, rejection: asked };
    if (ids.vin === '' && !isVehicle(draft)) return { ...mapped, rejection: { code: 'row_not_a_vehicle' } };

    mapVehicleType(draft);
    const rejection = identity.apply(draft, ids) ?? mapStatus(draft) ?? mapCondition?.(draft);
    if (rejection !== undefined) return { ...mapped, rejection };
    for (const mapField of fieldMappers) mapField(draft);
    const missing = findMissing(draft);
    if (missing !== undefined) return { ...mapped, rejection: missing };
    const prices = mapPrices(draft);
    if (prices.listPriceCents !== undefined) mapped.listPriceCents = prices.listPriceCents;
    if (prices.excludesCharges) mapped.priceExcludesCharges = true;
    return mapped;
  }
  function spellColumns(columns: readonly string[]): void {
    for (const column of columns) spelling.set(normaliseColumnPath(column), column);
  }
  return { mapRow, spellColumns, wordsKept: wordsKept.counts };
}

/** The profile's words for the column, then its vocabulary, then the general one. */
function translatorOf(
  profile: FeedProfile,
  vocabularies: Vocabularies,
  field: VocabularyField,
): (raw: string) => string | undefined {
  const source = profile.map[field];
  const values = typeof source === 'object' && !Array.isArray(source) ? source.values : undefined;
  const tables = [values, profile.vocabulary[field]].flatMap((words) =>
    words === undefined
      ? []
      : [new Map(Object.entries(words).map(([text, word]) => [normaliseWord(text), String(word)]))],
  );
  return createTranslator(...tables, vocabularies[field]);
}

function compileVehicleType(
  source: ProfileMap['vehicle_type'],
  translate: (raw: string) => string | undefined,
  wordsKept: WordsKept,
): (draft: RowDraft) => void {
  if (source === undefined) return () => undefined;
  const cells = compileSource(source);
  return (draft) => {
    const text = readLine(draft, cells);
    if (text === undefined) return;
    const word = translate(text);
    if (word === undefined) wordsKept.add('vehicle_type', text);
    draft.vehicle.vehicle_type = isVehicleType(word) ? word : 'other';
  };
}

function isVehicleType(word: string | undefined): word is VehicleType {
  return VEHICLE_TYPES.some((type) => type === word);
}

/** A blank status says nothing, so the vehicle is available; sold and unknown words refuse the row. */
function compileStatus(
  source: ProfileMap['status'],
  translate: (raw: string) => string | undefined,
): (draft: RowDraft) => Rejection | undefined {
  if (source === undefined) return () => undefined;
  const cells = compileSource(source);
  return (draft) => {
    const raw = cells.first(draft.cells);
    const text = raw === undefined ? undefined : lineText(raw);
    if (text === undefined) return undefined;
    const word = translate(text);
    if (word === undefined) return draft.rejection('status_unknown', cells, text);
    if (word === OUT_OF_STOCK) return draft.rejection('status_out_of_stock', cells, text);
    draft.vehicle.status = word as ListingStatus;
    return undefined;
  };
}

/** A total or a note below the table has none of what every vehicle has. */
function compileIsVehicle(map: ProfileMap): (draft: RowDraft) => boolean {
  const sources = [map.year, map.make, map.model, map.list_price, map.price].flatMap((source) => {
    const compiled = source === undefined ? undefined : compileSource(source);
    return compiled === undefined || compiled.columns.length === 0 ? [] : [compiled];
  });
  return (draft) => sources.some((source: CellSource) => source.first(draft.cells) !== undefined);
}

/** Names every field that is missing; the column and text are those of the first. */
function compileMissingFields(map: ProfileMap): (draft: RowDraft) => Rejection | undefined {
  const needed = (['year', 'make', 'model'] as const).map((field) => ({ field, source: compileSource(map[field] ?? []) }));
  return (draft) => {
    const missing = needed.filter(({ field }) => draft.vehicle[field] === undefined);
    const [first] = missing;
    if (first === undefined) return undefined;
    const text = first.source.first(draft.cells)?.trim() ?? '';
    const detail = missing.map(({ field }) => field).join(', ');
    return draft.rejection('missing_required', first.source, text, detail);
  };
}

function identityOf({ vin, stock, vehicleId }: RowIdentity): { vin?: string; stock?: string; vehicle_id?: string } {
  return {
    ...(isSoundVin(vin) ? { vin } : {}),
    ...(stock === undefined ? {} : { stock }),
    ...(vehicleId === undefined ? {} : { vehicle_id: vehicleId }),
  };
}
