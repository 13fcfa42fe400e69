import type { Cells } from '../../../adapters/feed-reader.ts';
import type { ListingStatus } from '../../../model/vehicle.ts';
import type { ProfileMap } from '../../profile/feed-profile.ts';
import { lineText } from '../fields/text.ts';
import type { Rejection } from '../../records.ts';
import { OUT_OF_STOCK } from '../../profile/vocabulary.ts';
import { compileEach, type CellSource } from './cell-source.ts';
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
  const filledColumns = compileEach(source);
  return (draft) => {
    let furthest: { word: string; text: string; column: CellSource } | undefined;
    for (const column of filledColumns(draft.cells)) {
      for (const raw of textsOf(column, draft.cells)) {
        const text = lineText(raw);
        if (text === undefined) continue;
        const word = translate(text);
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

/** An element may stand several times, as if it were several columns. */
function textsOf(column: CellSource, cells: Cells): readonly string[] {
  return cells.text === undefined ? column.ofFirst(cells) : [column.first(cells) ?? ''];
}

/** -1 when there is no word yet. */
function rankOf(word: string | undefined): number {
  return word === undefined ? -1 : NEAREST_TO_SALE_FIRST.indexOf(word);
}
