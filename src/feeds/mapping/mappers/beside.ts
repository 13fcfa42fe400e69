/** What may stand beside a value and say what it is. */
export const MARK_NAMES = ['kind', 'type', 'name', 'label', 'class', 'key', 'title', 'code'] as const;
export const CURRENCY_NAMES = ['currency', 'currency code', 'curr'] as const;
/** They speak of all prices of a row. */
export const CURRENCY_OF_ROW = [
  ...['currency', 'currency code', 'price currency', '@currency', '@currency code'],
] as const;
export const UNIT_NAMES = ['unit', 'units', 'uom'] as const;

/** Columns in which a fact about another column's values may stand that nobody has mapped. */
export interface ColumnsBeside {
  /** `price/@currency`, `price/currency` beside `price/amount`. */
  inTree: string[];
  /** Of a table: the names of both, `Mileage Unit`. */
  inTable: string[];
}

/** `facts` are names such as currency or unit. */
export function columnsBeside(column: string, facts: readonly string[]): ColumnsBeside {
  if (column.includes('*')) return { inTree: [], inTable: [] };
  const isAttribute = /(?:^|\/)@[^/]*$/.test(column);
  const attributes = isAttribute ? [] : facts.map((fact) => `${column}/@${fact}`);
  const parent = parentOf(column);
  const inTable = column.includes('/') ? [] : facts.map((fact) => `${column} ${fact}`);
  if (parent === '') return { inTree: attributes, inTable };
  return {
    inTree: [...attributes, ...facts.flatMap((fact) => [`${parent}/${fact}`, `${parent}/@${fact}`])],
    inTable,
  };
}

/** `Prices` of `Prices/Price[@kind=asking]`, `Price[kind=asking]` of `Price[kind=asking]/Amount`. */
function parentOf(column: string): string {
  const behindChoice = column.lastIndexOf(']/');
  if (behindChoice >= 0) return column.slice(0, behindChoice + 1);
  const path = column.replace(/\[.*$/, '');
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}
