import path from 'node:path';
import { compileSchema } from '../../documents/json-schema.ts';
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
  'fees' | 'other_attributes' | 'other_attributes_list' | 'price'
>;

/** config/aliases.yaml as it is written (schemas/column-aliases.schema.json). */
interface WrittenAliases {
  fields: Partial<Record<AliasField, string[]>>;
  certified: string[];
  answers_is_new: string[];
  answers_is_used: string[];
  mileage_unit: string[];
  action: string[];
  ambiguous: Record<string, { field: AliasField; question: string }>;
}

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
  readonly certified: readonly Alias[];
  readonly answersIsNew: readonly Alias[];
  readonly answersIsUsed: readonly Alias[];
  readonly mileageUnit: readonly Alias[];
  readonly action: readonly Alias[];
  ambiguity(key: string): Ambiguity | undefined;
  /** Whether any field has a column of this name. */
  isKnown(key: string): boolean;
}

/**
 * How a column is looked up, `spelled` being its name in the file: whether XML has a value as an element or as an
 * attribute of the record makes no difference.
 */
export function aliasKey(spelled: string): string {
  return normaliseColumnPath(spelled).replace(/^@/, '');
}

const checkAliases = compileSchema(columnAliasesSchema);

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
    Object.entries(written.fields).map(([field, names]) => [field, compileNames(names)] as const),
  );
  const ambiguous = new Map(
    Object.entries(written.ambiguous).map(([name, ambiguity]) => [aliasKey(name), ambiguity]),
  );
  const all = [...fields.values()].flat();
  return {
    of: (field) => fields.get(field) ?? [],
    certified: compileNames(written.certified),
    answersIsNew: compileNames(written.answers_is_new),
    answersIsUsed: compileNames(written.answers_is_used),
    mileageUnit: compileNames(written.mileage_unit),
    action: compileNames(written.action),
    ambiguity: (key) => ambiguous.get(key),
    isKnown: (key) => all.some(({ matches }) => matches(key)),
  };
}

function compileNames(names: readonly string[]): Alias[] {
  return names.map((name) => ({ name, matches: compileColumnMatcher(name) }));
}
