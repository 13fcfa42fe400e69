import { normaliseColumn, normaliseColumnPath } from '../../model/column.ts';
import { compileColumnMatcher } from '../mapping/mappers/cell-source.ts';
import { chosenColumn } from './column-choice.ts';
import {
  columnsOf,
  isYearFromVin,
  unitColumns,
  type ConditionSpec,
  type FeedProfile,
  type MileageSpec,
  type MoneySpec,
  type ProfileMap,
  type SaleSpec,
} from './feed-profile.ts';
import { isNeverPublished } from './never-published.ts';

/** What the columns of a file are to a profile. */
export interface ColumnUse {
  /** What is required and not there, as the profile names it: `VIN`, `Stock or Id`. Empty when all is well. */
  missing: string[];
  /** Columns that are neither mapped nor known as private, as the file spells them. */
  unused: string[];
}

/** `columns` are those of the file, as it spells them (of XML: the paths that occur). */
export function columnUse(profile: FeedProfile, columns: readonly string[]): ColumnUse {
  const present = columns.map((column) => ({ column, key: normaliseColumnPath(column) }));
  const excluded = new Set(profile.never_publish.map(normaliseColumnPath));
  const isPrivate = (column: string, key: string): boolean => excluded.has(key) || isNeverPublished(column);
  const used = mappedNames(profile).flatMap(withJsonColumn).map(compileColumnMatcher);
  const isUsed = (key: string): boolean => used.some((matches) => matches(key));
  return {
    missing: profile.required.flatMap((fields) => missingOf(profile.map, fields, present)),
    unused: present
      .filter(({ column, key }) => column !== '' && !isPrivate(column, key) && !isUsed(key))
      .map(({ column }) => column),
  };
}

/** The columns that the profile reads these fields from, where the file has none of them; else empty. */
export function lackedColumns(
  map: ProfileMap,
  fields: readonly (keyof ProfileMap)[],
  columns: readonly string[],
): string[] {
  const present = columns.map((column) => ({ key: normaliseColumnPath(column) }));
  return missingOf(map, fields, present).filter((names) => names !== '');
}

function missingOf(
  map: ProfileMap,
  fields: readonly string[],
  present: readonly { key: string }[],
): string[] {
  const sources = fields.flatMap((field) => map[field as keyof ProfileMap] ?? []);
  if (sources.some(hasConstant) || (fields.includes('year') && isYearFromVin(map))) return [];
  const names = sources.flatMap(valueColumns);
  const found = names
    .flatMap(withJsonColumn)
    .map(compileColumnMatcher)
    .some((matches) => present.some(({ key }) => matches(key)));
  return found ? [] : [names.join(' or ')];
}

/**
 * A path may also lead into a column that holds JSON, and then that column is the one that is used. In `New/Used` the
 * slash stands between two words of one name.
 */
function withJsonColumn(name: string): string[] {
  const [head = '', ...steps] = chosenColumn(name).split('/');
  return steps.length === 0 || WORDS_FOR_NEW.has(normaliseColumn(head)) ? [name] : [name, head];
}

const WORDS_FOR_NEW = new Set(['new', 'n', 'neuf', 'neu', 'nuevo', 'nuovo', 'novo']);

function hasConstant(source: unknown): boolean {
  return typeof source === 'object' && source !== null && 'constant' in source;
}

function mappedNames(profile: FeedProfile): string[] {
  const { other_attributes: attributes = {}, ...fields } = profile.map;
  const names = [...Object.values(fields), ...Object.values(attributes)].flatMap(namesIn);
  return [...names, profile.action?.column ?? [], profile.gather?.order_by ?? []].flat();
}

/** The columns that hold the field's value, of a source of any kind. */
function valueColumns(source: unknown): string[] {
  if (typeof source === 'string') return [source];
  if (Array.isArray(source)) return source.flatMap(valueColumns);
  return typeof source === 'object' && source !== null ? columnsOf(source) : [];
}

/** The same with the columns that only help to read it: the certified mark, the unit, the dates of a sale. */
function namesIn(source: unknown): string[] {
  if (Array.isArray(source)) return source.flatMap(namesIn);
  const { certified, unit, currency, during, from, until } = (source ?? {}) as Pick<
    ConditionSpec,
    'certified'
  > &
    Pick<MileageSpec, 'unit'> &
    Pick<MoneySpec, 'currency'> &
    Pick<SaleSpec, 'during' | 'from' | 'until'>;
  const dates = [during, from, until].flatMap((columns) => columns ?? []);
  return [valueColumns(source), certified ?? [], unitColumns(unit), unitColumns(currency), dates].flat();
}
