import type { Listing } from '../../model/vehicle.ts';
import { shorten } from '../shorten.ts';
import { ageText } from './age-text.ts';

/** Of the vehicle's name, which is the feed's. */
const MOST_CHARACTERS = 120;

const STATUS_TEXTS: Readonly<Record<Listing['status'], string>> = {
  available: 'is available',
  intransit: 'is on its way',
  pending: 'has a sale pending',
};

/**
 * `2022 Honda Civic EX is available at Harbor Point Motors; the dealer last confirmed it 2 hours ago.`
 * @param now ms since 1970
 */
export function describeListing(listing: Listing, now: number): string {
  const { year, make, model, trim, rooftop, status, updated_at } = listing;
  const name = [year, make, model, trim].filter((word) => word !== undefined && word !== '').join(' ');
  const place = typeof rooftop === 'string' && rooftop !== '' ? ` at ${rooftop}` : '';
  const age = ageText(now - Date.parse(updated_at));
  return `${shorten(name === '' ? 'The vehicle' : name, MOST_CHARACTERS)} ${STATUS_TEXTS[status]}${place}; the dealer last confirmed it ${age} ago.`;
}
