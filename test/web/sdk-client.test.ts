import { SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory, withA2AExtensions, ServiceParameters } from '@a2a-js/sdk/client';
import type { Client } from '@a2a-js/sdk/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SOLD_VIN } from '../agent/dealership.ts';
import { leadRequest } from '../agent/payloads.ts';
import type { ReplyError, ReplyPayload } from '../agent/rpc-reply.ts';
import { openLiveAgent, sample, schemaFaults } from './live-agent.ts';
import type { LiveAgent } from './live-agent.ts';

/** The peer is A2A's own JavaScript client, which resolves the card first and sends its own headers. */

const AAP_URI = 'https://autoagentprotocol.org/extensions/aap/v1.3';

let agent: LiveAgent;
let client: Client;
beforeAll(async () => {
  agent = await openLiveAgent();
  client = await new ClientFactory().createFromUrl(agent.origin);
});
afterAll(() => agent.close());

async function ask(to: Client, data: unknown, message: object = {}): Promise<ReplyPayload> {
  const reply = await to.sendMessage(
    SendMessageRequest.fromJSON({
      message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data }], ...message },
    }),
    { serviceParameters: ServiceParameters.create(withA2AExtensions(AAP_URI)) },
  );
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

  it.each([
    [{ type: 'inventory.search.request', filters: { makes: [] } }, -32602, 'SCHEMA_VALIDATION_FAILED'],
    [{ type: 'inventory.vehicle.request' }, -32602, 'MISSING_REQUIRED_FIELD'],
    [{ type: 'inventory.search.request', filters: { condition: ['good'] } }, -32602, 'INVALID_CONDITION'],
    [{ type: 'finance.quote.request' }, -32601, 'UNSUPPORTED_SKILL'],
    [{ type: 'inventory.vehicle.request', stock: 'X' }, -32000, 'VEHICLE_NOT_FOUND'],
    [{ type: 'inventory.vehicle.request', vin: SOLD_VIN }, -32000, 'VEHICLE_UNAVAILABLE'],
    [{ ...leadRequest(), consent: undefined }, -32000, 'CONTACT_CONSENT_REQUIRED'],
    [{ ...leadRequest(), consent: { ...leadRequest().consent, scope: [] } }, -32000, 'INVALID_CONSENT'],
  ])('gets AAP errors with all their data: %j', async (data, envelopeCode, code) => {
    const error = await refusal(ask(client, data));
    expect(error.envelopeCode).toBe(envelopeCode);
    expect(error.data.code).toBe(code);
    expect(schemaFaults('error', error.data)).toBeNull();
  });

  it('gets A2A errors as its own classes', async () => {
    const task = await refusal(ask(client, { type: 'dealer.information.request' }, { taskId: 't-1' }));
    expect([task.name, task.reason]).toEqual(['TaskNotFoundError', 'TASK_NOT_FOUND']);
    const tasks = await refusal(client.getTask({ tenant: '', id: 't-1' }));
    expect(tasks.reason).toBe('UNSUPPORTED_OPERATION');
    const media = await refusal(
      ask(client, undefined, {
        parts: [{ data: { type: 'dealer.information.request' }, mediaType: 'text/x' }],
      }),
    );
    expect(media.reason).toBe('CONTENT_TYPE_NOT_SUPPORTED');
  });

  it('sends one message where it would rather stream', async () => {
    const request = SendMessageRequest.fromJSON({
      message: {
        messageId: 'm-1',
        role: 'ROLE_USER',
        parts: [{ data: { type: 'dealer.information.request' } }],
      },
    });
    const kinds: (string | undefined)[] = [];
    for await (const { payload } of client.sendMessageStream(request)) kinds.push(payload?.$case);
    expect(kinds).toEqual(['message']);
  });

  it('is served where the version header is needed, and refused without a needed extension', async () => {
    const strict = await openLiveAgent({
      config: (config) => ({ ...config, a2a: { require_version_header: true, require_extension: true } }),
    });
    try {
      const strictClient = await new ClientFactory().createFromUrl(strict.origin);
      const data = { type: 'dealer.information.request' };
      expect((await ask(strictClient, data)).data.name).toBe('Harbor Group');
      const request = SendMessageRequest.fromJSON({
        message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data }] },
      });
      const error = await refusal(strictClient.sendMessage(request));
      expect(error.reason).toBe('EXTENSION_SUPPORT_REQUIRED');
      expect(error.data[0].metadata.extensionUri).toBe(AAP_URI);
    } finally {
      await strict.close();
    }
  });
});
