import type { ProfileMap } from '../../profile/feed-profile.ts';
import { compileDateFormat, parseDate } from '../fields/date.ts';
import { saysNothing } from '../fields/text.ts';
import { compileSource } from './cell-source.ts';
import type { FieldMapper } from './row-draft.ts';

/** `today`: `YYYY-MM-DD`. What is on order may come next year, and no later. */
export function dateMapper(spec: NonNullable<ProfileMap['inventory_date']>, today: string): FieldMapper {
  const latest = `${Number(today.slice(0, 4)) + 1}-12-31`;
  const source = compileSource(spec);
  const written = typeof spec === 'object' && !Array.isArray(spec) ? spec.format : undefined;
  const format = written === undefined ? undefined : compileDateFormat(written);
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined || saysNothing(raw.trim())) return;
    const date = parseDate(raw, format);
    if (date === undefined || date > latest) draft.warn('date_invalid', source, raw.trim());
    else draft.vehicle.inventory_date = date;
  };
}
