import { compileDateFormat, parseDate } from '../mapping/fields/date.ts';
import type { ColumnSketch } from './column-sketch.ts';

export type DateOrder =
  /** Understood without being told, and in one way only. */
  | { kind: 'plain' }
  | { kind: 'format'; format: string }
  /** Both orders fit every value. `format` says how they are read until a person decides, `other` is the other way. */
  | { kind: 'ambiguous'; format: string; other: string }
  | { kind: 'unknown' };

const TIME_OF_DAY = /[T ]+\d{1,2}:\d{2}.*$/;
const MARKS = ['/', '.', '-'];
const YEARS = ['YYYY', 'YY'];
/** Written without a choice of order, but not understood unless the profile says so. */
const OTHER_FORMATS = ['YYYY.MM.DD', 'MMM D YYYY', 'D MMM YYYY', 'D. MMM YYYY', 'DD-MMM-YY'];

/** In which order a column's dates have day, month and year, by what all its values allow. */
export function dateOrder(column: ColumnSketch): DateOrder {
  const values = column.values().map(({ value }) => value.replace(TIME_OF_DAY, ''));
  if (values.length === 0) return { kind: 'plain' };
  const reads = (format: string): boolean => {
    const read = compileDateFormat(format);
    return read !== undefined && values.every((value) => read(value) !== undefined);
  };
  for (const year of YEARS) {
    for (const mark of MARKS) {
      const monthFirst = ['MM', 'DD', year].join(mark);
      const dayFirst = ['DD', 'MM', year].join(mark);
      const fits = [monthFirst, dayFirst].filter(reads);
      if (fits.length === 2) return ambiguous(mark, monthFirst, dayFirst);
      if (fits[0] !== undefined)
        return isUsual(fits[0]) ? { kind: 'plain' } : { kind: 'format', format: fits[0] };
    }
  }
  if (values.every((value) => parseDate(value) !== undefined)) return { kind: 'plain' };
  const format = OTHER_FORMATS.find(reads);
  return format === undefined ? { kind: 'unknown' } : { kind: 'format', format };
}

/** Points stand between the parts where the day comes first; slashes and hyphens are American in American files. */
function ambiguous(mark: string, monthFirst: string, dayFirst: string): DateOrder {
  return mark === '.'
    ? { kind: 'ambiguous', format: dayFirst, other: monthFirst }
    : { kind: 'ambiguous', format: monthFirst, other: dayFirst };
}

/** What is understood without a format. */
function isUsual(format: string): boolean {
  return format === 'MM/DD/YYYY' || format === 'MM-DD-YYYY';
}
