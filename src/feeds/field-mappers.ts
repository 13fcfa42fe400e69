import { ATTRIBUTE_NAME, attributePairs, attributeValue } from './fields/attributes.ts';
import { compileDateFormat, parseDate } from './fields/date.ts';
import { parseDisplacement } from './fields/displacement.ts';
import { addFeatures } from './fields/features.ts';
import { feesOfColumns, feesOfList, type Fees } from './fields/fees.ts';
import { parseFlag } from './fields/flag.ts';
import { descriptionText } from './fields/html-text.ts';
import { mileageUnit, parseMileage } from './fields/mileage.ts';
import { parseNumber } from './fields/numbers.ts';
import { parsePhotos } from './fields/photos.ts';
import { lineText, looksLikeDate, saysNothing } from './fields/text.ts';
import { webAddress } from './fields/web-address.ts';
import type { WordsKept } from './fields/words.ts';
import { compileSource, type CellSource } from './cell-source.ts';
import {
  NUMBER_FIELDS,
  PROSE_FIELDS,
  TEXT_FIELDS,
  WHOLE_NUMBER_FIELDS,
  WORD_FIELDS,
  type FeesSource,
  type ListSource,
  type ListSpec,
  type ProfileMap,
} from './feed-profile.ts';
import { isNeverPublished } from './never-published.ts';
import type { FieldMapper, RowDraft } from './row-draft.ts';

const LONGEST_LINE = 250;
const LARGEST_NUMBER = 100_000;

export type Translate = (raw: string) => string | undefined;

/**
 * One mapper for each mapped field that stands on its own. Identity, condition, status, year and prices depend
 * on each other and are mapped in map.ts.
 */
export function compileFieldMappers(
  map: ProfileMap,
  translators: Readonly<Record<(typeof WORD_FIELDS)[number], Translate>>,
  wordsKept: WordsKept,
): FieldMapper[] {
  const mappers: FieldMapper[] = [];
  for (const field of TEXT_FIELDS) {
    if (map[field] !== undefined) mappers.push(textMapper(field, compileSource(map[field])));
  }
  for (const field of WORD_FIELDS) {
    if (map[field] === undefined) continue;
    mappers.push(wordMapper(field, compileSource(map[field]), translators[field], wordsKept));
  }
  for (const field of WHOLE_NUMBER_FIELDS) {
    if (map[field] !== undefined) mappers.push(numberMapper(field, compileSource(map[field]), Math.round));
  }
  for (const field of NUMBER_FIELDS) {
    if (map[field] !== undefined) mappers.push(numberMapper(field, compileSource(map[field]), (value) => value));
  }
  for (const field of PROSE_FIELDS) {
    if (map[field] !== undefined) mappers.push(proseMapper(field, compileSource(map[field])));
  }
  if (map.mileage !== undefined) mappers.push(mileageMapper(map.mileage));
  if (map.displacement_cc !== undefined) mappers.push(displacementMapper(compileSource(map.displacement_cc)));
  if (map.dc_fast_charge !== undefined) mappers.push(flagMapper(compileSource(map.dc_fast_charge)));
  if (map.inventory_date !== undefined) mappers.push(dateMapper(map.inventory_date));
  if (map.features !== undefined) mappers.push(featuresMapper(map.features));
  if (map.photos !== undefined) mappers.push(photosMapper(map.photos));
  if (map.vdp_url !== undefined) mappers.push(addressMapper(compileSource(map.vdp_url)));
  if (map.fees !== undefined) mappers.push(feesMapper(map.fees));
  if (map.other_attributes !== undefined) mappers.push(attributesMapper(map.other_attributes));
  if (map.other_attributes_list !== undefined) mappers.push(attributeListMapper(map.other_attributes_list));
  return mappers;
}

/** A text on one line; undefined (and a warning) when it is longer than any honest one. */
export function readLine(draft: RowDraft, source: CellSource): string | undefined {
  const raw = source.first(draft.cells);
  const text = raw === undefined ? undefined : lineText(raw);
  if (text === undefined || text.length <= LONGEST_LINE) return text;
  draft.warn('value_too_long', source, text);
  return undefined;
}

function textMapper(field: (typeof TEXT_FIELDS)[number], source: CellSource): FieldMapper {
  const mayBecomeDate = field === 'model' || field === 'trim';
  return (draft) => {
    const text = readLine(draft, source);
    if (text === undefined) return;
    draft.vehicle[field] = text;
    if (mayBecomeDate && looksLikeDate(text)) draft.warn('value_looks_like_date', source, text);
  };
}

/** Texts that say more than one word of the vocabulary and are meant to: `10-Speed Automatic`. */
const SPEAKING_TRANSMISSION = /\b\d{1,2}[ -]?(speed|spd)\b/i;

function wordMapper(
  field: (typeof WORD_FIELDS)[number],
  source: CellSource,
  translate: Translate,
  wordsKept: WordsKept,
): FieldMapper {
  return (draft) => {
    const text = readLine(draft, source);
    if (text === undefined) return;
    const word = translate(text);
    draft.vehicle[field] = word ?? text;
    if (word === undefined && !(field === 'transmission' && SPEAKING_TRANSMISSION.test(text))) {
      wordsKept.add(field, text);
    }
  };
}

/** 0 means "none" (a city_mpg of an electric car), so it is left out. */
function numberMapper(
  field: (typeof NUMBER_FIELDS)[number] | (typeof WHOLE_NUMBER_FIELDS)[number],
  source: CellSource,
  shape: (value: number) => number,
): FieldMapper {
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined || saysNothing(raw.trim())) return;
    const value = parseNumber(raw);
    if (value === undefined || value < 0 || value > LARGEST_NUMBER) draft.warn('value_invalid', source, raw);
    else if (shape(value) > 0) draft.vehicle[field] = shape(value);
  };
}

function proseMapper(field: (typeof PROSE_FIELDS)[number], source: CellSource): FieldMapper {
  return (draft) => {
    const raw = source.first(draft.cells);
    const text = raw === undefined ? undefined : descriptionText(raw);
    if (text !== undefined && !saysNothing(text)) draft.vehicle[field] = text;
  };
}

function mileageMapper(spec: NonNullable<ProfileMap['mileage']>): FieldMapper {
  const source = compileSource(spec);
  const unit = typeof spec === 'object' && !Array.isArray(spec) ? spec.unit : undefined;
  const fixedUnit = typeof unit === 'object' ? mileageUnit(unit.constant) : undefined;
  const unitSource = typeof unit === 'string' ? compileSource(unit) : undefined;
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined) return;
    const unitText = unitSource?.first(draft.cells);
    const columnUnit = unitText === undefined ? (fixedUnit ?? 'miles') : mileageUnit(unitText);
    const mileage = columnUnit === undefined ? undefined : parseMileage(raw, columnUnit);
    if (mileage === undefined) draft.warn('value_invalid', unitSource, unitText ?? '');
    else if (mileage.kind === 'miles') draft.vehicle.mileage = mileage.miles;
    else if (mileage.kind === 'hours') draft.setAttribute('engine_hours', mileage.hours);
    else draft.warn(mileage.kind === 'no_number' ? 'mileage_missing' : 'mileage_implausible', source, raw.trim());
  };
}

function displacementMapper(source: CellSource): FieldMapper {
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined || saysNothing(raw.trim())) return;
    const cubicCentimeters = parseDisplacement(raw);
    if (cubicCentimeters === undefined) draft.warn('value_invalid', source, raw.trim());
    else if (cubicCentimeters > 0) draft.vehicle.displacement_cc = cubicCentimeters;
  };
}

function flagMapper(source: CellSource): FieldMapper {
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined || saysNothing(raw.trim())) return;
    const flag = parseFlag(raw);
    if (flag === undefined) draft.warn('value_invalid', source, raw.trim());
    else draft.vehicle.dc_fast_charge = flag;
  };
}

function dateMapper(spec: NonNullable<ProfileMap['inventory_date']>): FieldMapper {
  const source = compileSource(spec);
  const written = typeof spec === 'object' && !Array.isArray(spec) ? spec.format : undefined;
  const format = written === undefined ? undefined : compileDateFormat(written);
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined || saysNothing(raw.trim())) return;
    const date = parseDate(raw, format);
    if (date === undefined) draft.warn('date_invalid', source, raw.trim());
    else draft.vehicle.inventory_date = date;
  };
}

interface CompiledList {
  source: CellSource;
  spec: ListSpec;
}

function compileLists(list: ListSource): CompiledList[] {
  return (Array.isArray(list) ? list : [list]).map((item) => ({
    source: compileSource(item),
    spec: typeof item === 'string' ? {} : item,
  }));
}

function featuresMapper(list: ListSource): FieldMapper {
  const lists = compileLists(list);
  return (draft) => {
    const found = new Map<string, string>();
    for (const { source, spec } of lists) {
      for (const cell of source.all(draft.cells)) addFeatures(found, cell, spec);
    }
    if (found.size > 0) draft.vehicle.features = [...found.values()];
  };
}

function photosMapper(list: ListSource): FieldMapper {
  const lists = compileLists(list);
  const separator = lists.find(({ spec }) => spec.separator !== undefined)?.spec.separator;
  return (draft) => {
    const cells = lists.flatMap(({ source }) => source.all(draft.cells));
    const { photos, dropped } = parsePhotos(cells, separator);
    if (photos.length > 0) draft.vehicle.photos = photos;
    else if (dropped > 0) draft.warn('photo_invalid', lists[0]?.source, cells[0]);
  };
}

function addressMapper(source: CellSource): FieldMapper {
  return (draft) => {
    const raw = source.first(draft.cells)?.trim();
    if (raw === undefined || saysNothing(raw)) return;
    const address = webAddress(raw);
    if (address === undefined) draft.warn('value_invalid', source, raw);
    else draft.vehicle.vdp_url = address;
  };
}

function feesMapper(spec: FeesSource): FieldMapper {
  const { read, source } = Array.isArray(spec) ? feeColumns(spec) : feeList(spec);
  return (draft) => {
    const fees = read(draft);
    if (fees.kind === 'fees') draft.vehicle.fees = fees.fees;
    else if (fees.kind === 'invalid') draft.warn('fees_invalid', source, fees.value);
  };
}

interface FeeReader {
  source: CellSource;
  read(draft: RowDraft): Fees;
}

function feeColumns(spec: readonly { name: string; column: string }[]): FeeReader {
  const columns = spec.map(({ name, column }) => ({ name, source: compileSource(column) }));
  return {
    source: compileSource(spec.map(({ column }) => column)),
    read: ({ cells }) => feesOfColumns(columns.map(({ name, source }) => ({ name, text: source.first(cells) }))),
  };
}

function feeList({ column, separator }: { column: string; separator: string }): FeeReader {
  const source = compileSource(column);
  return { source, read: ({ cells }) => feesOfList(source.first(cells) ?? '', separator) };
}

function attributesMapper(attributes: Readonly<Record<string, ListSource>>): FieldMapper {
  const compiled = Object.entries(attributes).flatMap(([name, list]) =>
    compileLists(list).map((item) => ({ name, ...item })),
  );
  return (draft) => {
    for (const { name, source, spec } of compiled) {
      const raw = source.first(draft.cells);
      const value = raw === undefined ? undefined : attributeValue(raw, spec);
      if (value !== undefined) draft.setAttribute(name, value);
    }
  };
}

function attributeListMapper({ column, separator }: { column: string; separator: string }): FieldMapper {
  const source = compileSource(column);
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined) return;
    const { pairs, invalid } = attributePairs(raw, separator);
    for (const { name, value } of pairs) {
      const attribute = isNeverPublished(name) ? undefined : attributeValue(value, {});
      if (attribute !== undefined && ATTRIBUTE_NAME.test(name)) draft.setAttribute(name, attribute);
    }
    if (invalid.length > 0) draft.warn('value_invalid', source, invalid.join(separator));
  };
}
