import type { Customer } from '../model/lead.ts';

const MAX_CHARACTERS = 300;
const MAIL_ADDRESS = /[^\s<>"'(),:;]+@[^\s<>"'(),:;]+/g;
/** International, bare, American, local, and in groups; not an SMTP status, a date or a network address. */
const PHONE_NUMBERS = [
  /\+\d[\d\s().-]{5,}\d/g,
  /(?<!\d)\d{7,}(?!\d)/g,
  /\(?(?<!\d)\d{3}\)?[\s.-]?\d{3}[\s.-]\d{4}(?!\d)/g,
  /(?<!\d)\d{3}[-.]\d{4}(?!\d)/g,
  /(?<![\d.:-])(?!\d{4}-\d\d-\d\d)\d{2,4}(?:[\s-]\d{2,4}){2,}(?![\d.])/g,
];

/**
 * A reason for logs and lists. Servers like to quote the mail address they refuse, and an adapter's exception may
 * quote anything, so addresses, phone numbers and this customer's own words are taken out. One line, bounded.
 */
export function redact(text: string, customer: Customer): string {
  const line = text
    .slice(0, 4 * MAX_CHARACTERS)
    .replace(/\s+/g, ' ')
    .trim();
  const anonymous = ownWords(customer)
    .reduce((kept, word) => kept.replace(word, '[customer]'), line)
    .replace(MAIL_ADDRESS, '[address]');
  return PHONE_NUMBERS.reduce((kept, number) => kept.replace(number, '[number]'), anonymous).slice(
    0,
    MAX_CHARACTERS,
  );
}

function ownWords({ first_name, last_name, email, phone, address }: Customer): RegExp[] {
  return [email, phone, address?.address_line_1, first_name, last_name]
    .filter((word): word is string => word !== undefined && word.trim().length >= 2)
    .map((word) => new RegExp(`(?<![\\p{L}\\p{N}])${literally(word.trim())}(?![\\p{L}\\p{N}])`, 'giu'));
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
