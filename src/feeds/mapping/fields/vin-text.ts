import { isPlaceholderVin, isVin, suggestVin, vinCheckDigitFits } from '../../../model/vin.ts';
import { saysNothing, standsForNone, withoutSpreadsheetGuard } from './text.ts';

/**
 * A VIN as people type it, upper case and without blanks, hyphens, a trailing dot, a leading apostrophe and what
 * nobody sees (a zero-width space out of a web page).
 */
export function cleanVin(raw: string): string {
  const trimmed = raw.trim();
  if (isVin(trimmed)) return trimmed;
  const cleaned = withoutSpreadsheetGuard(trimmed)
    .toUpperCase()
    .replace(/[\s\p{Cf}-]+/gu, '')
    .replace(/\.$/, '');
  return saysNothing(trimmed) || standsForNone(cleaned) ? '' : cleaned;
}

/** A VIN that names one vehicle; the check digit does not matter. */
export function isSoundVin(cleaned: string): boolean {
  return isVin(cleaned) && !isPlaceholderVin(cleaned);
}

/** What becomes of the text in the VIN column. */
export type VinVerdict =
  | { kind: 'none' }
  | { kind: 'vin'; vin: string; checkDigitFits: boolean }
  /** No VIN by the rule, and need not be one: the number goes to other_attributes.serial_number. */
  | { kind: 'serial'; serial: string }
  | { kind: 'placeholder'; text: string }
  | { kind: 'invalid'; text: string; detail: string };

/** Since model year 1981 every car and truck sold in the United States has a VIN of 17 characters. */
const FIRST_YEAR_OF_VIN = 1981;

export function judgeVin(
  raw: string,
  cleaned: string,
  vehicle: { vehicleType: string | undefined; year: number | undefined },
): VinVerdict {
  if (cleaned === '') return { kind: 'none' };
  if (isVin(cleaned)) {
    if (isPlaceholderVin(cleaned)) return { kind: 'placeholder', text: cleaned };
    return { kind: 'vin', vin: cleaned, checkDigitFits: vinCheckDigitFits(cleaned) };
  }
  const needsVin =
    (vehicle.vehicleType ?? 'car') === 'car' && (vehicle.year ?? FIRST_YEAR_OF_VIN) >= FIRST_YEAR_OF_VIN;
  if (!needsVin) return { kind: 'serial', serial: raw.trim().slice(0, 60) };
  if (cleaned.length === 17 && isPlaceholderVin(cleaned)) return { kind: 'placeholder', text: cleaned };
  return { kind: 'invalid', text: cleaned, detail: whatIsWrong(cleaned) };
}

function whatIsWrong(text: string): string {
  if (text.length !== 17) return `${String(text.length)} characters instead of 17`;
  const suggestion = suggestVin(text);
  const letters = [...new Set(text.replace(/[A-HJ-NPR-Z0-9]/g, ''))].join(', ');
  return suggestion === undefined ? `it holds ${letters}` : `it holds ${letters}; perhaps ${suggestion}`;
}
