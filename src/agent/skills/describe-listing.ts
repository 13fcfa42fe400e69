import type { Listing } from '../../model/vehicle.ts';

const STATUS_TEXTS: Readonly<Record<Listing['status'], string>> = {
  available: 'is available',
  intransit: 'is on its way',
  pending: 'has a sale pending',
};

/** `2022 Honda Civic EX is available at Harbor Point Motors.` */
export function describeListing(listing: Listing): string {
  const { year, make, model, trim, rooftop, status } = listing;
  const name = [year, make, model, trim].filter((word) => word !== undefined && word !== '').join(' ');
  const place = typeof rooftop === 'string' && rooftop !== '' ? ` at ${rooftop}` : '';
  return `${name === '' ? 'The vehicle' : name} ${STATUS_TEXTS[status]}${place}.`;
}
