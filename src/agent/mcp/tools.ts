import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import { SKILL_STEMS } from '../../model/skill.ts';
import type { SkillId } from '../../model/skill.ts';
import { AAP_SCHEMA_BASE_URL } from '../../model/protocol.ts';
import { toolSchema } from './tool-schema.ts';

/** MCP wants custom members in `_meta`, each under the prefix of whoever defines it. */
const META_PREFIX = 'autoagentprotocol.org';

/** What a model reads before it decides to call the tool. */
const TEXTS: Readonly<Record<SkillId, { title: string; description: string }>> = {
  'dealer.information': {
    title: 'About the dealer',
    description:
      'Who the dealer is: locations, addresses, phones, opening hours, services and fees. Takes no arguments.',
  },
  'inventory.facets': {
    title: 'What is on the lot',
    description:
      'Which makes, models, years, prices and other values the vehicles for sale have, and how many have each. ' +
      'Call it first, to learn which values can be searched for.',
  },
  'inventory.search': {
    title: 'Search vehicles for sale',
    description:
      'Vehicles for sale, by make, model, price, year, mileage, free text and more; sorted, and page by page. ' +
      'A price is in whole US dollars; a vehicle without "price" has no binding price.',
  },
  'inventory.vehicle': {
    title: 'One vehicle',
    description: 'Everything about one vehicle. Give at least one of vin, stock and vehicle_id.',
  },
  'lead.submit': {
    title: 'Send an inquiry to the dealer',
    description:
      "Passes a buyer's inquiry to the dealer, whose staff then contact the buyer. Call it only after the buyer has " +
      'read what will be sent and has agreed to being contacted; "consent" records that agreement in their words. ' +
      'Give an idempotency_key, so that a repeated call makes no second inquiry.',
  },
};

export function toolName(skill: SkillId): string {
  return `aap_${skill.replaceAll('.', '_')}`;
}

/** The tool of a skill. No outputSchema: clients would hold refusals against it and throw them away. */
export function toolOf(skill: SkillId): Tool {
  const { title, description } = TEXTS[skill];
  const stem = `${AAP_SCHEMA_BASE_URL}${SKILL_STEMS[skill]}`;
  return {
    name: toolName(skill),
    title,
    description,
    inputSchema: toolSchema(skill),
    annotations: { title, readOnlyHint: skill !== 'lead.submit', destructiveHint: false },
    _meta: {
      [`${META_PREFIX}/aap_skill_id`]: skill,
      [`${META_PREFIX}/request_type`]: `${skill}.request`,
      [`${META_PREFIX}/response_type`]: `${skill}.response`,
      [`${META_PREFIX}/request_schema`]: `${stem}-request.schema.json`,
      [`${META_PREFIX}/response_schema`]: `${stem}-response.schema.json`,
    },
  };
}
