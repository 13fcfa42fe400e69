import { JSON_MEDIA_TYPE, requestMediaType, responseMediaType } from '../model/protocol.ts';
import type { SkillId } from '../model/skill.ts';
import { a2aError } from './errors.ts';
import type { RpcError } from './errors.ts';

/** The part names the type of its payload, plain JSON, or nothing. */
export function refuseInputType(skill: SkillId, mediaType: string | undefined): RpcError | undefined {
  if (mediaType === undefined) return undefined;
  const expected = requestMediaType(skill);
  if (mediaType === expected) return undefined;
  if ([expected, JSON_MEDIA_TYPE].includes(essence(mediaType))) return undefined;
  return a2aError('CONTENT_TYPE_NOT_SUPPORTED', `The mediaType of the part must be ${expected}`, {
    supportedTypes: `${expected}, ${JSON_MEDIA_TYPE}`,
  });
}

/** Alternatives: one that we can produce is enough, none at all means anything. */
export function refuseOutputModes(skill: SkillId, accepted: readonly string[]): RpcError | undefined {
  if (accepted.length === 0) return undefined;
  const produced = responseMediaType(skill);
  const fitting = new Set([produced, JSON_MEDIA_TYPE, 'application/*', '*/*']);
  if (accepted.some((mode) => fitting.has(essence(mode)))) return undefined;
  return a2aError('CONTENT_TYPE_NOT_SUPPORTED', `acceptedOutputModes must allow ${produced}`, {
    supportedTypes: `${produced}, ${JSON_MEDIA_TYPE}`,
  });
}

/** Type and subtype in lower case, parameters dropped. */
export function essence(mediaType: string): string {
  return (mediaType.split(';', 1)[0] ?? '').trim().toLowerCase();
}
