import type { Fee } from '../../../model/vehicle.ts';
import { dollarsUp, parseMoney } from './money.ts';
import { lineText } from './text.ts';

export type Fees =
  | { kind: 'fees'; fees: Fee[] }
  /** Nothing is said about fees, or not about all of them. */
  | { kind: 'not_given' }
  /** One amount or name cannot be read: an incomplete list would be a wrong statement, so none is made. */
  | { kind: 'invalid'; value: string };

/**
 * Fees of which each has its own column. Blank says nothing, a zero says "not charged" and is left out; `[]`
 * ("there are none") only when every column says zero.
 */
export function feesOfColumns(columns: readonly { name: string; text: string | undefined }[]): Fees {
  const fees: Fee[] = [];
  let blanks = 0;
  for (const { name, text } of columns) {
    if (text === undefined) {
      blanks++;
      continue;
    }
    const amount = feeAmount(text);
    if (amount === undefined) return { kind: 'invalid', value: text };
    if (amount > 0) fees.push({ name, amount });
  }
  return fees.length === 0 && blanks > 0 ? { kind: 'not_given' } : { kind: 'fees', fees };
}

/** Two fees with another sign between them, as `Doc fee:$389.00; Prep`, are no name of one. */
const HOLDS_AMOUNT = /(?:[:=]\s*\$?|\$)\s*\d[\d,.]*\s*(?:[;,/|]|$)|\d\s*;/;

/** Fees in one cell: `Documentation fee:500|Pre-installed theft protection:1290`, or `none`. */
export function feesOfList(cell: string, separator: string): Fees {
  const text = cell.trim();
  if (text === '') return { kind: 'not_given' };
  if (/^(none|no fees|\[\]|0)$/i.test(text)) return { kind: 'fees', fees: [] };
  const fees = new Map<string, Fee>();
  for (const item of text.split(separator)) {
    if (item.trim() === '') continue;
    const colon = item.lastIndexOf(':');
    const name = colon < 0 ? undefined : lineText(item.slice(0, colon));
    const amount = feeAmount(item.slice(colon + 1));
    if (
      name === undefined ||
      amount === undefined ||
      HOLDS_AMOUNT.test(name) ||
      fees.has(name.toLowerCase())
    ) {
      return { kind: 'invalid', value: item.trim() };
    }
    fees.set(name.toLowerCase(), { name, amount });
  }
  return { kind: 'fees', fees: [...fees.values()].filter((fee) => fee.amount > 0) };
}

/** Whole dollars, any cent counts up; 0 for zero. */
function feeAmount(text: string): number | undefined {
  const money = parseMoney(text);
  if (money.kind === 'amount') return dollarsUp(money.cents);
  return money.kind === 'none' && /^\D*0/.test(text) ? 0 : undefined;
}
