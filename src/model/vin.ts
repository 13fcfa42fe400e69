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

/** One character repeated, or counting up: typed to fill the field. Seventeen ones even pass the check digit. */
export function isPlaceholderVin(vin: string): boolean {
  if (vin.startsWith('1234567890') || vin.startsWith('0123456789')) return true;
  for (let position = 1; position < vin.length; position++) {
    if (vin.charCodeAt(position) !== vin.charCodeAt(0)) return false;
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
