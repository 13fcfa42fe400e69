import type { LeadDocument } from '../model/lead.ts';
import { fillFromListing, saysNothing } from './listing.ts';

/** Departments of a dealership, as CRMs that keep them apart tell them apart (adf-1.0 section 2.4). */
export type LeadKind = 'new' | 'used' | 'service' | 'trade_in' | 'other';

/**
 * Who at the dealership the lead is for: the workshop when it asks for a visit there; else by the vehicle of interest,
 * `other` when neither the buyer nor our listing says whether it is new; a trade-in decides when nothing is wanted.
 */
export function leadKind({ request, listing }: LeadDocument): LeadKind {
  const { appointment, vehicle_of_interest: wanted, trade_in: tradeIn } = request;
  if (appointment?.appointment_type === 'service') return 'service';
  if (wanted !== undefined && !saysNothing(wanted)) {
    const { condition } = fillFromListing(wanted, listing);
    if (condition === 'new') return 'new';
    return condition === undefined ? 'other' : 'used';
  }
  return appointment?.appointment_type === 'trade_in' || !saysNothing(tradeIn) ? 'trade_in' : 'other';
}
