import type { Inventory, VehicleReference } from '../../inventory/inventory.ts';
import type { Clock } from '../../model/clock.ts';
import { ageText } from './age-text.ts';
import { answered, refused } from './skill.ts';
import type { Skill } from './skill.ts';
import { describeListing } from './describe-listing.ts';
import { oneLine } from './one-line.ts';

const MAX_NAMED_CHARACTERS = 40;

export function inventoryVehicle(inventory: Inventory, clock: Clock): Skill {
  return {
    id: 'inventory.vehicle',
    description: 'Everything about one vehicle, found by VIN, stock number or vehicle_id.',
    tags: ['inventory', 'vehicle', 'automotive'],
    answer: (request) => {
      const reference = referenceOf(request as VehicleReference);
      const found = inventory.find(reference);
      switch (found.kind) {
        case 'listed':
          return answered('inventory.vehicle', found.json, describeListing(found.listing, clock.now()));
        case 'gone':
          return refused({
            code: 'VEHICLE_UNAVAILABLE',
            message: goneText(found.leftAt, clock.now()),
            details: { ...reference, left_at: found.leftAt },
          });
        case 'unknown':
          return refused({
            code: 'VEHICLE_NOT_FOUND',
            message: `We have no vehicle with ${describeReference(reference)}.`,
            details: { ...reference },
          });
      }
    },
  };
}

function goneText(leftAt: string, now: number): string {
  const age = ageText(now - Date.parse(leftAt));
  return `This vehicle is no longer for sale; it left the lot ${age} ago, on ${leftAt.slice(0, 10)}.`;
}

function referenceOf({ vin, stock, vehicle_id }: VehicleReference): VehicleReference {
  return {
    ...(vin === undefined ? {} : { vin }),
    ...(stock === undefined ? {} : { stock }),
    ...(vehicle_id === undefined ? {} : { vehicle_id }),
  };
}

/** Names the identifier that was looked up, cut to a length that fits into a sentence; it may be blank. */
function describeReference({ vin, stock, vehicle_id }: VehicleReference): string {
  if (vin !== undefined) return `VIN ${vin}`;
  if (stock !== undefined) return `stock number "${oneLine(stock, MAX_NAMED_CHARACTERS)}"`;
  return `vehicle_id "${oneLine(vehicle_id ?? '', MAX_NAMED_CHARACTERS)}"`;
}
