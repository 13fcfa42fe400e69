import type { DealerConfig, LeadsConfig } from '../config/config.ts';
import type { LeadSubmitRequest } from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';
import { namedRooftop } from './named-rooftop.ts';
import type { FoundVehicle } from './vehicle.ts';

export interface Route {
  rooftop: Rooftop;
  /** Ids of the destinations that serve the rooftop, in the order of the settings. */
  destinations: string[];
}

/**
 * The vehicle's rooftop gets the lead; without a vehicle of ours, the rooftop that is named with it or else with the
 * trade-in, and at last the one that the dealer has named for it.
 */
export function routeLead(
  request: LeadSubmitRequest,
  found: FoundVehicle,
  dealer: DealerConfig,
  leads: LeadsConfig,
): Route {
  const rooftop =
    rooftopOf(found, dealer) ??
    namedRooftop(request.vehicle_of_interest ?? {}, dealer) ??
    namedRooftop(request.trade_in ?? {}, dealer) ??
    defaultRooftop(dealer, leads);
  const destinations = leads.destinations.filter(({ rooftops }) => rooftops.includes(rooftop.id));
  return { rooftop, destinations: destinations.map(({ id }) => id) };
}

function rooftopOf(found: FoundVehicle, { rooftops }: DealerConfig): Rooftop | undefined {
  return found.kind === 'unknown' ? undefined : rooftops.find(({ id }) => id === found.rooftopId);
}

function defaultRooftop({ rooftops }: DealerConfig, { default_rooftop }: LeadsConfig): Rooftop {
  const rooftop = rooftops.find(({ id }) => id === default_rooftop);
  if (rooftop === undefined) throw new Error(`leads.default_rooftop names no rooftop: ${default_rooftop}`);
  return rooftop;
}
