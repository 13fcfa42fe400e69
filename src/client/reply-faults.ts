import { responseMediaType } from '../model/protocol.ts';
import { SKILL_STEMS, type SkillId } from '../model/skill.ts';
import { isObject, listAt, textAt, valueAt } from './json-value.ts';
import { describeFaults, schemaFaults } from './payload-schemas.ts';

/** What is wrong with the message that carries an answer (aap-v1.3 section 2, A2A section 9), in words. */
export function messageFaults(result: unknown, skill: SkillId): string[] {
  if (valueAt(result, 'task') !== undefined) return ['the answer is a task, not a message'];
  const message = valueAt(result, 'message');
  if (!isObject(message)) return ['the result has no message'];
  const mediaType = textAt(firstDataPart(message), 'mediaType');
  return [
    ...(hasText(message, 'messageId') ? [] : ['the message has no messageId']),
    ...(hasText(message, 'contextId') ? [] : ['the message has no contextId']),
    ...(message.role === 'ROLE_AGENT' ? [] : ['the role of the message is not ROLE_AGENT']),
    ...(message.taskId === undefined ? [] : ['the message names a task']),
    ...(mediaType === responseMediaType(skill) ? [] : [`the mediaType is not ${responseMediaType(skill)}`]),
  ];
}

export function payloadFaults(payload: unknown, skill: SkillId): string[] {
  return describeFaults(schemaFaults(`${SKILL_STEMS[skill]}-response`, payload));
}

/** The payload of a result: the data of the first part that has some. */
export function payloadOf(result: unknown): unknown {
  return valueAt(firstDataPart(valueAt(result, 'message')), 'data');
}

function firstDataPart(message: unknown): unknown {
  return listAt(message, 'parts').find((part) => valueAt(part, 'data') !== undefined);
}

function hasText(message: unknown, name: string): boolean {
  return (textAt(message, name) ?? '') !== '';
}
