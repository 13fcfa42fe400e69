import type { Cells } from '../../../adapters/feed-reader.ts';
import { normaliseColumnPath } from '../../../model/column.ts';
import { columnsOf, type TextSpec } from '../../profile/feed-profile.ts';
import { remembering } from '../fields/remembering.ts';
import { isNeverPublished } from '../../profile/never-published.ts';

/** Where a field's text comes from in every row; names are resolved once, when the profile is compiled. */
export interface CellSource {
  /** As the profile spells them. */
  readonly columns: readonly string[];
  /** The first text that is not blank, not trimmed; undefined when there is none. */
  first(cells: Cells): string | undefined;
  /** Every text that is not blank, column by column. */
  all(cells: Cells): string[];
  /** The column that `first` takes its text from, else the first that the row has, else the first. For the report. */
  columnOf(cells: Cells): string;
}

interface Column {
  name: string;
  texts(cells: Cells): readonly string[] | undefined;
}

const NO_TEXT: readonly string[] = [];

export function compileSource(source: string | string[] | TextSpec): CellSource {
  const columns = columnsOf(source).map(compileColumn);
  const constant =
    typeof source === 'object' && !Array.isArray(source) && source.constant !== undefined
      ? String(source.constant)
      : undefined;
  return {
    columns: columns.map(({ name }) => name),
    first(cells) {
      for (const column of columns) {
        for (const text of column.texts(cells) ?? NO_TEXT) if (!isBlank(text)) return text;
      }
      return constant;
    },
    all(cells) {
      const found: string[] = [];
      for (const column of columns) {
        for (const text of column.texts(cells) ?? NO_TEXT) if (!isBlank(text)) found.push(text);
      }
      return found.length === 0 && constant !== undefined ? [constant] : found;
    },
    columnOf(cells) {
      const filled = columns.find((column) => column.texts(cells)?.some((text) => !isBlank(text)));
      const present = columns.find((column) => column.texts(cells) !== undefined);
      return (filled ?? present ?? columns[0])?.name ?? '';
    },
  };
}

function isBlank(text: string): boolean {
  return text === '' || text.trim() === '';
}

function compileColumn(name: string): Column {
  const key = normaliseColumnPath(name);
  if (!key.includes('*')) return { name, texts: (cells) => cells.get(key) };
  const matches = wildcard(key);
  return {
    name,
    texts: (cells) => [...cells.keys()].filter(matches).flatMap((each) => cells.get(each) ?? NO_TEXT),
  };
}

/** Whether a normalised column of the file is the one that the profile names, wildcards included. */
export function compileColumnMatcher(name: string): (column: string) => boolean {
  const key = normaliseColumnPath(name);
  return key.includes('*') ? wildcard(key) : (column) => column === key;
}

/** `images/*`, `image[*]url`: each star stands for anything within one step, but never for a secret column. */
function wildcard(key: string): (column: string) => boolean {
  const source = key.split('*').map((part) => part.replace(/[^\w/]/g, '\\$&'));
  const pattern = new RegExp(`^${source.join('[^/]*')}$`);
  return remembering((column) => pattern.test(column) && !isNeverPublished(column));
}
