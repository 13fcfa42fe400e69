import type { LeadSubmitRequest } from '../model/lead.ts';
import { isOtherNumber } from '../model/said-otherwise.ts';
import type { Listing } from '../model/vehicle.ts';
import type { FoundVehicle } from './vehicle.ts';

/** What the buyer must know of the vehicle asked about; undefined when it is the one that was named, and here. */
export function vehicleNote(request: LeadSubmitRequest, found: FoundVehicle): string | undefined {
  // The workshop's car need not be on the lot.
  if (request.appointment?.appointment_type === 'service') return undefined;
  if (found.kind === 'gone') return 'The vehicle asked about is no longer on the lot.';
  return found.kind === 'listed' ? takenFor(request.vehicle_of_interest ?? {}, found.listing) : undefined;
}

/** Said when an identifier that counts for more than the one that was found is not on the lot. */
function takenFor({ vin, stock }: Pick<Listing, 'vin' | 'stock'>, listing: Listing): string | undefined {
  if (!isOtherNumber(vin, listing.vin) && !(vin === undefined && isOtherNumber(stock, listing.stock))) {
    return undefined;
  }
  const { year, make, model, stock: ours } = listing;
  const name = [year, make, model].filter((part) => part !== undefined).join(' ');
  const car = [name === '' ? 'vehicle' : name, ...(ours === undefined ? [] : [`stock number ${ours}`])].join(
    ', ',
  );
  const number = vin === undefined ? 'stock number' : 'VIN';
  return `No vehicle on the lot has the ${number} given: the inquiry is taken to be about the ${car}.`;
}
