import { isVin, vinModelYear } from '../../../model/vin.ts';
import { withoutSpreadsheetGuard } from './text.ts';

/**
 * A model year of four digits within 1900-2100, also as a spreadsheet writes it (`2,026`, `2026.0`). Two digits
 * count only when position 10 of the VIN stands for a year that ends in them.
 */
export function parseYear(raw: string, vin: string | undefined): number | undefined {
  const text = withoutSpreadsheetGuard(raw.trim());
  const match = /^([12]),?(\d{3})(?:\.0+)?$/.exec(text);
  if (match !== null) return plausible(Number(`${match[1] ?? ''}${match[2] ?? ''}`));
  if (/^\d{2}$/.test(text) && vin !== undefined && isVin(vin)) return vinModelYear(vin, Number(text));
  return undefined;
}

function plausible(year: number): number | undefined {
  return year >= 1900 && year <= 2100 ? year : undefined;
}
