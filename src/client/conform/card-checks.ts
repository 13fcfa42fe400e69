import { A2A_VERSION, AAP_EXTENSION_URI } from '../../model/protocol.ts';
import { SKILL_STEMS, type SkillId } from '../../model/skill.ts';
import { CARD_PATH } from '../agent-address.ts';
import type { HttpAnswer } from '../http-exchange.ts';
import { isObject, listAt, parseJson, textAt, valueAt } from '../json-value.ts';
import { describeFaults, schemaFaults } from '../payload-schemas.ts';
import { allOf, expectThat, noFaults, type Check, type Finding } from './check.ts';
import type { Probe } from './probe.ts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The card (A2A section 8, aap-v1.3 section 1). */
export const CARD_CHECKS: readonly Check[] = [
  {
    id: 'CARD-01',
    promise: 'The card is served as JSON at the root of the origin.',
    run: async (probe) => {
      const answer = await getCard(probe);
      const type = answer.header('content-type') ?? '';
      return allOf(
        expectThat(answer.status === 200, 'HTTP 200', `HTTP ${answer.status}`),
        expectThat(/^application\/json\b/i.test(type), 'Content-Type application/json', type),
        expectThat(isObject(parseJson(answer.text)), 'a JSON object', answer.text),
      );
    },
  },
  {
    id: 'CARD-02',
    promise: 'The card has every member that A2A and AAP ask for.',
    run: ({ agent }) =>
      now(noFaults('a card that keeps the schema', describeFaults(schemaFaults('agent-card', agent.card)))),
  },
  {
    id: 'CARD-03',
    promise: `The card names a JSON-RPC interface of A2A ${A2A_VERSION}, by an absolute https address.`,
    run: ({ agent: { endpoint } }) => {
      const isLocal = /^(localhost|127\.[\d.]+|\[::1\])$/.test(endpoint.hostname);
      return now(expectThat(endpoint.protocol === 'https:' || isLocal, 'an https address', endpoint.href));
    },
  },
  {
    id: 'CARD-04',
    promise: 'The card declares AAP 1.3 with version, schema address and an id that is a UUID.',
    run: ({ agent }) => {
      const params = extensionParams(agent.card);
      return now(
        allOf(
          expectThat(UUID.test(textAt(params, 'id') ?? ''), 'params.id is a UUID', valueAt(params, 'id')),
          expectThat(
            textAt(params, 'version') === '1.3.0',
            'params.version 1.3.0',
            valueAt(params, 'version'),
          ),
          expectThat(
            URL.canParse(textAt(params, 'schema_base_url') ?? ''),
            'params.schema_base_url is an address',
            valueAt(params, 'schema_base_url'),
          ),
        ),
      );
    },
  },
  {
    id: 'CARD-04',
    promise: 'The extension names the schemas of exactly the AAP skills that the card lists.',
    run: ({ agent }) => {
      const named = valueAt(extensionParams(agent.card), 'skills');
      const listed = agent.skills.filter((id) => Object.hasOwn(SKILL_STEMS, id));
      const same = isObject(named) && sorted(Object.keys(named)) === sorted(listed);
      return now(
        allOf(
          expectThat(same, `params.skills for ${listed.join(', ')}`, named),
          noFaults(
            'request_schema and response_schema end with the names of the skill',
            listed.flatMap((id) => schemaUrlFaults(named, id as SkillId)),
          ),
        ),
      );
    },
  },
  {
    id: 'CARD-09',
    promise: 'The card claims no streaming, no push notifications and no extended card.',
    run: ({ agent }) => {
      const claimed = ['streaming', 'pushNotifications', 'extendedAgentCard'].filter(
        (name) => valueAt(agent.card, 'capabilities', name) === true,
      );
      return now(noFaults('none of them', claimed));
    },
  },
  {
    id: 'CARD-10',
    promise: 'What is asked of callers stands in securityRequirements, not in the old member security.',
    run: ({ agent: { card } }) =>
      now(expectThat(card.security === undefined, 'no member "security"', valueAt(card, 'security'))),
  },
  {
    id: 'CARD-06',
    promise: 'The card and its params.id stay the same while nothing changes.',
    run: async (probe) => {
      const again = parseJson((await getCard(probe)).text);
      const [before, after] = [probe.agent.card, again].map((card) => valueAt(extensionParams(card), 'id'));
      return expectThat(before === after, `params.id ${String(before)} again`, after);
    },
  },
  {
    id: 'CARD-07',
    promise: 'The card carries ETag and Cache-Control, and answers If-None-Match with 304.',
    run: async (probe) => {
      const first = await getCard(probe);
      const etag = first.header('etag');
      if (etag === undefined || first.header('cache-control') === undefined) {
        return expectThat(false, 'ETag and Cache-Control', `ETag ${etag ?? 'missing'}`);
      }
      const { status } = await getCard(probe, { 'if-none-match': etag });
      return expectThat(status === 304, 'HTTP 304 for the same ETag', `HTTP ${status}`);
    },
  },
  {
    id: 'CARD-08',
    promise: 'HEAD gives the headers of the card alone.',
    run: async (probe) => {
      const { status, header } = await probe.http(new URL(CARD_PATH, probe.agent.cardUrl), {
        method: 'HEAD',
      });
      return expectThat(
        status === 200 && (header('content-type') ?? '').includes('json'),
        'HTTP 200 with the Content-Type of JSON',
        `HTTP ${status}`,
      );
    },
  },
];

function getCard(probe: Probe, headers: Record<string, string> = {}): Promise<HttpAnswer> {
  return probe.http(new URL(CARD_PATH, probe.agent.cardUrl), {
    method: 'GET',
    headers: { accept: 'application/json', ...headers },
  });
}

function extensionParams(card: unknown): unknown {
  const extensions = listAt(card, 'capabilities', 'extensions');
  return valueAt(
    extensions.find((extension) => textAt(extension, 'uri') === AAP_EXTENSION_URI),
    'params',
  );
}

function schemaUrlFaults(named: unknown, id: SkillId): string[] {
  return (['request', 'response'] as const).flatMap((side) => {
    const address = textAt(named, id, `${side}_schema`) ?? '';
    return address.endsWith(`/${SKILL_STEMS[id]}-${side}.schema.json`)
      ? []
      : [`${id}: ${side}_schema "${address}"`];
  });
}

function sorted(names: readonly string[]): string {
  return [...names].sort().join(' ');
}

function now(finding: Finding): Promise<Finding> {
  return Promise.resolve(finding);
}
