import type { Vehicle } from '../model/vehicle.ts';
import { joinFacts } from './comments.ts';
import { freeText, lineOf, singleLine } from './text.ts';

/** Of what is no attribute (a deeper value in a field that AAP does not know) so much is told as JSON. */
const LONGEST_JSON = 1000;

/** Fields that have an element of their own, or that say nothing to the dealer about his own car. */
const TOLD_ELSEWHERE = new Set([
  'vin',
  'stock',
  'dealer_id',
  'rooftop',
  'status',
  'year',
  'make',
  'model',
  'trim',
  'body',
  'condition',
  'transmission',
  'mileage',
  'msrp',
  'list_price',
  'price',
  'fees',
  'exterior_color',
  'interior_color',
  'photos',
  'inventory_date',
  'updated_at',
]);

/** Fields of AAP for which ADF has no element, with the words for them, in the order in which they are told. */
const WORDED: Readonly<Record<string, (value: string) => string>> = {
  // Without a word about it, it is a car.
  vehicle_type: (value) => (value === 'car' ? '' : `vehicle type: ${value}`),
  engine: (value) => `engine: ${value}`,
  displacement_cc: (value) => `${value} cc`,
  fuel: (value) => `fuel: ${value}`,
  driveline: (value) => `driveline: ${value}`,
  city_mpg: (value) => `city ${value} mpg`,
  highway_mpg: (value) => `highway ${value} mpg`,
  electric_range_mi: (value) => `electric range ${value} mi`,
  battery_kwh: (value) => `battery ${value} kWh`,
  motor_power_hp: (value) => `motor ${value} hp`,
  dc_fast_charge: (value) => `DC fast charge: ${value}`,
  charge_port: (value) => `charge port: ${value}`,
  vehicle_id: (value) => `vehicle id: ${value}`,
  vdp_url: (value) => value,
  features: (value) => `features: ${value}`,
};

/**
 * The one comments element of a vehicle: what we must add (`remarks`), the buyer's own notes, every fact without an
 * element, and `furtherPhotos`, joined by "; " (adf-1.0 section 4).
 */
export function vehicleComments(
  vehicle: Vehicle,
  remarks: readonly string[],
  furtherPhotos: readonly string[] = [],
): string {
  const facts = [...remarks];
  if (typeof vehicle.notes === 'string') facts.push(freeText(vehicle.notes));
  const fields = new Map<string, unknown>(Object.entries(vehicle));
  for (const [field, wording] of Object.entries(WORDED)) {
    const value = attributeText(fields.get(field));
    if (value !== undefined) facts.push(wording(value));
  }
  facts.push(...attributeFacts(vehicle.other_attributes));
  facts.push(...attributeFacts(unknownFields(fields)));
  facts.push(...furtherPhotos.map((url) => `photo: ${singleLine(url)}`));
  if (typeof vehicle.description === 'string') facts.push(freeText(vehicle.description));
  return joinFacts(facts.filter((fact) => fact.trim() !== ''));
}

/** AAP lets a vehicle carry fields that it does not know. */
function unknownFields(fields: ReadonlyMap<string, unknown>): Record<string, unknown> {
  const told = new Set(['notes', 'description', 'other_attributes', ...Object.keys(WORDED)]);
  return Object.fromEntries([...fields].filter(([field]) => !TOLD_ELSEWHERE.has(field) && !told.has(field)));
}

function attributeFacts(attributes: Record<string, unknown> | undefined): string[] {
  if (typeof attributes !== 'object') return [];
  return Object.entries(attributes).flatMap(([name, value]) => {
    const text = attributeText(value);
    return text === undefined ? [] : [`${singleLine(name)}: ${text}`];
  });
}

/** Scalars and flat lists of them (`AttributeValue`) in words, anything deeper as the JSON it is. */
function attributeText(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value !== 'object' || value === null) return lineOf(value);
  if (!Array.isArray(value) || value.some((item) => typeof item === 'object')) return jsonText(value);
  const texts = value.map(lineOf).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join(', ');
}

function jsonText(value: object): string {
  const text = singleLine(JSON.stringify(value));
  return text.length <= LONGEST_JSON ? text : `${text.slice(0, LONGEST_JSON)} [...]`;
}
