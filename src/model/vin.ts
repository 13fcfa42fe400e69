/**
 * The vehicle identification number: 17 letters and digits without I, O and Q (ISO 3779), with the check digit
 * in position 9 and the model year in position 10 that North America uses.
 */

const VIN_PATTERN = /^[A-HJ-NPR-Z0-9]{17}$/;

/** What each character counts for in the check digit (value by place in the list). */
const CHARACTERS_BY_VALUE = ['0', '1AJ', '2BKS', '3CLT', '4DMU', '5ENV', '6FW', '7GPX', '8HY', '9RZ'];

const CHARACTER_VALUES: ReadonlyMap<string, number> = new Map(
  CHARACTERS_BY_VALUE.flatMap((characters, value) =>
    characters.split('').map((character) => [character, value] as const),
  ),
);

const POSITION_WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2] as const;

/** Letters that are easily misread, and what a VIN can hold in their place. */
const MISREAD_LETTERS: Readonly<Record<string, readonly string[]>> = {
  I: ['1'],
  O: ['0'],
  Q: ['0', '9'],
};

/** Position 10 from 1980 on; the row repeats after 30 years. */
const YEAR_LETTERS = 'ABCDEFGHJKLMNPRSTVWXY123456789';

export function isVin(text: string): boolean {
  return VIN_PATTERN.test(text);
}

/** A VIN however it is written, in a place where a word might stand: no word has so many digits. */
export function looksLikeVin(text: string): boolean {
  return isVin(text.trim().toUpperCase()) && /(\D*\d){4}/.test(text);
}

/** Whether position 9 fits the other sixteen. European VINs need not follow this. */
export function vinCheckDigitFits(vin: string): boolean {
  let sum = 0;
  for (let position = 0; position < 17; position++) {
    sum += (CHARACTER_VALUES.get(vin.charAt(position)) ?? 0) * (POSITION_WEIGHTS[position] ?? 0);
  }
  const remainder = sum % 11;
  return vin.charAt(8) === (remainder === 10 ? 'X' : String(remainder));
}

/** The year within 1980-2039 that position 10 stands for and that ends in these two digits, if any. */
export function vinModelYear(vin: string, lastTwoDigits: number): number | undefined {
  const place = YEAR_LETTERS.indexOf(vin.charAt(9));
  if (place < 0) return undefined;
  return [1980 + place, 2010 + place].find((year) => year % 100 === lastTwoDigits);
}

/**
 * The model year that the VIN itself tells, if it leaves no doubt: its check digit fits, so that position 10 is a year,
 * and either only one year of the two that it may stand for has come, or position 7 is a letter, as it is by rule since
 * 2010. A digit there may be a car of before or a heavy truck of today.
 */
export function yearOfVin(vin: string, lastYear: number): number | undefined {
  const place = YEAR_LETTERS.indexOf(vin.charAt(9));
  if (place < 0 || !isVin(vin) || !vinCheckDigitFits(vin) || isPlaceholderVin(vin)) return undefined;
  if (2010 + place > lastYear) return 1980 + place;
  return /[A-Z]/.test(vin.charAt(6)) ? 2010 + place : undefined;
}

/**
 * Typed to fill the field: (nearly) one character only, a few of them over and over, or a run along the keys or the
 * alphabet. Seventeen ones even pass the check digit. Real numbers come nowhere near: a run of nine at the beginning
 * names no maker, and position 10, a year, is never 0 and breaks the zeros of a short serial number.
 */
export function isPlaceholderVin(vin: string): boolean {
  if (isNearlyOneCharacter(vin) || isRun(vin)) return true;
  for (let length = 2; length <= 5; length++) if (isRepetition(vin, length)) return true;
  return false;
}

/** At most five characters differ from the one before them. Every VIN of every file is looked at, hence the early end. */
function isNearlyOneCharacter(vin: string): boolean {
  let changes = 0;
  for (let position = 1; position < vin.length; position++) {
    if (vin.charCodeAt(position) !== vin.charCodeAt(position - 1) && ++changes > 5) return false;
  }
  return true;
}

/** Nine characters at the beginning or eleven anywhere; both reach over the same three in the middle. */
function isRun(vin: string): boolean {
  const before = vin.charCodeAt(6);
  const middle = vin.charCodeAt(7);
  const behind = vin.charCodeAt(8);
  const isUp = isNext(before, middle) && isNext(middle, behind);
  const isDown = isNext(middle, before) && isNext(behind, middle);
  if (!isUp && !isDown) return false;
  let run = 1;
  for (let position = 1; position < vin.length; position++) {
    const [code, next] = [vin.charCodeAt(position - 1), vin.charCodeAt(position)];
    run = (isUp ? isNext(code, next) : isNext(next, code)) ? run + 1 : 1;
    if (run >= 11 || (run >= 9 && run === position + 1)) return true;
  }
  return false;
}

const ZERO = '0'.charCodeAt(0);
const NINE = '9'.charCodeAt(0);
const LETTERS_LEFT_OUT = new Set(['I', 'O', 'Q'].map((letter) => letter.charCodeAt(0)));

/** In a run 0 follows 9, and the letters that no VIN has may be left out. */
function isNext(code: number, next: number): boolean {
  if (next === code + 1) return true;
  if (next === code + 2) return LETTERS_LEFT_OUT.has(code + 1);
  return code === NINE && next === ZERO;
}

function isRepetition(vin: string, length: number): boolean {
  for (let position = length; position < vin.length; position++) {
    if (vin.charCodeAt(position) !== vin.charCodeAt(position - length)) return false;
  }
  return true;
}

/**
 * For a 17-character text with I, O or Q: the VIN that it was most likely meant to be, if putting right the
 * misread letters gives exactly one whose check digit fits. For a person to look at, never to be used unasked.
 */
export function suggestVin(text: string): string | undefined {
  if (!/^[A-Z0-9]{17}$/.test(text)) return undefined;
  let candidates = [''];
  for (const character of text) {
    const replacements = MISREAD_LETTERS[character] ?? [character];
    candidates = candidates.flatMap((start) => replacements.map((end) => start + end));
    if (candidates.length > 16) return undefined;
  }
  const likely = candidates.filter(
    (candidate) => isVin(candidate) && vinCheckDigitFits(candidate) && !isPlaceholderVin(candidate),
  );
  return likely.length === 1 ? likely[0] : undefined;
}
