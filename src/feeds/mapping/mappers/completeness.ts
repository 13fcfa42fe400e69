import type { ProfileMap } from '../../profile/feed-profile.ts';
import type { Rejection } from '../../records.ts';
import { compileSource } from './cell-source.ts';
import type { RowDraft } from './row-draft.ts';

/** A total or a note below the table has none of what every vehicle has. */
export function compileIsVehicle(map: ProfileMap): (draft: RowDraft) => boolean {
  const sources = [map.year, map.make, map.model, map.list_price, map.price].flatMap((source) => {
    const compiled = source === undefined ? undefined : compileSource(source);
    return compiled === undefined || compiled.columns.length === 0 ? [] : [compiled];
  });
  return (draft) => sources.some((source) => source.first(draft.cells) !== undefined);
}

/** Names every field that is missing; the column and text are those of the first. */
export function compileMissingFields(map: ProfileMap): (draft: RowDraft) => Rejection | undefined {
  const needed = (['year', 'make', 'model'] as const).map((field) => ({
    field,
    source: compileSource(map[field] ?? []),
  }));
  return (draft) => {
    const missing = needed.filter(({ field }) => draft.vehicle[field] === undefined);
    const [first] = missing;
    if (first === undefined) return undefined;
    const text = first.source.first(draft.cells)?.trim() ?? '';
    const detail = missing.map(({ field }) => field).join(', ');
    return draft.rejection('missing_required', first.source, text, detail);
  };
}
