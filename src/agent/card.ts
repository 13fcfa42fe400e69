import { createHash } from 'node:crypto';
import type { AccessConfig, Config } from '../config/config.ts';
import {
  A2A_VERSION,
  AAP_EXTENSION_URI,
  AAP_SCHEMA_BASE_URL,
  JSON_MEDIA_TYPE,
  requestMediaType,
  responseMediaType,
} from '../model/protocol.ts';
import { SKILL_STEMS } from '../model/skill.ts';
import type { SkillId } from '../model/skill.ts';
import { cardId } from './card-id.ts';
import { needsToken, usesTokens } from './door/door.ts';
import type { Skill } from './skills/skill.ts';

const AAP_VERSION = '1.3.0';

export interface CardParts {
  config: Config;
  skills: readonly Skill[];
  programVersion: string;
}

export interface Card {
  /** JSON text. */
  body: string;
  /** Strong entity tag, quotes included. */
  etag: string;
}

/**
 * The agent card (aap-v1.3 section 1). `publicUrl` is the origin under which buyers reach the bridge, without a
 * slash at its end. The same config always gives the same bytes.
 */
export function buildCard({ config, skills, programVersion }: CardParts, publicUrl: string): Card {
  const card = {
    name: config.dealer.name,
    description: `Vehicles for sale at ${config.dealer.name}: search them, see each one, and get in touch with the dealer.`,
    version: programVersion,
    ...provider(config),
    supportedInterfaces: [
      { url: `${publicUrl}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: A2A_VERSION },
    ],
    // No streaming, no push notifications, no extended card: a client would switch to them.
    capabilities: { extensions: [extension(skills, config.a2a.require_extension)] },
    defaultInputModes: [JSON_MEDIA_TYPE, ...skills.map(({ id }) => requestMediaType(id))],
    defaultOutputModes: [JSON_MEDIA_TYPE, ...skills.map(({ id }) => responseMediaType(id))],
    ...security(config.access),
    skills: skills.map(({ id, description, tags }) => ({
      id,
      name: id,
      description,
      tags,
      ...skillSecurity(config.access, id),
      inputModes: [requestMediaType(id), JSON_MEDIA_TYPE],
      outputModes: [responseMediaType(id), JSON_MEDIA_TYPE],
    })),
  };
  const id = cardId(JSON.stringify(card));
  const [entry] = card.capabilities.extensions;
  const body = JSON.stringify({
    ...card,
    capabilities: { extensions: [{ ...entry, params: { id, ...entry?.params } }] },
  });
  return { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` };
}

/** A2A wants a URL with the organization, so a dealer without a website names none. */
function provider({ dealer }: Config): object {
  const url = dealer.rooftops.map(({ profile }) => profile.website).find((website) => website !== undefined);
  return url === undefined ? {} : { provider: { organization: dealer.name, url } };
}

const SCHEME = 'dealerToken';

/** A2A section 8: what is asked of every call stands on the card, what only some skills ask for on these. */
const REQUIREMENTS = { securityRequirements: [{ schemes: { [SCHEME]: { list: [] } } }] };

function security(access: AccessConfig): object {
  if (!usesTokens(access)) return {};
  const scheme = { scheme: 'Bearer', description: 'A token that the dealer hands out to agents it knows.' };
  return {
    securitySchemes: { [SCHEME]: { httpAuthSecurityScheme: scheme } },
    ...(access.require_token === 'all' ? REQUIREMENTS : {}),
  };
}

function skillSecurity(access: AccessConfig, skill: SkillId): object {
  return access.require_token !== 'all' && needsToken(access, skill) ? REQUIREMENTS : {};
}

function extension(skills: readonly Skill[], required: boolean) {
  return {
    uri: AAP_EXTENSION_URI,
    description: `Auto Agent Protocol ${AAP_VERSION}: the questions that an agent can ask a car dealer.`,
    // The card decides and the endpoint follows: both read the same setting.
    ...(required ? { required } : {}),
    params: {
      version: AAP_VERSION,
      schema_base_url: AAP_SCHEMA_BASE_URL,
      skills: Object.fromEntries(skills.map(({ id }) => [id, schemaUrls(id)])),
    },
  };
}

function schemaUrls(skill: SkillId) {
  const stem = `${AAP_SCHEMA_BASE_URL}${SKILL_STEMS[skill]}`;
  return { request_schema: `${stem}-request.schema.json`, response_schema: `${stem}-response.schema.json` };
}
