import type { Config } from '../config/config.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { LeadDesk } from '../leads/lead-desk.ts';
import type { Clock } from '../model/clock.ts';
import { SKILL_IDS } from '../model/skill.ts';
import type { SkillId } from '../model/skill.ts';
import type { Refusal } from './errors.ts';
import { refusalFor } from './faults.ts';
import { isObject } from './proto-json.ts';
import { shorten } from './shorten.ts';
import { dealerInformation } from './skills/dealer-information.ts';
import { inventoryFacets } from './skills/inventory-facets.ts';
import { inventorySearch } from './skills/inventory-search.ts';
import { inventoryVehicle } from './skills/inventory-vehicle.ts';
import { leadSubmit } from './skills/lead-submit.ts';
import type { Skill, SkillOutcome } from './skills/skill.ts';
import { createRequestValidator } from './validators.ts';

/** Of a `type` that is told back. */
const MAX_TYPE_CHARACTERS = 80;

/** The skills this dealer offers, with their payloads checked; independent of the transport that carries them. */
export interface SkillSet {
  /** In the order of the AAP specification. */
  readonly skills: readonly Skill[];
  /** Which skill a payload is for, by its `type`. */
  select(payload: unknown): { skill: Skill } | { refusal: Refusal };
  /** Checks the payload against the skill's schema and answers it. Rejects on bugs and broken I/O only. */
  answer(skill: Skill, payload: unknown): Promise<SkillOutcome>;
}

export interface SkillParts {
  config: Config;
  inventory: Inventory;
  leadDesk: LeadDesk;
  clock: Clock;
}

export function createSkillSet({ config, inventory, leadDesk, clock }: SkillParts): SkillSet {
  const all: Record<SkillId, Skill> = {
    'dealer.information': dealerInformation(config.dealer, inventory, clock),
    'inventory.facets': inventoryFacets(inventory, clock),
    'inventory.search': inventorySearch(inventory, config.search, clock),
    'inventory.vehicle': inventoryVehicle(inventory, clock),
    'lead.submit': leadSubmit(leadDesk),
  };
  const skills = SKILL_IDS.filter((id) => config.skills[id]).map((id) => all[id]);
  const byRequestType = new Map(skills.map((skill) => [`${skill.id}.request`, skill]));
  const validate = createRequestValidator();

  return {
    skills,
    select: (payload) => {
      const type = readType(payload);
      if ('refusal' in type) return type;
      const skill = byRequestType.get(type.name);
      return skill === undefined ? { refusal: unsupported(type.name, skills) } : { skill };
    },
    answer: async (skill, payload) => {
      const [first, ...more] = validate(skill.id, payload);
      if (first !== undefined) return { kind: 'refused', refusal: refusalFor([first, ...more]) };
      return skill.answer(payload);
    },
  };
}

function readType(payload: unknown): { name: string } | { refusal: Refusal } {
  if (!isObject(payload)) {
    return { refusal: refusalFor([{ instanceLocation: '', keyword: 'type', error: 'must be an object' }]) };
  }
  if (!Object.hasOwn(payload, 'type')) {
    const fault = { instanceLocation: '', keyword: 'required', error: 'must have "type"', missing: 'type' };
    return { refusal: refusalFor([fault]) };
  }
  const name = payload.type;
  if (typeof name === 'string') return { name };
  return { refusal: refusalFor([{ instanceLocation: '/type', keyword: 'type', error: 'must be a string' }]) };
}

function unsupported(type: string, skills: readonly Skill[]): Refusal {
  const offered = skills.map(({ id }) => `${id}.request`);
  return {
    code: 'UNSUPPORTED_SKILL',
    message: `This dealer does not answer "${shorten(type, MAX_TYPE_CHARACTERS)}"; it answers ${offered.join(', ')}.`,
    details: { supported_types: offered },
  };
}
