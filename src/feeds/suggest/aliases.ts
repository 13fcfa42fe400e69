import path from 'node:path';
import { compileWhenUsed } from '../../documents/json-schema.ts';
import { readSettingsFile } from '../../documents/settings-file.ts';
import { parseYaml } from '../../documents/yaml-document.ts';
import { normaliseColumnPath } from '../../model/column.ts';
import { failure, success, type Result } from '../../model/problem.ts';
import columnAliasesSchema from '../../../schemas/column-aliases.schema.json' with { type: 'json' };
import { compileColumnMatcher } from '../mapping/mappers/cell-source.ts';
import type { ProfileMap } from '../profile/feed-profile.ts';
import { faultProblem } from '../profile/profile-problems.ts';

/** A field of a profile's map for which column names are known. */
export type AliasField = Exclude<
  keyof ProfileMap,
  'fees' | 'other_attributes' | 'other_attributes_list' | 'price' | 'sale_price'
>;

/** Names that are no field of their own but say something about one. */
const ASIDE = [
  'certified',
  'answers_is_new',
  'answers_is_used',
  'mileage_unit',
  'kilometers',
  'engine_hours',
  'action',
  'sale_price',
  'sale_during',
  'sale_from',
  'sale_until',
  'says_sold',
  'says_pending',
  'says_intransit',
  'says_available',
] as const;
type AsideName = (typeof ASIDE)[number];

/** config/aliases.yaml as it is written (schemas/column-aliases.schema.json). */
type WrittenAliases = Record<AsideName | 'groups', string[]> & {
  fields: Partial<Record<AliasField, string[]>>;
  ambiguous: Record<string, Ambiguity>;
};

/** One known name of a column; with a star in it, it may stand for several columns. */
export interface Alias {
  name: string;
  matches: (key: string) => boolean;
}

interface Ambiguity {
  /** At which the question is asked. */
  field: AliasField;
  question: string;
}

export interface Aliases {
  of(field: AliasField): readonly Alias[];
  aside(name: AsideName): readonly Alias[];
  ambiguity(key: string): Ambiguity | undefined;
  /** Whether one of the fields, or any of all, has a column of this name. */
  isKnown(key: string, fields?: readonly AliasField[]): boolean;
  /**
   * The key by which a column of a file is looked up: as `aliasKey`, without the elements at its beginning that
   * only group columns (`Identification/VIN`).
   */
  keyOf(spelled: string): string;
}

/**
 * How names are compared: as everywhere, and besides without accents and whether XML has a value as an element or
 * as an attribute.
 */
export function aliasKey(spelled: string): string {
  const withoutAccents = spelled.normalize('NFD').replace(/\p{M}/gu, '');
  return normaliseColumnPath(withoutAccents).replaceAll('@', '');
}

const checkAliases = compileWhenUsed(() => columnAliasesSchema);

/** Reads the table. Tells every fault with line and column. */
export async function loadAliases(file: string): Promise<Result<Aliases>> {
  const text = await readSettingsFile(file);
  if (!text.ok) return text;
  const { document, problems } = parseYaml(text.value, path.basename(file));
  if (document === undefined || problems.length > 0) return failure(...problems);
  const faults = checkAliases(document.value).map((fault) => faultProblem(fault, document));
  return faults.length > 0 ? failure(...faults) : success(compile(document.value as WrittenAliases));
}

function compile(written: WrittenAliases): Aliases {
  const fields = new Map(
    Object.entries(written.fields).map(([field, names]) => [field as AliasField, compileNames(names)]),
  );
  const aside = new Map(ASIDE.map((name) => [name, compileNames(written[name])]));
  const ambiguous = new Map(
    Object.entries(written.ambiguous).map(([name, ambiguity]) => [aliasKey(name), ambiguity]),
  );
  const groups = new Set(written.groups.map(aliasKey));
  return {
    of: (field) => fields.get(field) ?? [],
    aside: (name) => aside.get(name) ?? [],
    ambiguity: (key) => ambiguous.get(key),
    isKnown: (key, among = [...fields.keys()]) =>
      among.some((field) => fields.get(field)?.some(({ matches }) => matches(key)) === true),
    keyOf(spelled) {
      const steps = aliasKey(spelled).split('/');
      while (steps.length > 1 && groups.has(steps[0] ?? '')) steps.shift();
      return steps.join('/');
    },
  };
}

function compileNames(names: readonly string[]): Alias[] {
  return names.map((name) => ({ name, matches: compileColumnMatcher(aliasKey(name)) }));
}
