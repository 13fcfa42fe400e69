import { SendMessageRequest } from '@a2a-js/sdk';
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
  ServiceParameters,
  withA2AExtensions,
} from '@a2a-js/sdk/client';
import type { Client } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LeadOutcome } from '../../src/leads/lead-desk.ts';
import { SOLD_VIN } from '../agent/dealership.ts';
import { leadRequest, VIN } from '../agent/payloads.ts';
import type { ReplyError, ReplyPayload } from '../agent/rpc-reply.ts';
import { openLiveAgent, sample, schemaFaults } from '../web/live-agent.ts';
import type { LiveAgent } from '../web/live-agent.ts';

/** The peer is A2A's own JavaScript client, which resolves the card first and sends its own headers. */

const AAP_URI = 'https://autoagentprotocol.org/extensions/aap/v1.3';
const INFORMATION = { type: 'dealer.information.request' };

let agent: LiveAgent;
let strict: LiveAgent;
let client: Client;
let leadOutcome: (() => Promise<LeadOutcome>) | undefined;
beforeAll(async () => {
  agent = await openLiveAgent({
    submit: ({ message = '' }) =>
      leadOutcome?.() ??
      Promise.resolve({
        kind: 'answered',
        answer: { lead_id: `lead_${message}`, status: 'received' },
        message: 'We will call you.',
        replayed: false,
      }),
  });
  strict = await openLiveAgent({
    config: (config) => ({ ...config, a2a: { require_version_header: true, require_extension: true } }),
  });
  client = await new ClientFactory().createFromUrl(agent.origin);
});
afterAll(() => Promise.all([agent.close(), strict.close()]));

const requestOf = (data: unknown, message: object = {}): SendMessageRequest =>
  SendMessageRequest.fromJSON({
    message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data }], ...message },
  });

async function ask(to: Client, data: unknown, message: object = {}): Promise<ReplyPayload> {
  const reply = await to.sendMessage(requestOf(data, message), {
    serviceParameters: ServiceParameters.create(withA2AExtensions(AAP_URI)),
  });
  if (!('parts' in reply)) throw new Error('the reply is a task');
  const [part] = reply.parts;
  expect(reply.parts).toHaveLength(1);
  expect(reply.contextId).not.toBe('');
  expect(reply.taskId).toBe('');
  if (part?.content?.$case !== 'data') throw new Error('the reply holds no data');
  return part.content.value as ReplyPayload;
}

/** What the client throws. */
type ClientError = Error & { reason: string; envelopeCode: number; data: ReplyError['data'] };

async function refusal(asked: Promise<unknown>): Promise<ClientError> {
  try {
    await asked;
  } catch (error) {
    return error as ClientError;
  }
  throw new Error('the agent did not refuse');
}

/** The SDK's client over a fetch of ours, which may add headers and sees what is sent. */
function clientOver(fetchImpl: typeof fetch, url: string): Promise<Client> {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    // The SDK declares these options as a class and takes any object.
    // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  });
  return new ClientFactory(options).createFromUrl(url);
}

describe("A2A's own client", () => {
  it.each([
    ['information', 'dealer-information-response'],
    ['facets', 'inventory-facets-response'],
    ['search', 'inventory-search-response'],
    ['vehicle', 'vehicle-detail-response'],
    ['lead', 'lead-submit-response'],
  ])('gets its answer to %s', async (name, schema) => {
    const payload = await ask(client, sample(name).params.message.parts[0].data);
    expect(schemaFaults(schema, payload)).toBeNull();
  });

  it('finds the card from the base URL and what is offered on it', async () => {
    for (const url of [agent.origin, `${agent.origin}/`]) {
      const card = await new DefaultAgentCardResolver().resolve(url);
      expect(card.name).toBe('Harbor Group');
      expect(card.skills.map(({ id }) => id)).toEqual([
        'dealer.information',
        'inventory.facets',
        'inventory.search',
        'inventory.vehicle',
        'lead.submit',
      ]);
      expect(card.capabilities?.extensions.map(({ uri }) => uri)).toEqual([AAP_URI]);
      expect(card.capabilities?.extensions[0]?.required).not.toBe(true);
      expect(card.capabilities?.streaming ?? false).toBe(false);
      const fromCard = await new ClientFactory().createFromAgentCard(card);
      expect((await ask(fromCard, INFORMATION)).type).toBe('dealer.information.response');
    }
  });

  const lead = (changes: object = {}) => ({ ...leadRequest(), ...changes });
  const desk = (code: 'APPOINTMENT_TIME_UNAVAILABLE' | 'IDEMPOTENCY_CONFLICT') => (): Promise<LeadOutcome> =>
    Promise.resolve({ kind: 'refused', code, message: 'Sorry.' });

  it.each<[string, number, string, object, (() => Promise<LeadOutcome>)?]>([
    [
      'SCHEMA_VALIDATION_FAILED',
      -32602,
      'filters.makes is not a known key here',
      { type: 'inventory.search.request', filters: { makes: [] } },
    ],
    ['MISSING_REQUIRED_FIELD', -32602, 'must have', { type: 'inventory.vehicle.request' }],
    [
      'INVALID_CONDITION',
      -32602,
      'filters.condition[0] must be one of',
      { type: 'inventory.search.request', filters: { condition: ['good'] } },
    ],
    [
      'UNSUPPORTED_SKILL',
      -32601,
      'does not answer "finance.quote.request"',
      { type: 'finance.quote.request' },
    ],
    [
      'VEHICLE_NOT_FOUND',
      -32000,
      'We have no vehicle with stock number "X".',
      { type: 'inventory.vehicle.request', stock: 'X' },
    ],
    ['VEHICLE_UNAVAILABLE', -32000, '2026-04-29', { type: 'inventory.vehicle.request', vin: SOLD_VIN }],
    ['CONTACT_CONSENT_REQUIRED', -32000, 'has to agree', lead({ consent: undefined })],
    ['INVALID_CONSENT', -32000, 'is not valid', lead({ consent: { ...leadRequest().consent, scope: [] } })],
    ['APPOINTMENT_TIME_UNAVAILABLE', -32000, 'Sorry.', lead(), desk('APPOINTMENT_TIME_UNAVAILABLE')],
    ['IDEMPOTENCY_CONFLICT', -32000, 'Sorry.', lead(), desk('IDEMPOTENCY_CONFLICT')],
    [
      'INTERNAL_ERROR',
      -32603,
      'please try again later',
      lead(),
      () => Promise.reject(new Error('disk is full')),
    ],
  ])('gets %s with number, words and all its data', async (code, envelopeCode, words, data, outcome) => {
    leadOutcome = outcome;
    const error = await refusal(ask(client, data));
    leadOutcome = undefined;
    expect(error.envelopeCode).toBe(envelopeCode);
    expect(error.message).toContain(words);
    expect(error.message).not.toContain('disk');
    expect(error.data).toMatchObject({ type: 'aap.error', code });
    expect(schemaFaults('error', error.data)).toBeNull();
  });

  it('gets A2A errors as its own classes', async () => {
    const task = await refusal(ask(client, INFORMATION, { taskId: 't-1' }));
    expect([task.name, task.reason, task.envelopeCode]).toEqual([
      'TaskNotFoundError',
      'TASK_NOT_FOUND',
      -32001,
    ]);
    const media = await refusal(
      ask(client, undefined, { parts: [{ data: INFORMATION, mediaType: 'text/x' }] }),
    );
    expect([media.name, media.reason]).toEqual([
      'ContentTypeNotSupportedError',
      'CONTENT_TYPE_NOT_SUPPORTED',
    ]);
    const modes = SendMessageRequest.fromJSON({
      message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data: INFORMATION }] },
      configuration: { acceptedOutputModes: ['text/plain'] },
    });
    expect((await refusal(client.sendMessage(modes))).reason).toBe('CONTENT_TYPE_NOT_SUPPORTED');
  });

  it.each<[string, string, string, () => Promise<unknown>]>([
    [
      'a task',
      'UnsupportedOperationError',
      'UNSUPPORTED_OPERATION',
      () => client.getTask({ tenant: '', id: 't' }),
    ],
    [
      'cancelling',
      'UnsupportedOperationError',
      'UNSUPPORTED_OPERATION',
      () => client.cancelTask({ tenant: '', id: 't', metadata: undefined }),
    ],
  ])('is told that there is no %s here', async (_what, name, reason, call) => {
    const error = await refusal(call());
    expect([error.name, error.reason, error.envelopeCode]).toEqual([name, reason, -32004]);
  });

  it('sends one message where it would rather stream', async () => {
    const kinds: (string | undefined)[] = [];
    for await (const { payload } of client.sendMessageStream(requestOf(INFORMATION))) {
      kinds.push(payload?.$case);
    }
    expect(kinds).toEqual(['message']);
  });

  it('gets each answer of fifty parallel calls, and no other', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        if (index % 5 === 0) {
          const error = await refusal(ask(client, { type: 'inventory.vehicle.request', stock: `S${index}` }));
          return [index, error.data.details];
        }
        if (index % 5 === 1) {
          const { data } = await ask(client, { type: 'inventory.vehicle.request', vin: VIN });
          return [index, data.vin];
        }
        const { data } = await ask(client, lead({ message: String(index) }));
        return [index, data.lead_id];
      }),
    );
    const expected = Array.from({ length: 50 }, (_, index) => {
      if (index % 5 === 0) return [index, { stock: `S${index}` }];
      return [index, index % 5 === 1 ? VIN : `lead_${index}`];
    });
    expect(replies).toEqual(expected);
  });
});

describe("A2A's own client before an agent that requires the headers", () => {
  it('is served when it activates the extension', async () => {
    const strictClient = await new ClientFactory().createFromUrl(strict.origin);
    expect((await ask(strictClient, INFORMATION)).data.name).toBe('Harbor Group');
  });

  it('is refused without the extension and told what it needs', async () => {
    const strictClient = await new ClientFactory().createFromUrl(strict.origin);
    const error = await refusal(strictClient.sendMessage(requestOf(INFORMATION)));
    expect([error.name, error.reason, error.envelopeCode]).toEqual([
      'ExtensionSupportRequiredError',
      'EXTENSION_SUPPORT_REQUIRED',
      -32008,
    ]);
    expect(error.data[0].metadata.extensionUri).toBe(AAP_URI);
  });

  it('is served over a fetch that adds both headers once more', async () => {
    const versions: (string | null)[] = [];
    const echoes: (string | null)[] = [];
    const adding: typeof fetch = async (input, init) => {
      const headers = new Headers(init?.headers);
      headers.append('A2A-Version', '1.0');
      headers.append('A2A-Extensions', AAP_URI);
      versions.push(headers.get('A2A-Version'));
      const response = await fetch(input, { ...init, headers });
      echoes.push(response.headers.get('A2A-Extensions'));
      return response;
    };
    const strictClient = await clientOver(adding, strict.origin);
    const reply = await strictClient.sendMessage(requestOf(INFORMATION));
    expect('parts' in reply && reply.parts[0]?.content?.$case).toBe('data');
    // The client's own header and ours, as one line.
    expect(versions.at(-1)).toBe('1.0, 1.0');
    expect(echoes.at(-1)).toBe(AAP_URI);
  });
});
