import { parseNumber } from './numbers.ts';
import { saysNothing } from './text.ts';

/** An amount as read, in US cents, or why there is none. */
export type Money =
  | { kind: 'amount'; cents: number }
  /** Blank or zero: this column has no price, another may. */
  | { kind: 'none' }
  /** Words such as "Call for price": there is no price on purpose. */
  | { kind: 'words' }
  | { kind: 'invalid' };

const NONE: Money = { kind: 'none' };
const WORDS: Money = { kind: 'words' };
const INVALID: Money = { kind: 'invalid' };

/** `$`, `US$` or `USD` before or after, a footnote's asterisk at the end. */
const AMOUNT = /^(?:US\$|USD|\$)?\s*([^$*]*?)\s*(?:US\$|USD|\$)?\s*\**$/i;

/** `$31,995`, `31995.00 USD`, `USD 31,995.50`, `$ 31 995`, `1.9995E+04`; other currencies are no amount. */
export function parseMoney(raw: string): Money {
  const text = raw.trim();
  if (/^\d{1,12}$/.test(text)) return amount(Number(text));
  if (saysNothing(text)) return NONE;
  if (!/\d/.test(text)) return WORDS;
  if (text.length > 60) return INVALID;
  const value = parseNumber(AMOUNT.exec(text)?.[1] ?? '');
  return value === undefined || value < 0 ? INVALID : amount(value);
}

function amount(dollars: number): Money {
  const cents = Math.round(dollars * 100);
  return cents === 0 ? NONE : { kind: 'amount', cents };
}

/** Whole dollars for list_price and msrp: half a dollar counts up. */
export function dollarsHalfUp(cents: number): number {
  return Math.floor((cents + 50) / 100);
}

/** Whole dollars for price and fees: any cent counts up, so that no price is told too low (aap-v1.3 section 4). */
export function dollarsUp(cents: number): number {
  return Math.ceil(cents / 100);
}
