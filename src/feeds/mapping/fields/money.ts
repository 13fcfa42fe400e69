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

/** `$`, `US $`, `USD` or `USD $` before, the same or `dollars` after, a footnote's asterisk at the end. */
const AMOUNT =
  /^(?:USD\s?\$?|U\.?S\.?\s?\$|\$)?\s*([^$*]*?)\s*(?:USD|\$\s?USD|(?:U\.?S\.?\s?)?(?:\$|dollars?)|U\.?S\.?)?\s*\**$/i;

/** Such a text is about the price and holds none, whatever else stands in it: `Call 207-555-0101`. */
const ASKS_TO_CALL = /^(?:please\s+)?(?:call|phone|text|e-?mail|contact|ask|inquire|enquire|request|see)\b/i;

/** 0.29 * 100 is 28.999999999999996. */
const FLOATING_POINT_SLACK = 1e-4;

/** `$31,995`, `31995.00 USD`, `US $31,995.50`, `$ 31 995`, `1.9995E+04`; other currencies are no amount. */
export function parseMoney(raw: string): Money {
  const text = raw.trim();
  if (/^\d{1,12}$/.test(text)) return amount(Number(text));
  if (saysNothing(text)) return NONE;
  if (!/\d/.test(text) || ASKS_TO_CALL.test(text)) return WORDS;
  if (text.length > 60) return INVALID;
  const value = parseNumber(AMOUNT.exec(withoutWrapping(text))?.[1] ?? '');
  return value === undefined || value < 0 ? INVALID : amount(value);
}

/** Quotes that a file without quoting has left around an amount, and the dollar sign as HTML writes it. */
function withoutWrapping(text: string): string {
  const bare =
    text.startsWith('"') && text.endsWith('"') && text.length > 2 ? text.slice(1, -1).trim() : text;
  return bare.replace(/^&(?:#0?36|#x24|dollar);/i, '$');
}

/** What is less than a cent is dropped, not rounded: 31,995.4999 must not become 31,996 in two steps. */
function amount(dollars: number): Money {
  const cents = Math.floor(dollars * 100 + FLOATING_POINT_SLACK);
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
