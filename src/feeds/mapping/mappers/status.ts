import type { Cells } from '../../../adapters/feed-reader.ts';
import type { ListingStatus } from '../../../model/vehicle.ts';
import { normaliseWord } from '../../../model/vocabulary.ts';
import { columnsOf, type ProfileMap, type StatusSpec } from '../../profile/feed-profile.ts';
import { parseFlag } from '../fields/flag.ts';
import { remembering } from '../fields/remembering.ts';
import { lineText } from '../fields/text.ts';
import type { Rejection } from '../../records.ts';
import { OUT_OF_STOCK } from '../../profile/vocabulary.ts';
import { compileSource, type CellSource } from './cell-source.ts';
import type { RowDraft } from './row-draft.ts';
import type { Translate } from './words.ts';

/** From what a buyer can drive home today to what nobody can buy. */
const NEAREST_TO_SALE_FIRST = ['available', 'intransit', 'pending', OUT_OF_STOCK];

/**
 * A blank status says nothing, so the vehicle is available; sold and unknown words refuse the row. Of several
 * columns (a status, and a mark that a sale is pending) the one counts that keeps it furthest from a sale.
 */
export function compileStatus(
  source: ProfileMap['status'],
  translate: Translate,
): (draft: RowDraft) => Rejection | undefined {
  if (source === undefined) return () => undefined;
  const items: (string | StatusSpec)[] = Array.isArray(source) ? source : [source];
  const statements = items.flatMap((item) => compileStatements(item, translate));
  const constants = statements.filter(({ column }) => column.columns.length === 0);
  const columns = statements.filter(({ column }) => column.columns.length > 0);
  return (draft) => {
    const spoken = columns.some(({ column }) => column.first(draft.cells) !== undefined)
      ? columns
      : constants;
    let furthest: { word: string; text: string; column: CellSource } | undefined;
    for (const { column, read } of spoken) {
      for (const raw of textsOf(column, draft.cells)) {
        const text = lineText(raw);
        if (text === undefined) continue;
        const word = read(text);
        if (word === undefined) return draft.rejection('status_unknown', column, text);
        if (rankOf(word) > rankOf(furthest?.word)) furthest = { word, text, column };
      }
    }
    if (furthest === undefined) return undefined;
    const { word, text, column } = furthest;
    if (word === OUT_OF_STOCK) return draft.rejection('status_out_of_stock', column, text);
    draft.vehicle.status = word as ListingStatus;
    return undefined;
  };
}

/** One column, or a constant for rows in which no column says anything, and what a text means. */
interface Statement {
  column: CellSource;
  read: Translate;
}

function compileStatements(item: string | StatusSpec, translate: Translate): Statement[] {
  const columns = columnsOf(item);
  const read = typeof item === 'string' ? translate : statusReader(item, translate);
  const constant = typeof item === 'string' ? undefined : item.constant;
  return [
    ...columns.map((column) => ({ column: compileSource(column), read })),
    ...(constant === undefined ? [] : [{ column: compileSource({ constant }), read }]),
  ];
}

/** `if_yes` and `if_no` are for columns that answer yes or no, or that hold a date or number where it is so. */
export function statusReader(
  { values, if_yes: yes, if_no: no }: StatusSpec,
  translate: Translate = () => undefined,
): Translate {
  const own = new Map(
    Object.entries(values ?? {}).map(([text, word]) => [normaliseWord(text), String(word)]),
  );
  const byWord = (text: string): string | undefined => own.get(normaliseWord(text)) ?? translate(text);
  if (yes === undefined && no === undefined) return remembering(byWord);
  return remembering(
    (text) => own.get(normaliseWord(text)) ?? (saysNo(text) ? (no ?? 'available') : (yes ?? 'available')),
  );
}

/** Zeros stand for a date that never was. */
function saysNo(text: string): boolean {
  return (
    parseFlag(text) === false ||
    /^[0\s/.:T-]+$/.test(text) ||
    /^(?:0?1[/.-]0?1[/.-]1900|1900-01-01)\b/.test(text)
  );
}

/** An element may stand several times, as if it were several columns. */
function textsOf(column: CellSource, cells: Cells): readonly string[] {
  if (cells.text === undefined) return column.ofFirst(cells);
  const text = column.first(cells);
  return text === undefined ? NO_TEXT : [text];
}

const NO_TEXT: readonly string[] = [];

/** -1 when there is no word yet. */
function rankOf(word: string | undefined): number {
  return word === undefined ? -1 : NEAREST_TO_SALE_FIRST.indexOf(word);
}
