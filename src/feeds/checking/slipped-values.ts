import type { CheckedRow, MappedRow, RowWarning } from '../records.ts';
import { withoutPrices } from './price-plausibility.ts';

/** Said of values that are there and are not of the kind that their column holds. */
const UNREADABLE = new Set([
  ...[
    'mileage_missing',
    'date_invalid',
    'photo_invalid',
    'certified_unknown',
    'price_invalid',
    'value_invalid',
  ],
]);
const FEWEST_UNREADABLE = 3;

/**
 * A comma in a value without quotes moves all that follow one column on, and where the last value is missing the row
 * still has the right number of them: the mileage is then read as the price. Such a row shows it by several values
 * that their columns cannot hold. Its money is not to be believed; the vehicle stays, and it is told.
 */
export function withoutSlippedPrices(
  check: (mapped: MappedRow) => CheckedRow,
): (mapped: MappedRow) => CheckedRow {
  return (mapped) => {
    const { warnings, vehicle } = mapped;
    if (warnings.length < FEWEST_UNREADABLE) return check(mapped);
    const unreadable = warnings.filter(isUnreadable);
    const columns = new Set(unreadable.map(({ field }) => field));
    const hasMoney =
      vehicle.list_price !== undefined || vehicle.price !== undefined || vehicle.msrp !== undefined;
    if (columns.size < FEWEST_UNREADABLE || !hasMoney) return check(mapped);
    const { listPriceCents: _, ...rest } = mapped;
    const { msrp: _msrp, ...others } = withoutPrices(vehicle);
    const warning = { code: 'values_slipped', detail: [...columns].join(', ') };
    return check({ ...rest, vehicle: others, warnings: [...warnings, warning] });
  };
}

function isUnreadable({ code, value = '' }: RowWarning): boolean {
  return UNREADABLE.has(code) && value.trim() !== '';
}
