import type { ValidateFunction } from 'ajv/dist/2020.js';
import { SKILL_IDS, SKILL_STEMS } from '../model/skill.ts';
import type { SkillId } from '../model/skill.ts';
import type { Fault } from './faults.ts';
import { findExcess } from './payload-bounds.ts';
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
    return validate(payload) ? [] : faultsFrom(validate.errors ?? []);
  };
}
