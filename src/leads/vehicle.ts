import type { DealerConfig } from '../config/config.ts';
import type { LeadSubmitRequest } from '../model/lead.ts';
import { isNamed } from '../model/named.ts';
import { isCalledOtherwise } from '../model/said-otherwise.ts';
import type { Vehicle } from '../model/vehicle.ts';
import type { LeadOutcome, VehicleLookup } from './lead-desk.ts';
import { namedRooftop } from './named-rooftop.ts';

type Refusal = Extract<LeadOutcome, { kind: 'refused' }>;
export type FoundVehicle = ReturnType<VehicleLookup['find']>;

/**
 * Looks the vehicle of interest up on the lot, by one identifier after the other until one is known. Without any there
 * is nothing to look up. A VIN is one car wherever it stands; a stock number or vehicle_id is meant at the rooftop that
 * the buyer names, and is not that of a car which the buyer calls otherwise: another dealer's car at another price must
 * not go into the lead.
 */
export function findVehicle(
  request: LeadSubmitRequest,
  lookup: VehicleLookup,
  dealer: DealerConfig,
): FoundVehicle {
  const stated = request.vehicle_of_interest ?? {};
  const { vin, stock, vehicle_id } = identifiersOf(stated);
  const at = namedRooftop(stated, dealer)?.id;
  const isThere = ({ rooftopId }: { rooftopId: string }): boolean => at === undefined || rooftopId === at;
  if (vin !== undefined) {
    const here = lookup.find({ vin }, isThere);
    const found = here.kind === 'listed' || at === undefined ? here : lookup.find({ vin });
    // Also when it has left the lot: then this car was meant, and no other.
    if (found.kind !== 'unknown') return found;
  }
  const references = [
    ...(stock === undefined ? [] : [{ stock }]),
    ...(vehicle_id === undefined ? [] : [{ vehicle_id }]),
  ];
  for (const reference of references) {
    const found = lookup.find(
      reference,
      (candidate) => isThere(candidate) && !isAnotherCar(stated, candidate.listing),
    );
    if (found.kind !== 'unknown') return found;
  }
  return { kind: 'unknown' };
}

/** What is blank says nothing. */
function identifiersOf({ vin, stock, vehicle_id }: Vehicle): Pick<Vehicle, 'vin' | 'stock' | 'vehicle_id'> {
  return {
    ...(isBlank(vin) ? {} : { vin }),
    ...(isBlank(stock) ? {} : { stock }),
    ...(isBlank(vehicle_id) ? {} : { vehicle_id }),
  };
}

function isBlank(text: string | undefined): text is undefined {
  return text === undefined || text.trim() === '';
}

/** Make and model both differ: one of them alone is often spelled another way. */
function isAnotherCar(stated: Vehicle, listing: Vehicle): boolean {
  return isCalledOtherwise(stated.make, listing.make) && isCalledOtherwise(stated.model, listing.model);
}

/**
 * A lead for a vehicle we cannot find is still a lead. Only a test drive needs the vehicle: it must name one, and
 * one named by vin or stock must be here (aap-v1.3 section 5, a2a-jsonrpc C10).
 */
export function checkVehicle(request: LeadSubmitRequest, found: FoundVehicle): Refusal | undefined {
  if (request.appointment?.appointment_type !== 'test_drive') return undefined;
  if (found.kind === 'listed') return undefined;
  const wanted = request.vehicle_of_interest;
  if (wanted === undefined || !namesVehicle(wanted)) {
    return {
      kind: 'refused',
      code: 'MISSING_REQUIRED_FIELD',
      message: 'A test drive needs vehicle_of_interest: which vehicle would the buyer like to drive?',
      details: {
        errors: [
          {
            instanceLocation: wanted === undefined ? '' : '/vehicle_of_interest',
            keyword: 'required',
            error:
              wanted === undefined
                ? 'vehicle_of_interest is required when appointment_type is test_drive'
                : 'vehicle_of_interest must name a vehicle when appointment_type is test_drive',
          },
        ],
      },
    };
  }
  const { vin, stock } = wanted;
  if (!isNamed(vin) && !isNamed(stock)) return undefined;
  const details = { ...(isNamed(vin) ? { vin } : {}), ...(isNamed(stock) ? { stock } : {}) };
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

/** Say where a vehicle stands, not which it is. */
const PLACES: ReadonlySet<string> = new Set(['dealer_id', 'rooftop'] satisfies (keyof Vehicle)[]);

/** Blanks, `N/A` and the like say as little as nothing at all. */
function namesVehicle(vehicle: Vehicle): boolean {
  return Object.entries(vehicle).some(([field, value]) => !PLACES.has(field) && saysSomething(value));
}

function saysSomething(value: unknown): boolean {
  if (typeof value === 'string') return isNamed(value);
  if (typeof value === 'object' && value !== null) return Object.values(value).some(saysSomething);
  return value !== undefined && value !== null;
}
