import type { Cells } from '../../../adapters/feed-reader.ts';
import { normaliseColumnPath } from '../../../model/column.ts';
import { chosenColumn } from '../../profile/column-choice.ts';
import {
  columnsOf,
  NUMBER_FIELDS,
  WHOLE_NUMBER_FIELDS,
  type ProfileMap,
} from '../../profile/feed-profile.ts';

/** `€ 21.995,50`, `21 995,50 $`, `45.210 km`, `1,5 L`: what stands around the number stays. */
const COMMA_NUMBER = /^(\D*?)(\d{1,3}(?:[.\s\u00a0\u202f'’]\d{3})+|\d+)(?:,(\d+))?(\D*)$/;
const LONGEST_NUMBER = 60;

/** A number with a comma before its decimals in the American way; any other text as it is. */
export function withDecimalPoint(text: string): string {
  const match = text.length > LONGEST_NUMBER ? null : COMMA_NUMBER.exec(text.trim());
  if (match === null) return text;
  const [, before = '', whole = '', decimals, after = ''] = match;
  return `${before}${whole.replace(/\D/g, '')}${decimals === undefined ? '' : `.${decimals}`}${after}`;
}

/** For profiles with a decimal comma: a view of a row in which the columns that hold numbers are American. */
export function compileDecimalComma(map: ProfileMap): (cells: Cells) => Cells {
  const columns = new Set(numberColumns(map).map(chosenColumn).map(normaliseColumnPath));
  return (cells) => ({
    get: (column) => {
      const texts = cells.get(column);
      return columns.has(column) ? texts?.map(withDecimalPoint) : texts;
    },
    keys: () => cells.keys(),
  });
}

function numberColumns(map: ProfileMap): string[] {
  const single = (
    [
      'list_price',
      'sale_price',
      'price',
      'msrp',
      'displacement_cc',
      ...NUMBER_FIELDS,
      ...WHOLE_NUMBER_FIELDS,
    ] as const
  ).flatMap((field) => columnsOf(map[field]));
  const lists = [map.mileage ?? [], map.fees ?? []].flat().flatMap(columnsOf);
  return [...single, ...lists];
}
