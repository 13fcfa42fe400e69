import type { RawRow } from '../../adapters/feed-reader.ts';
import { formatInstant, systemClock } from '../../model/clock.ts';
import { normaliseColumnPath } from '../../model/column.ts';
import { isSoundVin } from './fields/vin-text.ts';
import { compileAction } from './mappers/action.ts';
import { compileSource } from './mappers/cell-source.ts';
import { compileIsVehicle, compileMissingFields } from './mappers/completeness.ts';
import { compileCondition } from './mappers/condition.ts';
import { dateMapper } from './mappers/dates.ts';
import { compileDecimalComma } from './mappers/decimal-comma.ts';
import { compileExpiry } from './mappers/expiry.ts';
import { compileFieldMappers } from './mappers/fields.ts';
import type { FeedProfile } from '../profile/feed-profile.ts';
import { lineText } from './fields/text.ts';
import { remembering } from './fields/remembering.ts';
import { createTranslator, WordsKept } from './fields/words.ts';
import { limitsOf, type FileLimits } from '../limits.ts';
import { compileIdentity, type RowIdentity } from './mappers/identity.ts';
import { compilePrices } from './mappers/prices.ts';
import type { RunTime } from './mappers/sale-price.ts';
import { compileStatus } from './mappers/status.ts';
import { compileVehicleType } from './mappers/vehicle-type.ts';
import type { Translate } from './mappers/words.ts';
import type { MappedRow } from '../records.ts';
import { RowDraft } from './mappers/row-draft.ts';
import { normaliseWord, type Vocabularies, type VocabularyField } from '../../model/vocabulary.ts';

/** A profile made ready for one run: names resolved, vocabularies joined. */
export interface FeedMapper {
  mapRow(row: RawRow): MappedRow;
  /** Lets rejections and warnings name columns as this file spells them. */
  spellColumns(columns: readonly string[]): void;
  /** Words that no vocabulary knows and that were published as they came: field → word → rows. */
  readonly wordsKept: ReadonlyMap<string, ReadonlyMap<string, number>>;
}

/** Compiles a checked profile for one run, which takes place `now`. */
export function compileProfile(
  profile: FeedProfile,
  vocabularies: Vocabularies,
  { maxPhotos }: Pick<FileLimits, 'maxPhotos'> = limitsOf({}),
  { now = systemClock.now(), zoneOf = () => undefined }: Partial<RunTime> = {},
): FeedMapper {
  const today = formatInstant(now).slice(0, 10);
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
  const identities = compileIdentity(map, today);
  const action = profile.action === undefined ? undefined : compileAction(profile.action);
  const dealer = map.dealer_id === undefined ? undefined : compileSource(map.dealer_id);
  const mapVehicleType = compileVehicleType(map.vehicle_type, translator('vehicle_type'), wordsKept);
  const mapStatus = compileStatus(map.status, translator('status'));
  const mapDate = map.inventory_date === undefined ? undefined : dateMapper(map.inventory_date, today);
  const mapExpiry = compileExpiry(map.expires, today);
  const mapCondition =
    map.condition === undefined ? undefined : compileCondition(map.condition, translator('condition'));
  const fieldMappers = compileFieldMappers(map, wordTranslators, wordsKept, maxPhotos, today);
  const mapPrices = compilePrices(profile, { now, zoneOf });
  const isVehicle = profile.companion ? () => true : compileIsVehicle(map);
  const findMissing = profile.companion ? () => undefined : compileMissingFields(map);
  const sequence =
    profile.gather?.order_by === undefined ? undefined : compileSource(profile.gather.order_by);
  const withPoints = profile.decimal_mark === ',' ? compileDecimalComma(map) : undefined;
  let spelled = (column: string): string => column;

  function mapRow(raw: RawRow): MappedRow {
    const keptBefore = wordsKept.total;
    const mapped = mapCells(withPoints === undefined ? raw : { ...raw, cells: withPoints(raw.cells) });
    if (wordsKept.total > keptBefore) mapped.keepsWords = true;
    const { rejection, warnings } = mapped;
    for (const note of rejection === undefined ? warnings : [rejection, ...warnings]) {
      if (note.field !== undefined) note.field = spelled(note.field);
    }
    return mapped;
  }

  function mapCells(raw: RawRow): MappedRow {
    const draft = new RowDraft(raw.cells, raw.warnings ?? []);
    const ids = identities.read(draft);
    const mapped: MappedRow = {
      row: raw.row,
      line: raw.line,
      key: ids.key,
      vehicle: draft.vehicle,
      warnings: draft.warnings,
    };
    const dealerName = lineText(dealer?.first(raw.cells) ?? '');
    if (dealer !== undefined && dealerName !== undefined) {
      mapped.dealer = { name: dealerName, field: spelled(dealer.columnOf(raw.cells)) };
    }
    if (raw.rejection !== undefined) return { ...mapped, rejection: { ...raw.rejection } };

    const asked = action?.(draft) ?? 'upsert';
    if (asked === 'delete') {
      mapped.remove = true;
      const identity = identityOf(ids);
      Object.assign(draft.vehicle, identity);
      if (Object.keys(identity).length === 0) mapped.rejection = { code: 'no_identity' };
      mapDate?.(draft);
      return mapped;
    }
    if (asked !== 'upsert') return { ...mapped, rejection: asked };
    if (ids.vin === '' && !isVehicle(draft)) return { ...mapped, rejection: { code: 'row_not_a_vehicle' } };

    mapVehicleType(draft);
    const unlisted = identities.apply(draft, ids) ?? mapStatus(draft) ?? mapExpiry(draft);
    if (unlisted !== undefined) {
      // Of a car that is sold it counts which of its rows is the newest.
      if (unlisted.code === 'status_out_of_stock') mapDate?.(draft);
      return { ...mapped, rejection: unlisted };
    }
    for (const mapField of fieldMappers) mapField(draft);
    // A row that breaks off lacks its condition too; that is told by what is missing.
    const rejection = findMissing(draft) ?? mapCondition?.(draft);
    if (rejection !== undefined) return { ...mapped, rejection };
    const place = Number(sequence?.first(raw.cells) ?? Number.NaN);
    if (Number.isFinite(place)) mapped.sequence = place;
    const prices = mapPrices(draft, dealerName);
    if (prices.listPriceCents !== undefined) mapped.listPriceCents = prices.listPriceCents;
    if (prices.excludesCharges) mapped.priceExcludesCharges = true;
    if (prices.isOfItsTime) mapped.isOfItsTime = true;
    if (prices.isConditional) mapped.priceIsConditional = true;
    return mapped;
  }

  function spellColumns(columns: readonly string[]): void {
    const spelling = new Map(columns.map((column) => [normaliseColumnPath(column), column]));
    spelled = remembering((column) => spelling.get(normaliseColumnPath(column)) ?? column);
  }
  return { mapRow, spellColumns, wordsKept: wordsKept.counts };
}

/** The profile's words for the column, then its vocabulary, then the general one. */
function translatorOf(profile: FeedProfile, vocabularies: Vocabularies, field: VocabularyField): Translate {
  const source = profile.map[field];
  const values = typeof source === 'object' && !Array.isArray(source) ? source.values : undefined;
  const tables = [values, profile.vocabulary[field]].flatMap((words) =>
    words === undefined
      ? []
      : [new Map(Object.entries(words).map(([text, word]) => [normaliseWord(text), String(word)]))],
  );
  return createTranslator(...tables, vocabularies[field]);
}

function identityOf({ vin, stock, vehicleId }: RowIdentity): {
  vin?: string;
  stock?: string;
  vehicle_id?: string;
} {
  return {
    ...(isSoundVin(vin) ? { vin } : {}),
    ...(stock === undefined ? {} : { stock }),
    ...(vehicleId === undefined ? {} : { vehicle_id: vehicleId }),
  };
}
