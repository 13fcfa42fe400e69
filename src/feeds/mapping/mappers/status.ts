import type { ListingStatus } from '../../../model/vehicle.ts';
import type { ProfileMap } from '../../profile/feed-profile.ts';
import { lineText } from '../fields/text.ts';
import type { Rejection } from '../../records.ts';
import { OUT_OF_STOCK } from '../../profile/vocabulary.ts';
import { compileSource } from './cell-source.ts';
import type { RowDraft } from './row-draft.ts';
import type { Translate } from './words.ts';

/** A blank status says nothing, so the vehicle is available; sold and unknown words refuse the row. */
export function compileStatus(
  source: ProfileMap['status'],
  translate: Translate,
): (draft: RowDraft) => Rejection | undefined {
  if (source === undefined) return () => undefined;
  const cells = compileSource(source);
  return (draft) => {
    const raw = cells.first(draft.cells);
    const text = raw === undefined ? undefined : lineText(raw);
    if (text === undefined) return undefined;
    const word = translate(text);
    if (word === undefined) return draft.rejection('status_unknown', cells, text);
    if (word === OUT_OF_STOCK) return draft.rejection('status_out_of_stock', cells, text);
    draft.vehicle.status = word as ListingStatus;
    return undefined;
  };
}
