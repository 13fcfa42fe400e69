import type { PROSE_FIELDS, TEXT_FIELDS } from '../../profile/feed-profile.ts';
import { holdsRecord } from '../fields/json-cell.ts';
import { descriptionText } from '../fields/html-text.ts';
import { lineText, looksLikeDate, looksLikeDateSerial, saysNothing } from '../fields/text.ts';
import { webAddress } from '../fields/web-address.ts';
import type { CellSource } from './cell-source.ts';
import type { FieldMapper, RowDraft } from './row-draft.ts';

const LONGEST_LINE = 250;

/** A text on one line; undefined (and a warning) when it is longer than any honest one. */
export function readLine(draft: RowDraft, source: CellSource): string | undefined {
  const raw = source.first(draft.cells);
  if (raw !== undefined && holdsRecord(raw)) {
    draft.warn('value_invalid', source, raw);
    return undefined;
  }
  const text = raw === undefined ? undefined : lineText(raw);
  if (text === undefined || text.length <= LONGEST_LINE) return text;
  draft.warn('value_too_long', source, text);
  return undefined;
}

export function textMapper(field: (typeof TEXT_FIELDS)[number], source: CellSource): FieldMapper {
  const mayBecomeDate = field === 'model' || field === 'trim';
  return (draft) => {
    const text = readLine(draft, source);
    if (text === undefined) return;
    draft.vehicle[field] = text;
    if (mayBecomeDate && (looksLikeDate(text) || looksLikeDateSerial(text)))
      draft.warn('value_looks_like_date', source, text);
  };
}

export function proseMapper(field: (typeof PROSE_FIELDS)[number], source: CellSource): FieldMapper {
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw !== undefined && holdsRecord(raw)) {
      draft.warn('value_invalid', source, raw);
      return;
    }
    const text = raw === undefined ? undefined : descriptionText(raw);
    if (text !== undefined && !saysNothing(text)) draft.vehicle[field] = text;
  };
}

export function addressMapper(source: CellSource): FieldMapper {
  return (draft) => {
    const raw = source.first(draft.cells)?.trim();
    if (raw === undefined || saysNothing(raw)) return;
    const address = webAddress(raw);
    if (address === undefined) draft.warn('value_invalid', source, raw);
    else draft.vehicle.vdp_url = address;
  };
}
