import type { Cells } from '../../adapters/feed-reader.ts';
import { normaliseColumnPath } from '../../model/column.ts';
import { columnsBeside, MARK_NAMES } from '../mapping/mappers/beside.ts';
import { isNeverPublished } from '../profile/never-published.ts';

/** In place of a cell whose secrets cannot be told from the rest. */
const HIDDEN = '';

/** Gives the texts of a column's cell that may be shown outside of the dealership. */
export type ShowCell = (cells: Cells) => string[];

/** `columns` are those of the file, `isSecret` judges a column or a path into its JSON. */
export function compileShowCell(
  name: string,
  columns: ReadonlySet<string>,
  isSecret: (column: string) => boolean,
): ShowCell {
  const key = normaliseColumnPath(name);
  const names = columnsBeside(name, MARK_NAMES)
    .inTree.map(normaliseColumnPath)
    .filter((each) => each !== key && columns.has(each));
  return (cells) => {
    const texts = (cells.get(key) ?? []).map((text) => withoutSecretMembers(text, name, isSecret));
    return names.reduce((shown, each) => withoutSecretPairs(shown, cells.get(each) ?? []), texts);
  };
}

function withoutSecretPairs(texts: string[], names: readonly string[]): string[] {
  if (!names.some(isNeverPublished)) return texts;
  return texts.map((text, place) =>
    texts.length === names.length && !isNeverPublished(names[place] ?? '') ? text : HIDDEN,
  );
}

/** JSON without the members that are secret; any other text as it is. */
function withoutSecretMembers(text: string, name: string, isSecret: (column: string) => boolean): string {
  if (!/^\s*[[{]/.test(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // `[Nice car]` is no JSON; what was to be some may hold anything.
    return /^\s*(?:\[\s*)?\{/.test(text) ? HIDDEN : text;
  }
  const shown = JSON.stringify(withoutSecrets(value, name, isSecret));
  return shown === JSON.stringify(value) ? text : shown;
}

function withoutSecrets(value: unknown, path: string, isSecret: (column: string) => boolean): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutSecrets(item, path, isSecret));
  if (typeof value !== 'object' || value === null) return value;
  const isSecretPair = Object.values(value).some(isSecretName);
  const kept = Object.entries(value).filter(([member, inner]) => {
    const isValueOfPair = isSecretPair && typeof inner !== 'object' && !isSecretName(inner);
    return !isValueOfPair && !isSecret(`${path}/${member}`);
  });
  return Object.fromEntries(
    kept.map(([member, inner]) => [member, withoutSecrets(inner, `${path}/${member}`, isSecret)]),
  );
}

function isSecretName(value: unknown): boolean {
  return typeof value === 'string' && isNeverPublished(value);
}
