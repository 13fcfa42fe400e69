import type { Vehicle } from '../model/vehicle.ts';
import { joinFacts } from './comments.ts';
import { leaf, optionalLeaf } from './element.ts';
import type { AdfElement } from './element.ts';
import { isAmount } from './listing.ts';
import { lineOf } from './text.ts';

export interface PriceElements {
  price?: AdfElement<'price'> | undefined;
  pricecomments?: AdfElement<'pricecomments'> | undefined;
}

/** One price, the advertised one; the other amounts are told in words. Whole US dollars. */
export function saleAmounts(vehicle: Vehicle): PriceElements {
  return {
    price: isAmount(vehicle.price)
      ? leaf('price', String(vehicle.price), { type: 'quote', currency: 'USD' })
      : undefined,
    pricecomments: optionalLeaf(
      'pricecomments',
      joinFacts([...baseAmounts(vehicle), ...includedFees(vehicle)]),
    ),
  };
}

/** Nobody quoted a price for a trade-in: an amount the buyer named is told as such. */
export function tradeInAmounts(vehicle: Vehicle): PriceElements {
  const named = isAmount(vehicle.price) ? [`price ${vehicle.price} named by the buyer`] : [];
  return { pricecomments: optionalLeaf('pricecomments', joinFacts([...named, ...baseAmounts(vehicle)])) };
}

function baseAmounts(vehicle: Vehicle): string[] {
  return [
    ...(isAmount(vehicle.msrp) ? [`MSRP ${vehicle.msrp}`] : []),
    ...(isAmount(vehicle.list_price) ? [`list price ${vehicle.list_price}`] : []),
  ];
}

function includedFees(vehicle: Vehicle): string[] {
  if (!isAmount(vehicle.price) || !Array.isArray(vehicle.fees)) return [];
  return vehicle.fees.flatMap(({ name, amount }) => {
    const [fee, dollars] = [lineOf(name), lineOf(amount)];
    return fee === undefined || dollars === undefined ? [] : [`price includes ${fee} ${dollars}`];
  });
}
