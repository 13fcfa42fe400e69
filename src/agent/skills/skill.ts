import type { SkillId } from '../../model/skill.ts';
import type { Refusal } from '../errors.ts';

/** One of the five things a dealer can be asked. Skills know neither HTTP nor JSON-RPC. */
export interface Skill {
  readonly id: SkillId;
  readonly description: string;
  readonly tags: readonly [string, ...string[]];
  /** Gets a payload that has passed the skill's request schema. Throws on bugs and broken I/O only. */
  answer(request: unknown): SkillOutcome | Promise<SkillOutcome>;
}

export type SkillOutcome =
  /** The whole response payload (`{type, data, message}`) as JSON text. */
  { kind: 'answered'; payload: string } | { kind: 'refused'; refusal: Refusal };

/** `data` is JSON text, so that stored vehicles go out as they are. */
export function answered(skill: SkillId, data: string, message: string): SkillOutcome {
  return {
    kind: 'answered',
    payload: `{"type":"${skill}.response","data":${data},"message":${JSON.stringify(message)}}`,
  };
}

export function refused(refusal: Refusal): SkillOutcome {
  return { kind: 'refused', refusal };
}
