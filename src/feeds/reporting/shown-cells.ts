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
  let hasSecrets = false;
  const open = (inner: unknown, path: string): unknown => {
    if (Array.isArray(inner)) return inner.map((item) => open(item, path));
    if (typeof inner !== 'object' || inner === null) return inner;
    const isSecretPair = Object.values(inner).some(
      (each) => typeof each === 'string' && isNeverPublished(each),
    );
    const kept = Object.entries(inner).filter(
      ([member, each]) =>
        !isSecret(`${path}/${member}`) &&
        !(isSecretPair && typeof each !== 'object' && !isNeverPublished(String(each))),
    );
    hasSecrets ||= kept.length < Object.keys(inner).length;
    return Object.fromEntries(kept.map(([member, each]) => [member, open(each, `${path}/${member}`)]));
  };
  const shown = open(value, name);
  return hasSecrets ? JSON.stringify(shown) : text;
}
