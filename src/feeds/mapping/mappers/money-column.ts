import type { Cells } from '../../../adapters/feed-reader.ts';
import type { MoneySpec } from '../../profile/feed-profile.ts';
import { columnsOf, unitColumns } from '../../profile/feed-profile.ts';
import { currencyOf } from '../fields/currency.ts';
import { columnsBeside, CURRENCY_NAMES, CURRENCY_OF_ROW } from './beside.ts';
import { compileSource, type CellSource } from './cell-source.ts';
import { compileWithoutCost } from './marked-texts.ts';

type MoneySource = string | string[] | MoneySpec;

/** One column of amounts, and what stands beside them. */
export interface MoneyColumn {
  readonly source: CellSource;
  /** What is filled in a row, without what is marked as cost; undefined where it cannot be told which is which. */
  amounts(cells: Cells): readonly string[] | undefined;
  /** Where another currency than US dollars stands, if one does. */
  foreignCurrency(cells: Cells): { source: CellSource; text: string } | undefined;
}

const NOTHING: readonly string[] = [];

/** Each column on its own; a source without columns has its constant as the only one. */
export function compileMoneyColumns(source: MoneySource): MoneyColumn[] {
  const columns = columnsOf(source);
  const currency = typeof source === 'object' && !Array.isArray(source) ? source.currency : undefined;
  if (columns.length > 0) return columns.map((column) => compileColumn(column, currency));
  const constant = compileSource(source);
  return [
    { source: constant, amounts: (cells) => constant.ofFirst(cells), foreignCurrency: () => undefined },
  ];
}

function compileColumn(column: string, currency: MoneySpec['currency']): MoneyColumn {
  const source = compileSource(column);
  const withoutCost = compileWithoutCost(column);
  return {
    source,
    amounts(cells) {
      if (cells.text !== undefined && !column.includes('/')) {
        const text = source.first(cells);
        return text === undefined ? NOTHING : [text];
      }
      return withoutCost(source.ofFirst(cells), cells);
    },
    foreignCurrency: compileCurrency(column, currency),
  };
}

function compileCurrency(column: string, currency: MoneySpec['currency']): MoneyColumn['foreignCurrency'] {
  const named = unitColumns(currency);
  if (named.length > 0) {
    const source = compileSource(named);
    // A person has named it, so that whatever is no US dollar counts.
    return (cells) => foreignIn([source], cells, (text) => currencyOf(text) !== 'dollars');
  }
  if (typeof currency === 'object' && !Array.isArray(currency)) {
    const constant = compileSource({ constant: currency.constant });
    return currencyOf(currency.constant) === 'dollars'
      ? () => undefined
      : () => ({ source: constant, text: currency.constant });
  }
  const { inTree, inTable } = columnsBeside(column, CURRENCY_NAMES);
  const tree = [...inTree, ...CURRENCY_OF_ROW].map((name) => compileSource(name));
  const table = [...inTable, ...CURRENCY_OF_ROW]
    .filter((name) => !name.includes('@'))
    .map((name) => compileSource(name));
  return (cells) => {
    const isPlainTable = cells.text !== undefined && !column.includes('/');
    return foreignIn(isPlainTable ? table : tree, cells, (text) => currencyOf(text) === 'foreign');
  };
}

function foreignIn(
  sources: readonly CellSource[],
  cells: Cells,
  isForeign: (text: string) => boolean,
): { source: CellSource; text: string } | undefined {
  for (const source of sources) {
    if (source.first(cells) === undefined) continue;
    const text = source.all(cells).find(isForeign);
    if (text !== undefined) return { source, text: text.trim() };
  }
  return undefined;
}
