import { SKILL_STEMS } from './skill.ts';
import type { SkillId } from './skill.ts';

/** Names AAP 1.3; another version of it is another URI and no match (A2A section 4.6). */
export const AAP_EXTENSION_URI = 'https://autoagentprotocol.org/extensions/aap/v1.3';

/** Major and minor number of A2A: a patch number never appears on the wire. */
export const A2A_VERSION = '1.0';

/** Where the AAP schemas are published. */
export const AAP_SCHEMA_BASE_URL = 'https://autoagentprotocol.org/v1.3/schemas/';

export const JSON_MEDIA_TYPE = 'application/json';

export function requestMediaType(skill: SkillId): string {
  return `application/vnd.autoagent.${SKILL_STEMS[skill]}-request+json`;
}

export function responseMediaType(skill: SkillId): string {
  return `application/vnd.autoagent.${SKILL_STEMS[skill]}-response+json`;
}
