import type { Vehicle } from '../model/vehicle.ts';
import { joinFacts } from './comments.ts';
import { leaf } from './element.ts';
import type { AdfElement } from './element.ts';
import { isAmount } from './amounts.ts';
import { lineOf, numberText } from './text.ts';

export interface PriceElements {
  price?: AdfElement<'price'> | undefined;
  /** Empty when there is nothing to tell. */
  pricecomments: string;
}

/** One price, the advertised one; the other amounts are told in words. Whole US dollars. */
export function saleAmounts(vehicle: Vehicle): PriceElements {
  return {
    price: isAmount(vehicle.price)
      ? leaf('price', numberText(vehicle.price), { type: 'quote', currency: 'USD' })
      : undefined,
    pricecomments: joinFacts([
      ...baseAmounts(vehicle),
      ...feeFacts(vehicle, isAmount(vehicle.price) ? 'price includes' : 'fee'),
    ]),
  };
}

/** Nobody quoted a price for a trade-in: an amount the buyer named is told as such. */
export function tradeInAmounts(vehicle: Vehicle): PriceElements {
  const named = isAmount(vehicle.price) ? [`price ${numberText(vehicle.price)} named by the buyer`] : [];
  return { pricecomments: joinFacts([...named, ...baseAmounts(vehicle), ...feeFacts(vehicle, 'fee')]) };
}

function baseAmounts(vehicle: Vehicle): string[] {
  return [
    ...(isAmount(vehicle.msrp) ? [`MSRP ${numberText(vehicle.msrp)}`] : []),
    ...(isAmount(vehicle.list_price) ? [`list price ${numberText(vehicle.list_price)}`] : []),
  ];
}

function feeFacts({ fees }: Vehicle, introduction: string): string[] {
  if (!Array.isArray(fees)) return [];
  return fees.flatMap(({ name, amount }) => {
    const [fee, dollars] = [lineOf(name), lineOf(amount)];
    return fee === undefined || dollars === undefined ? [] : [`${introduction} ${fee} ${dollars}`];
  });
}
