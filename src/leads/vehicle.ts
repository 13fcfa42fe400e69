import type { DealerConfig } from '../config/config.ts';
import type { LeadSubmitRequest } from '../model/lead.ts';
import { isNamed } from '../model/named.ts';
import type { Vehicle } from '../model/vehicle.ts';
import { normaliseWord } from '../model/vocabulary.ts';
import type { LeadOutcome, VehicleLookup } from './lead-desk.ts';
import { namedRooftop } from './named-rooftop.ts';

type Refusal = Extract<LeadOutcome, { kind: 'refused' }>;
export type FoundVehicle = ReturnType<VehicleLookup['find']>;

/**
 * Looks the vehicle of interest up on the lot. Without an identifier there is nothing to look up. A VIN is one car
 * wherever it stands; a stock number or vehicle_id is meant at the rooftop that the buyer names, and is not that of a
 * car which the buyer calls otherwise: another dealer's car at another price must not go into the lead.
 */
export function findVehicle(
  request: LeadSubmitRequest,
  lookup: VehicleLookup,
  dealer: DealerConfig,
): FoundVehicle {
  const stated = request.vehicle_of_interest ?? {};
  const { vin, stock, vehicle_id } = identifiersOf(stated);
  const at = namedRooftop(request, dealer)?.id;
  if (vin !== undefined) {
    const here = lookup.find({ vin }, ({ rooftopId }) => at === undefined || rooftopId === at);
    return here.kind === 'listed' || at === undefined ? here : lookup.find({ vin });
  }
  if (stock === undefined && vehicle_id === undefined) return { kind: 'unknown' };
  const reference = stock === undefined ? { vehicle_id: vehicle_id ?? '' } : { stock };
  return lookup.find(
    reference,
    ({ rooftopId, listing }) => (at === undefined || rooftopId === at) && !isCalledOtherwise(stated, listing),
  );
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
function isCalledOtherwise(stated: Vehicle, listing: Vehicle): boolean {
  return differ(stated.make, listing.make) && differ(stated.model, listing.model);
}

function differ(one = '', other = ''): boolean {
  const [left, right] = [normaliseWord(one), normaliseWord(other)];
  return left !== '' && right !== '' && !left.includes(right) && !right.includes(left);
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
