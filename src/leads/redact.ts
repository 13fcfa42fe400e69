import type { Customer } from '../model/lead.ts';
import { maskInEveryForm } from './quoted-forms.ts';

const MAX_CHARACTERS = 300;
/** Where a longer word of the customer begins, the rest of the line is taken for it: a server may quote it cut. */
const LONGEST_WORD = 100;
/** Our name for a lead is no phone number, though digits and hyphens in it may look like one. */
const LEAD_ID = /((?:test_)?lead_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b)/;
const ASCII = /^[ -~]*$/;
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
 * quote anything, so addresses, phone numbers and this customer's own words are taken out; `otherWords` are what they
 * wrote beside their contact data; all of it also in the forms of `quoted-forms.ts`. One line, bounded.
 *
 * @param own how the text begins in words that are nobody's but ours. They stay: masking `Mail` or `Crm` in them would
 *   hide what happened and tell the name.
 */
export function redact(
  text: string,
  customer: Customer,
  otherWords: readonly string[] = [],
  own = '',
): string {
  if (own !== '' && text.startsWith(own)) {
    return `${own}${redact(text.slice(own.length), customer, otherWords)}`.slice(0, MAX_CHARACTERS).trimEnd();
  }
  const line = text
    .slice(0, 4 * MAX_CHARACTERS)
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim();
  const words = ownWords(customer, otherWords).map((word) => word.normalize('NFC'));
  const patternOf = rememberingPatterns();
  const mask = (plain: string): string =>
    anonymous(plain, words.filter((word) => mayHold(plain, word)).map(patternOf));
  // Splitting by a group keeps what it caught: every second piece is an id.
  const pieces = line
    .split(LEAD_ID)
    .map((piece, index) => (index % 2 === 1 ? piece : maskInEveryForm(piece, mask, '[customer]')));
  return pieces.join('').slice(0, MAX_CHARACTERS);
}

function anonymous(text: string, words: readonly RegExp[]): string {
  const nameless = words
    .reduce((kept, word) => kept.replace(word, '[customer]'), text)
    .replace(MAIL_ADDRESS, '[address]');
  return PHONE_NUMBERS.reduce((kept, number) => kept.replace(number, '[number]'), nameless);
}

function ownWords(
  { first_name, last_name, email, phone, address }: Customer,
  otherWords: readonly string[],
): string[] {
  const { address_line_1, address_line_2, city, zip } = address ?? {};
  return [...otherWords, email, phone, address_line_1, address_line_2, first_name, last_name, city, zip]
    .filter((word): word is string => word !== undefined && word.trim().length >= 2)
    .map((word) => word.trim());
}

/**
 * Making patterns is most of the work, and most answers quote nobody. Only where all is ASCII is letter for letter the
 * same as what a pattern finds.
 */
function mayHold(line: string, word: string): boolean {
  const begin = beginOf(word);
  if (!ASCII.test(line) || !ASCII.test(begin)) return true;
  return line.toLowerCase().includes(begin.toLowerCase());
}

/** Each is made once, however many forms of a text are looked at. */
function rememberingPatterns(): (word: string) => RegExp {
  const made = new Map<string, RegExp>();
  return (word) => {
    const pattern = made.get(word) ?? wordPattern(word);
    made.set(word, pattern);
    return pattern;
  };
}

function wordPattern(word: string): RegExp {
  const end = word.length > LONGEST_WORD ? '.*' : '(?![\\p{L}\\p{N}])';
  return new RegExp(`(?<![\\p{L}\\p{N}])${literally(beginOf(word))}${end}`, 'giu');
}

/** A line has no line breaks and no double blanks any more. */
function beginOf(word: string): string {
  return word
    .slice(0, LONGEST_WORD)
    .toWellFormed()
    .replace(/\ufffd$/, '')
    .replace(/\s+/g, ' ');
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
