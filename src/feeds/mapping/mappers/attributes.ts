import type { ListSource } from '../../profile/feed-profile.ts';
import { attributePairs, attributeValue, LONGEST_TEXT } from '../fields/attributes.ts';
import { holdsRecord } from '../fields/json-cell.ts';
import { isNeverPublished } from '../../profile/never-published.ts';
import { compileSource } from './cell-source.ts';
import { compileLists } from './lists.ts';
import type { FieldMapper } from './row-draft.ts';

export function attributesMapper(attributes: Readonly<Record<string, ListSource>>): FieldMapper {
  const compiled = Object.entries(attributes).flatMap(([name, list]) =>
    compileLists(list).map((item) => ({ name, ...item })),
  );
  return (draft) => {
    for (const { name, source, spec, texts } of compiled) {
      const [raw] = texts(draft.cells);
      if (raw !== undefined && spec.separator === undefined && holdsRecord(raw)) {
        draft.warn('value_invalid', source, raw);
        continue;
      }
      const value = raw === undefined ? undefined : attributeValue(raw, spec);
      if (value !== undefined) draft.setAttribute(name, value);
      else if (raw !== undefined && raw.length > LONGEST_TEXT) draft.warn('value_too_long', source, raw);
    }
  };
}

export function attributeListMapper({
  column,
  separator,
}: {
  column: string;
  separator: string;
}): FieldMapper {
  const source = compileSource(column);
  return (draft) => {
    const raw = source.first(draft.cells);
    if (raw === undefined) return;
    const { pairs, invalid } = attributePairs(raw, separator);
    for (const { name, value } of pairs) {
      const attribute = isNeverPublished(name) ? undefined : attributeValue(value, {});
      if (attribute !== undefined) draft.setAttribute(name, attribute);
    }
    if (invalid.length > 0) draft.warn('value_invalid', source, invalid.join(separator));
  };
}
