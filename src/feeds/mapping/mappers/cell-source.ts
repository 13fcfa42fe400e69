import type { Cells } from '../../../adapters/feed-reader.ts';
import { normaliseColumn, normaliseColumnPath } from '../../../model/column.ts';
import { columnChoice, type ColumnChoice } from '../../profile/column-choice.ts';
import { columnsOf, type TextSpec } from '../../profile/feed-profile.ts';
import { jsonTexts } from '../fields/json-cell.ts';
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
  /**
   * Every text that is not blank of the column that `first` takes its text from: more than one where an element stands
   * several times. Empty when there is none.
   */
  ofFirst(cells: Cells): readonly string[];
  /** The column that `first` takes its text from, else the first that the row has, else the first. For the report. */
  columnOf(cells: Cells): string;
}

interface Column {
  name: string;
  texts(cells: Cells): readonly string[] | undefined;
  /** The first of them that is not blank. */
  first(cells: Cells): string | undefined;
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
        const text = column.first(cells);
        if (text !== undefined) return text;
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
    ofFirst(cells) {
      for (const column of columns) {
        const texts = column.texts(cells);
        if (texts?.some(isFilled) === true) return texts.filter(isFilled);
      }
      return constant === undefined ? NO_TEXT : [constant];
    },
    columnOf(cells) {
      const filled = columns.find((column) => column.first(cells) !== undefined);
      const present = columns.find((column) => column.texts(cells) !== undefined);
      return (filled ?? present ?? columns[0])?.name ?? '';
    },
  };
}

/**
 * For fields that look beyond the first column that is filled: gives the columns that are filled in a row, each on
 * its own, and where none is, the whole source with its constant.
 */
export function compileEach(source: string | string[] | TextSpec): (cells: Cells) => CellSource[] {
  const whole = compileSource(source);
  const columns = columnsOf(source).map(compileSource);
  return (cells) => {
    const filled = columns.filter((column) => column.first(cells) !== undefined);
    return filled.length > 0 ? filled : [whole];
  };
}

/** The first letter tells of nearly every text; only a blank one needs to be looked through. */
function isBlank(text: string): boolean {
  if (text === '') return true;
  const first = text.charCodeAt(0);
  return (first <= BLANK || first > LAST_ASCII) && text.trim() === '';
}

const BLANK = 0x20;
const LAST_ASCII = 0x7f;

function compileColumn(name: string): Column {
  const choice = columnChoice(name);
  if (choice !== undefined) return columnOfTexts(name, chosenTexts(choice));
  const key = normaliseColumnPath(name);
  if (key.includes('*')) return columnOfTexts(name, wildcardTexts(key));
  const slash = key.indexOf('/');
  if (slash < 0) return plainColumn(name, key);
  const column = key.slice(0, slash);
  const steps = key.slice(slash + 1).split('/');
  return columnOfTexts(name, (cells) => cells.get(key) ?? jsonTextsOf(cells.get(column), steps));
}

/** Where some elements have no mark, nobody can say which mark belongs to which, and none is chosen. */
function chosenTexts({ path, by, wanted }: ColumnChoice): Column['texts'] {
  const values = compileColumn(path);
  const marks = compileColumn(by);
  const isWanted = remembering((mark) => normaliseColumn(mark) === normaliseColumn(wanted));
  return (cells) => {
    const texts = values.texts(cells);
    const marksFound = marks.texts(cells);
    if (texts === undefined || texts.length !== marksFound?.length) return undefined;
    return texts.filter((_, place) => isWanted(marksFound[place] ?? ''));
  };
}

/** Looked up some forty times a row, so without a list around a single text. */
function plainColumn(name: string, key: string): Column {
  return {
    name,
    texts: (cells) => cells.get(key),
    first(cells) {
      if (cells.text === undefined) return cells.get(key)?.find(isFilled);
      const text = cells.text(key);
      return text === undefined || isBlank(text) ? undefined : text;
    },
  };
}

function columnOfTexts(name: string, texts: Column['texts']): Column {
  return { name, texts, first: (cells) => texts(cells)?.find(isFilled) };
}

function isFilled(text: string): boolean {
  return !isBlank(text);
}

/** In a table a path may lead into a cell that holds JSON: `mileage/value` into `{"value": 24870, "unit": "MI"}`. */
function jsonTextsOf(texts: readonly string[] | undefined, steps: readonly string[]): string[] | undefined {
  const found = texts?.flatMap((text) => jsonTexts(text, steps)) ?? [];
  return found.length === 0 ? undefined : found;
}

/**
 * Numbered columns count in the order of their numbers: `image[2].url` before `image[10].url`, wherever they stand. For
 * `images/*` these are `images/image2` and `images/image10`; where the words before the numbers differ (`exterior2`,
 * `interior1`), they are not one list, and the order of the file counts.
 */
function wildcardTexts(key: string): Column['texts'] {
  const matches = wildcard(key);
  const firstStar = key.indexOf('*');
  /** Undefined where the column is none of these; the number is -1 where it has none. */
  const placeOf = remembering((column) => {
    if (!matches(column)) return undefined;
    const [, word = '', digits] = /^([^\d/]*)(\d{1,6})/.exec(column.slice(firstStar)) ?? [];
    return digits === undefined ? WITHOUT_NUMBER : { word, number: Number(digits) };
  });
  return (cells) => {
    const found: NumberedTexts[] = [];
    let isInOrder = true;
    let isOneList = true;
    let listWord: string | undefined;
    for (const column of cells.keys()) {
      const place = placeOf(column);
      if (place === undefined) continue;
      const { word, number } = place;
      isOneList &&= word === undefined || word === (listWord ??= word);
      isInOrder &&= number >= (found.at(-1)?.place.number ?? -1);
      found.push({ place, texts: cells.get(column) ?? NO_TEXT });
    }
    const rank = ({ place }: NumberedTexts) => (isOneList || place.word === '' ? place.number : -1);
    if (!isInOrder || !isOneList) found.sort((one, other) => rank(one) - rank(other));
    return found.flatMap(({ texts }) => texts);
  };
}

interface NumberedTexts {
  place: { word: string | undefined; number: number };
  texts: readonly string[];
}

const WITHOUT_NUMBER = { word: undefined, number: -1 };

/** Whether a normalised column of the file is the one that the profile names, wildcards included. */
export function compileColumnMatcher(name: string): (column: string) => boolean {
  const choice = columnChoice(name);
  if (choice !== undefined) {
    const chosen = [choice.path, choice.by].map(normaliseColumnPath);
    return (column) => chosen.includes(column);
  }
  const key = normaliseColumnPath(name);
  return key.includes('*') ? wildcard(key) : (column) => column === key;
}

/** `images/*`, `image[*]url`: each star stands for anything within one step, but never for a secret column. */
function wildcard(key: string): (column: string) => boolean {
  const source = key.split('*').map((part) => part.replace(/[^\w/]/g, '\\$&'));
  const pattern = new RegExp(`^${source.join('[^/]*')}$`);
  return remembering((column) => pattern.test(column) && !isNeverPublished(column));
}
