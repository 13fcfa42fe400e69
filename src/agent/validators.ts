import type { ValidateFunction } from 'ajv/dist/2020.js';
import { SKILL_IDS, SKILL_STEMS } from '../model/skill.ts';
import type { SkillId } from '../model/skill.ts';
import type { Fault } from './faults.ts';
import { findExcess } from './payload-bounds.ts';
import { isObject } from './proto-json.ts';
import { faultsFrom } from './schema-faults.ts';
import { createSchemaValidator } from './schemas.ts';

/** Every fault of a request at once; none = it is what the skill's request type says. Never throws. */
export type RequestValidator = (skill: SkillId, payload: unknown) => Fault[];

/** Compiles the five request schemas (some 0.1 s): once for a program. */
export function createRequestValidator(): RequestValidator {
  const ajv = createSchemaValidator();
  const validators = new Map<SkillId, ValidateFunction>(
    SKILL_IDS.map((skill) => {
      const validate = ajv.getSchema(`${SKILL_STEMS[skill]}-request.schema.json`);
      if (validate === undefined) throw new Error(`no request schema for ${skill}`);
      return [skill, validate];
    }),
  );
  return (skill, payload) => {
    const excess = findExcess(payload, '');
    if (excess !== undefined) return [excess];
    const validate = validators.get(skill);
    if (validate === undefined) throw new Error(`no validator for ${skill}`);
    const faults = validate(payload) ? [] : faultsFrom(validate.errors ?? []);
    return skill === 'lead.submit' ? [...faults, ...missingVehicle(payload)] : faults;
  };
}

/** What the schema cannot say: a test drive is of some vehicle (aap-v1.3 section 3, MISSING_REQUIRED_FIELD). */
function missingVehicle(payload: unknown): Fault[] {
  if (!isObject(payload) || payload.vehicle_of_interest !== undefined) return [];
  if (!isObject(payload.appointment) || payload.appointment.appointment_type !== 'test_drive') return [];
  const name = 'vehicle_of_interest';
  const error = `must have "${name}" for a test drive: which vehicle would the buyer like to drive?`;
  return [{ instanceLocation: '', keyword: 'required', error, missing: name }];
}
