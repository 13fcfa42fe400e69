import { fillTemplate, unknownPlaces } from '../../../src/adapters/index.ts';
import type { LeadDocument, Problem } from '../../../src/adapters/index.ts';
import { fault } from './fault.ts';
import type { JsonObject, JsonValue, Options } from './options.ts';

/** The lead's ADF, and facts that a CRM may want beside it; one that the lead has not is empty. */
const PLACES = [
  'adf',
  'lead_id',
  'received_at',
  'dealership',
  'rooftop',
  'source',
  'first_name',
  'last_name',
  'email',
  'phone',
  'vin',
  'stock',
  'message',
] as const;

const DEEPEST = 10;

/** The template with the lead in its places; names and values that are no text stay as they are. */
export function fillBody(template: JsonObject, lead: LeadDocument, adf: string): JsonValue {
  return fill(template, { adf, ...factsOf(lead) });
}

export function checkBody({ json }: Options): Problem[] {
  if (json === undefined) return [];
  const texts: string[] = [];
  if (!collectTexts(json, texts, 0)) {
    return [fault('json', `is nested more than ${DEEPEST} levels deep`)];
  }
  const problems = texts
    .flatMap((text) => unknownPlaces(text, PLACES))
    .map((place) =>
      fault('json', `nothing is known as {${place}}`, `Use ${PLACES.map((name) => `{${name}}`).join(', ')}.`),
    );
  const count = texts.filter((text) => text === '{adf}').length;
  if (count !== 1) {
    problems.push(
      fault('json', 'must say {adf}, alone, in exactly one place', 'Write for example adf: "{adf}".'),
    );
  }
  return problems;
}

function factsOf({ lead_id, received_at, request, listing, rooftop }: LeadDocument): Record<string, string> {
  const { customer, source_agent, vehicle_of_interest, message = '' } = request;
  return {
    lead_id,
    received_at,
    dealership: rooftop.profile.name,
    rooftop: rooftop.id,
    source: source_agent.name,
    first_name: customer.first_name,
    last_name: customer.last_name,
    email: customer.email ?? '',
    phone: customer.phone ?? '',
    vin: vehicle_of_interest?.vin ?? listing?.vin ?? '',
    stock: vehicle_of_interest?.stock ?? listing?.stock ?? '',
    message,
  };
}

function fill(value: JsonValue, places: Readonly<Record<string, string>>): JsonValue {
  if (typeof value === 'string') return fillTemplate(value, places).toWellFormed();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => fill(item, places));
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, fill(member, places)]));
}

/** False when it is too deep. */
function collectTexts(value: JsonValue, texts: string[], depth: number): boolean {
  if (depth > DEEPEST) return false;
  if (typeof value === 'string') texts.push(value);
  if (typeof value !== 'object' || value === null) return true;
  return Object.values(value).every((member) => collectTexts(member, texts, depth + 1));
}
