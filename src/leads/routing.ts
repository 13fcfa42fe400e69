import type { DealerConfig, LeadsConfig } from '../config/config.ts';
import type { LeadSubmitRequest } from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { FoundVehicle } from './vehicle.ts';

export interface Route {
  rooftop: Rooftop;
  /** Ids of the destinations that serve the rooftop, in the order of the settings. */
  destinations: string[];
}

/** The vehicle's rooftop gets the lead; without one of ours, the rooftop that the dealer has named for it. */
export function routeLead(
  request: LeadSubmitRequest,
  found: FoundVehicle,
  dealer: DealerConfig,
  leads: LeadsConfig,
): Route {
  const rooftop = rooftopOf(found, dealer) ?? namedRooftop(request, dealer) ?? defaultRooftop(dealer, leads);
  const destinations = leads.destinations.filter(({ rooftops }) => rooftops.includes(rooftop.id));
  return { rooftop, destinations: destinations.map(({ id }) => id) };
}

function rooftopOf(found: FoundVehicle, { rooftops }: DealerConfig): Rooftop | undefined {
  return found.kind === 'unknown' ? undefined : rooftops.find(({ id }) => id === found.rooftopId);
}

/** A buyer's agent passes on what our own listing told it, such as the name of the rooftop. */
function namedRooftop(
  { vehicle_of_interest }: LeadSubmitRequest,
  { rooftops }: DealerConfig,
): Rooftop | undefined {
  const { dealer_id, rooftop } = vehicle_of_interest ?? {};
  const named = plain(rooftop ?? '');
  return rooftops.find(({ id, profile }) => id === dealer_id || plain(profile.name) === named);
}

/** Agents pass names through people and models: case and blanks at the ends do not tell two rooftops apart. */
function plain(name: string): string {
  return name.trim().toLowerCase();
}

function defaultRooftop({ rooftops }: DealerConfig, { default_rooftop }: LeadsConfig): Rooftop {
  const rooftop = rooftops.find(({ id }) => id === default_rooftop);
  if (rooftop === undefined) throw new Error(`leads.default_rooftop names no rooftop: ${default_rooftop}`);
  return rooftop;
}
