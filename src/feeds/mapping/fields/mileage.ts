import { parseNumber, splitUnit } from './numbers.ts';

export type Mileage =
  | { kind: 'miles'; miles: number }
  | { kind: 'hours'; hours: number }
  /** Words or a spreadsheet's error in place of a number. */
  | { kind: 'no_number' }
  | { kind: 'implausible' };

const MILES_PER_KILOMETER = 0.621371192;
const MOST_MILES = 1_500_000;
/** Typed where the odometer was not read. */
const UNREAD = 999_999;

type MileageUnit = 'miles' | 'kilometers' | 'hours';

const UNITS: Readonly<Record<string, MileageUnit>> = {
  ...{ '': 'miles', mi: 'miles', mile: 'miles', miles: 'miles', mls: 'miles', m: 'miles' },
  ...{ km: 'kilometers', kms: 'kilometers', kilometer: 'kilometers', kilometers: 'kilometers' },
  ...{ kilometre: 'kilometers', kilometres: 'kilometers', kmt: 'kilometers', kmtr: 'kilometers' },
  ...{ kilometro: 'kilometers', kilometros: 'kilometers', milla: 'miles', millas: 'miles' },
  ...{ h: 'hours', hr: 'hours', hrs: 'hours', hour: 'hours', hours: 'hours', 'engine hours': 'hours' },
};

export function mileageUnit(word: string): MileageUnit | undefined {
  const key = word.trim().toLowerCase().replace(/\./g, '');
  return Object.hasOwn(UNITS, key) ? UNITS[key] : undefined;
}

/**
 * An odometer reading in whole miles. The unit in the text (`118,450 miles`, `62 hrs`) counts before the one of
 * the unit column.
 */
export function parseMileage(raw: string, columnUnit: MileageUnit = 'miles'): Mileage {
  const text = raw.trim();
  if (columnUnit === 'miles' && /^\d{1,6}$/.test(text)) return milesOf(Number(text));
  const { amount, unit } = splitUnit(text);
  const value = parseNumber(amount);
  const known = unit === '' ? columnUnit : mileageUnit(unit);
  if (value === undefined || known === undefined) return { kind: 'no_number' };
  if (value < 0) return { kind: 'implausible' };
  if (known === 'hours') return { kind: 'hours', hours: value };
  const miles = Math.round(known === 'kilometers' ? value * MILES_PER_KILOMETER : value);
  return value === UNREAD ? { kind: 'implausible' } : milesOf(miles);
}

function milesOf(miles: number): Mileage {
  return miles > MOST_MILES || miles === UNREAD ? { kind: 'implausible' } : { kind: 'miles', miles };
}
