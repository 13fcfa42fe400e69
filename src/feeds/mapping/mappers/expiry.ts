import type { ProfileMap } from '../../profile/feed-profile.ts';
import type { Rejection } from '../../records.ts';
import { compileDateFormat, parseDate } from '../fields/date.ts';
import { saysNothing } from '../fields/text.ts';
import { compileSource } from './cell-source.ts';
import type { RowDraft } from './row-draft.ts';

/**
 * For formats that leave a sold vehicle in the file until its advertisement ends: refuses the row from the day after
 * its last one.
 * @param today `YYYY-MM-DD`
 */
export function compileExpiry(
  spec: ProfileMap['expires'],
  today: string,
): (draft: RowDraft) => Rejection | undefined {
  if (spec === undefined) return () => undefined;
  const source = compileSource(spec);
  const written = typeof spec === 'object' && !Array.isArray(spec) ? spec.format : undefined;
  const format = written === undefined ? undefined : compileDateFormat(written);
  return (draft) => {
    const raw = source.first(draft.cells)?.trim();
    if (raw === undefined || saysNothing(raw)) return undefined;
    const lastDay = parseDate(raw, format);
    if (lastDay === undefined) draft.warn('date_invalid', source, raw);
    else if (lastDay < today)
      return draft.rejection('status_out_of_stock', source, raw, 'its advertisement has ended');
    return undefined;
  };
}
