import type { PhoneForm } from './options.ts';
import { singleLine } from './text.ts';

/** +1, an area code and a number that begin with neither 0 nor 1 (North American Numbering Plan). */
const NORTH_AMERICAN = /^\+1([2-9]\d\d)([2-9]\d\d)(\d{4})$/;

/** An E.164 number as the CRM wants to read it; anything else stays as it came. */
export function phoneText(phone: string, form: PhoneForm): string {
  const line = singleLine(phone);
  const match = form === 'e164' ? null : NORTH_AMERICAN.exec(line);
  return match === null ? line : match.slice(1).join(form === 'dashed' ? '-' : '');
}
