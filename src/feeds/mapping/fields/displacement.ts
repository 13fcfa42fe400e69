import { parseDecimal, parseNumber, splitUnit } from './numbers.ts';

const CC_PER_LITER = 1000;
const CC_PER_CUBIC_INCH = 16.387;

const CC_PER_UNIT: Readonly<Record<string, number>> = {
  ...{ '': 1, cc: 1, ccm: 1, cm3: 1 },
  ...{ l: CC_PER_LITER, liter: CC_PER_LITER, liters: CC_PER_LITER, litre: CC_PER_LITER },
  ...{ ci: CC_PER_CUBIC_INCH, cid: CC_PER_CUBIC_INCH, 'cu in': CC_PER_CUBIC_INCH },
};

/**
 * Engine size in whole cubic centimeters out of `649`, `1,868 cc`, `2.7L`. A bare number is cc, so a bare `2.7`
 * (liters, most likely) is refused. 0 says that there is no engine size.
 */
export function parseDisplacement(raw: string): number | undefined {
  const { amount, unit } = splitUnit(raw.trim());
  const factor = Object.hasOwn(CC_PER_UNIT, unit) ? CC_PER_UNIT[unit] : undefined;
  // No engine has a thousand liters, so `1.998 L` can be read in one way only.
  const value = factor === CC_PER_LITER ? parseDecimal(amount) : parseNumber(amount);
  if (value === undefined || factor === undefined || value < 0) return undefined;
  const cubicCentimeters = Math.round(value * factor);
  if (cubicCentimeters === 0) return value === 0 ? 0 : undefined;
  return cubicCentimeters >= 20 && cubicCentimeters <= 30_000 ? cubicCentimeters : undefined;
}
