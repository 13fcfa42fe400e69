import type { LeadSubmitRequest } from '../model/lead.ts';
import type { LeadOutcome, VehicleLookup } from './lead-desk.ts';

type Refusal = Extract<LeadOutcome, { kind: 'refused' }>;
export type FoundVehicle = ReturnType<VehicleLookup['find']>;

/** Looks the vehicle of interest up on the lot. Without an identifier there is nothing to look up. */
export function findVehicle(request: LeadSubmitRequest, lookup: VehicleLookup): FoundVehicle {
  const { vin, stock, vehicle_id } = request.vehicle_of_interest ?? {};
  const reference = {
    ...(vin === undefined ? {} : { vin }),
    ...(stock === undefined ? {} : { stock }),
    ...(vehicle_id === undefined ? {} : { vehicle_id }),
  };
  return Object.keys(reference).length === 0 ? { kind: 'unknown' } : lookup.find(reference);
}

/**
 * A lead for a vehicle we cannot find is still a lead. Only a test drive needs the vehicle: it must name one, and
 * one named by vin or stock must be here (aap-v1.3 section 5, a2a-jsonrpc C10).
 */
export function checkVehicle(request: LeadSubmitRequest, found: FoundVehicle): Refusal | undefined {
  if (request.appointment?.appointment_type !== 'test_drive') return undefined;
  const wanted = request.vehicle_of_interest;
  if (wanted === undefined) {
    return {
      kind: 'refused',
      code: 'MISSING_REQUIRED_FIELD',
      message: 'A test drive needs vehicle_of_interest: which vehicle would the buyer like to drive?',
      details: {
        errors: [
          {
            instanceLocation: '',
            keyword: 'required',
            error: 'vehicle_of_interest is required when appointment_type is test_drive',
          },
        ],
      },
    };
  }
  if (wanted.vin === undefined && wanted.stock === undefined) return undefined;
  if (found.kind === 'listed') return undefined;
  const details = {
    ...(wanted.vin === undefined ? {} : { vin: wanted.vin }),
    ...(wanted.stock === undefined ? {} : { stock: wanted.stock }),
  };
  return found.kind === 'gone'
    ? {
        kind: 'refused',
        code: 'VEHICLE_UNAVAILABLE',
        message: 'This vehicle is no longer on the lot, so it cannot be test driven.',
        details,
      }
    : {
        kind: 'refused',
        code: 'VEHICLE_NOT_FOUND',
        message: 'The dealer has no vehicle with this VIN or stock number, so it cannot be test driven.',
        details,
      };
}
