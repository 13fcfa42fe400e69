import type { Cells } from '../../../adapters/feed-reader.ts';
import { isNeverPublished } from '../../profile/never-published.ts';
import { columnsBeside, MARK_NAMES } from './beside.ts';
import { compileSource } from './cell-source.ts';

const NOTHING: readonly string[] = [];

/**
 * Takes out of a column's texts those beside which it stands that they are cost: `<Price kind="invoice">`,
 * `<attribute name="cost" value="15444"/>`. Undefined where some have no such mark, so that none can be told apart.
 */
export function compileWithoutCost(
  column: string,
): (texts: readonly string[], cells: Cells) => readonly string[] | undefined {
  const marks = columnsBeside(column, MARK_NAMES).inTree.map((name) => compileSource(name));
  const isInTable = !column.includes('/');
  return (texts, cells) => {
    if (texts.length === 0 || (isInTable && cells.text !== undefined)) return texts;
    for (const mark of marks) {
      const found = mark.all(cells);
      if (!found.some(isNeverPublished)) continue;
      if (found.every(isNeverPublished)) return NOTHING;
      if (found.length !== texts.length) return undefined;
      return texts.filter((_, place) => !isNeverPublished(found[place] ?? ''));
    }
    return texts;
  };
}
