import { AAP_ERRORS } from './errors.ts';
import type { Refusal } from './errors.ts';
import { describePlace } from './json-pointer.ts';
import { shorten } from './shorten.ts';

/** One thing wrong with a request, as `details.errors` lists it (aap-v1.3 section 3). */
export interface Fault {
  /** JSON Pointer. A key that should not be there is pointed at itself, a missing one at its parent. */
  instanceLocation: string;
  /** JSON Schema keyword. */
  keyword: string;
  /** What would be right, for a person: continues the name of the place. */
  error: string;
  /** Set when something required is absent: its name. */
  missing?: string;
  /** The value found, when it is a plain one. */
  received?: string | number | boolean | null;
}

const MAX_LISTED = 100;
const MAX_NAMED = 3;
const MAX_PLACE_CHARACTERS = 120;

/** One answer for all faults together: the most telling code, every fault in the details. */
export function refusalFor(faults: readonly [Fault, ...Fault[]]): Refusal {
  const [first] = faults;
  const code = codeFor(faults);
  return {
    code,
    message: messageFor(code, faults),
    details: {
      errors: faults
        .slice(0, MAX_LISTED)
        .map(({ instanceLocation, keyword, error }) => ({ instanceLocation, keyword, error })),
      ...(faults.length > MAX_LISTED ? { errors_total: faults.length } : {}),
      // Beside the list for readers of the older page of the binding (aap-v1.3 section 3).
      instancePath: first.instanceLocation,
      ...(first.received === undefined ? {} : { received: first.received }),
    },
  };
}

function codeFor(faults: readonly [Fault, ...Fault[]]): Refusal['code'] {
  if (faults.some(isMissingConsent)) return 'CONTACT_CONSENT_REQUIRED';
  if (faults.every(isInsideConsent)) return 'INVALID_CONSENT';
  if (faults.every(isWrongCondition)) return 'INVALID_CONDITION';
  if (faults.length === 1 && faults[0].missing !== undefined) return 'MISSING_REQUIRED_FIELD';
  return 'SCHEMA_VALIDATION_FAILED';
}

function isMissingConsent(fault: Fault): boolean {
  return fault.instanceLocation === '' && fault.missing === 'consent';
}

function isInsideConsent({ instanceLocation }: Fault): boolean {
  return instanceLocation === '/consent' || instanceLocation.startsWith('/consent/');
}

/** A word, but of another vocabulary: a trade-in that is `new`, a listing that is `good`. */
function isWrongCondition({ instanceLocation, keyword, received }: Fault): boolean {
  return keyword === 'enum' && typeof received === 'string' && /\/condition(\/\d+)?$/.test(instanceLocation);
}

/** A missing consent outweighs all else, so the buyer reads of nothing but the consent. */
function messageFor(code: Refusal['code'], faults: readonly Fault[]): string {
  if (code === 'CONTACT_CONSENT_REQUIRED') return consentText(code, faults.filter(isMissingConsent));
  return code === 'INVALID_CONSENT' ? consentText(code, faults) : summary(faults);
}

function consentText(code: Refusal['code'], faults: readonly Fault[]): string {
  return `${AAP_ERRORS[code].text.replace(/\.$/, ':')} ${summary(faults)}`;
}

function summary(faults: readonly Fault[]): string {
  const named = faults
    .slice(0, MAX_NAMED)
    .map((fault) => `${placeOf(fault)} ${fault.error}`)
    .join('; ');
  const rest = faults.length - MAX_NAMED;
  return rest > 0 ? `${named}; and ${rest} more` : named;
}

/** A key of the caller's may be as long as the whole body. */
function placeOf({ instanceLocation }: Fault): string {
  const place = describePlace(instanceLocation);
  return place.length > MAX_PLACE_CHARACTERS ? `${shorten(place, MAX_PLACE_CHARACTERS)}…` : place;
}
