import { newMessageId } from '../model/identifier.ts';
import {
  A2A_VERSION,
  AAP_EXTENSION_URI,
  JSON_MEDIA_TYPE,
  requestMediaType,
  responseMediaType,
} from '../model/protocol.ts';
import type { SkillId } from '../model/skill.ts';

/** The SendMessage call around a payload (aap-v1.3 section 2). */
export function sendMessageCall(skill: SkillId, payload: object) {
  return {
    jsonrpc: '2.0',
    id: newMessageId(),
    method: 'SendMessage',
    params: {
      message: {
        messageId: newMessageId(),
        role: 'ROLE_USER',
        parts: [{ data: payload, mediaType: requestMediaType(skill) }],
      },
      configuration: { acceptedOutputModes: [responseMediaType(skill), JSON_MEDIA_TYPE] },
    },
  };
}

export function callHeaders(token?: string): Record<string, string> {
  return {
    'content-type': JSON_MEDIA_TYPE,
    accept: JSON_MEDIA_TYPE,
    'a2a-version': A2A_VERSION,
    'a2a-extensions': AAP_EXTENSION_URI,
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
}
