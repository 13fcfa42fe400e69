import type { Cells } from '../../../adapters/feed-reader.ts';
import {
  columnsOf,
  unitColumns,
  type MileageSource,
  type MileageSpec,
  type NUMBER_FIELDS,
  type WHOLE_NUMBER_FIELDS,
} from '../../profile/feed-profile.ts';
import { parseDisplacement } from '../fields/displacement.ts';
import { parseFlag } from '../fields/flag.ts';
import { mileageUnit, parseMileage } from '../fields/mileage.ts';
import { doubtAboutNumber, parseNumber, splitUnit } from '../fields/numbers.ts';
import { saysNothing } from '../fields/text.ts';
import { columnsBeside, UNIT_NAMES } from './beside.ts';
import { compileSource, type CellSource } from './cell-source.ts';
import type { FieldMapper } from './row-draft.ts';

type NumberField = (typeof NUMBER_FIELDS)[number] | (typeof WHOLE_NUMBER_FIELDS)[number];

/** What no vehicle has, and how the unit of the field is written. */
const MEASURES: Readonly<Record<NumberField, { most: number; units: readonly string[] }>> = {
  city_mpg: { most: 300, units: ['mpg', 'mpge'] },
  highway_mpg: { most: 300, units: ['mpg', 'mpge'] },
  electric_range_mi: { most: 2000, units: ['mi', 'mile', 'miles'] },
  battery_kwh: { most: 2000, units: ['kwh'] },
  motor_power_hp: { most: 10_000, units: ['hp', 'bhp', 'horsepower'] },
};

/** 0 means "none" (a city_mpg of an electric car), so it is left out. */
export function numberMapper(
  field: NumberField,
  source: CellSource,
  shape: (value: number) => number,
): FieldMapper {
  const { most, units } = MEASURES[field];
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined || saysNothing(raw.trim())) return;
    const value = parseNumber(raw) ?? numberIn(raw.trim(), units);
    if (value === undefined || value < 0 || value > most)
      draft.warn('value_invalid', source, raw, doubtAboutNumber(raw));
    else if (shape(value) > 0) draft.vehicle[field] = shape(value);
  };
}

function numberIn(text: string, units: readonly string[]): number | undefined {
  const { amount, unit } = splitUnit(text);
  return units.includes(unit) ? parseNumber(amount) : undefined;
}

/** Of several instruments each is read; the first that tells miles counts, and the first that tells hours. */
export function mileageMapper(spec: MileageSource): FieldMapper {
  const readings = instrumentsOf(spec).map(readingMapper);
  return (draft) => {
    for (const read of readings) read(draft);
  };
}

/** A list of nothing but names is one instrument that files call differently. */
function instrumentsOf(spec: MileageSource): (string | string[] | MileageSpec)[] {
  if (!Array.isArray(spec)) return [spec];
  const items: (string | MileageSpec)[] = spec;
  if (items.every((item) => typeof item === 'string')) return [items];
  return items;
}

function readingMapper(spec: string | string[] | MileageSpec): FieldMapper {
  const source = compileSource(spec);
  const unit = typeof spec === 'object' && !Array.isArray(spec) ? spec.unit : undefined;
  const fixedUnit = typeof unit === 'object' && !Array.isArray(unit) ? mileageUnit(unit.constant) : undefined;
  const unitSource = unitColumns(unit).length > 0 ? compileSource(unitColumns(unit)) : undefined;
  const unitBeside = unit === undefined ? compileUnitBeside(spec) : () => undefined;
  return (draft) => {
    const readings = readingsOf(source, draft.cells);
    const [raw] = readings;
    if (raw === undefined) return;
    if (readings.some((other) => other.trim() !== raw.trim())) {
      draft.warn('value_ambiguous', source, readings.join(', '));
      return;
    }
    const unitText = unitSource?.first(draft.cells) ?? unitBeside(draft.cells);
    const columnUnit = unitText === undefined ? (fixedUnit ?? 'miles') : mileageUnit(unitText);
    const mileage = columnUnit === undefined ? undefined : parseMileage(raw, columnUnit);
    if (mileage === undefined) draft.warn('value_invalid', unitSource, unitText ?? '');
    else if (mileage.kind === 'miles') draft.vehicle.mileage ??= mileage.miles;
    else if (mileage.kind === 'hours') draft.setAttribute('engine_hours', mileage.hours);
    else
      draft.warn(
        mileage.kind === 'no_number' ? 'mileage_missing' : 'mileage_implausible',
        source,
        raw.trim(),
        doubtAboutNumber(raw),
      );
  };
}

const NO_READING: readonly string[] = [];

function readingsOf(source: CellSource, cells: Cells): readonly string[] {
  if (cells.text === undefined) return source.ofFirst(cells);
  const text = source.first(cells);
  return text === undefined ? NO_READING : [text];
}

/** A unit that no profile names and that stands beside the reading, if it is one: `Mileage/@units`, `Miles Unit`. */
function compileUnitBeside(spec: string | string[] | MileageSpec): (cells: Cells) => string | undefined {
  const beside = columnsOf(spec).map((column) => columnsBeside(column, UNIT_NAMES));
  const tree = compileSource(beside.flatMap(({ inTree }) => inTree));
  const table = compileSource(beside.flatMap(({ inTable }) => inTable));
  const isNested = columnsOf(spec).some((column) => column.includes('/'));
  return (cells) => {
    const text = (cells.text === undefined || isNested ? tree : table).first(cells);
    return text === undefined || mileageUnit(text) === undefined ? undefined : text;
  };
}

export function displacementMapper(source: CellSource): FieldMapper {
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined || saysNothing(raw.trim())) return;
    const cubicCentimeters = parseDisplacement(raw);
    if (cubicCentimeters === undefined)
      draft.warn('value_invalid', source, raw.trim(), doubtAboutNumber(raw));
    else if (cubicCentimeters > 0) draft.vehicle.displacement_cc = cubicCentimeters;
  };
}

export function flagMapper(source: CellSource): FieldMapper {
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined || saysNothing(raw.trim())) return;
    const flag = parseFlag(raw);
    if (flag === undefined) draft.warn('value_invalid', source, raw.trim());
    else draft.vehicle.dc_fast_charge = flag;
  };
}
