import type { Listing, Vehicle } from '../model/vehicle.ts';
import { isCalledOtherwise, isOtherNumber } from '../model/said-otherwise.ts';
import { isAmount } from './amounts.ts';
import { lineOf, numberText } from './text.ts';

const CONDITIONS: Readonly<Record<string, string>> = { cpo: 'certified pre-owned (CPO)' };

/**
 * What our listing says, in one remark, where the lead says something else of the same car: what the lead says goes out,
 * and whoever reads it must not take the buyer's price for ours, or our price for that of another car. Undefined when they
 * agree, also when one says more than the other or writes it another way.
 */
export function listingRemark(stated: Vehicle, listing: Listing | undefined): string | undefined {
  if (listing === undefined || !contradicts(stated, listing)) return undefined;
  const { year, make, model, trim, stock, vin, condition = '' } = listing;
  const name = [year, make, model, trim].map(lineOf).filter((word) => word !== undefined);
  const facts = [
    name.join(' '),
    ...(differsInCondition(stated, listing) ? [CONDITIONS[condition] ?? condition] : []),
    ...(isOtherNumber(stated.vin, vin) ? [`VIN ${lineOf(vin) ?? ''}`] : []),
    ...(lineOf(stock) === undefined ? [] : [`stock ${lineOf(stock) ?? ''}`]),
    publishedPrice(listing),
  ];
  return `our listing: ${facts.filter((fact) => fact !== '').join(', ')}`;
}

/** Whether the list price in the lead is not ours, so that our fees do not lead from it to our price. */
export function namesOtherListPrice(stated: Vehicle, listing: Listing): boolean {
  return isAmount(stated.list_price) && stated.list_price !== listing.list_price;
}

function contradicts(stated: Vehicle, listing: Listing): boolean {
  return (
    isOtherNumber(stated.vin, listing.vin) ||
    isOtherNumber(stated.stock, listing.stock) ||
    (stated.year !== undefined && listing.year !== undefined && stated.year !== listing.year) ||
    isCalledOtherwise(stated.make, listing.make) ||
    isCalledOtherwise(stated.model, listing.model) ||
    differsInCondition(stated, listing) ||
    (isAmount(stated.price) && stated.price !== listing.price) ||
    namesOtherListPrice(stated, listing)
  );
}

function differsInCondition({ condition: stated }: Vehicle, { condition: ours }: Listing): boolean {
  return isOtherNumber(stated, ours);
}

function publishedPrice({ price, list_price }: Listing): string {
  if (isAmount(price)) return `price ${numberText(price)}`;
  return isAmount(list_price) ? `list price ${numberText(list_price)}` : 'no price published';
}
