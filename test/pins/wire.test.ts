import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aapError, AAP_ERRORS } from '../../src/agent/errors.ts';
import type { LeadOutcome } from '../../src/leads/lead-desk.ts';
import { SOLD_VIN } from '../agent/dealership.ts';
import { leadRequest } from '../agent/payloads.ts';
import { INFORMATION, openLiveAgent, sample, schemaFaults, sendMessage } from '../web/live-agent.ts';
import type { LiveAgent } from '../web/live-agent.ts';

/** Every name and number that others build on, written out: this file imports none of them. */

let agent: LiveAgent;
let strict: LiveAgent;
let leadOutcome: (() => Promise<LeadOutcome>) | undefined;
beforeAll(async () => {
  agent = await openLiveAgent({
    config: (config) => ({
      ...config,
      server: { ...config.server, public_url: 'https://cars.example.com' },
    }),
    submit: () => leadOutcome?.() ?? Promise.resolve(received),
  });
  // The card names the public URL, the calls go to this machine.
  agent = { ...agent, post: postTo(agent.port), origin: `http://127.0.0.1:${agent.port}` };
  strict = await openLiveAgent({
    config: (config) => ({ ...config, a2a: { require_version_header: false, require_extension: true } }),
  });
});
afterAll(() => Promise.all([agent.close(), strict.close()]));

const received: LeadOutcome = {
  kind: 'answered',
  answer: { lead_id: 'lead_1', status: 'received' },
  message: 'We will call you.',
  replayed: false,
};

function postTo(port: number): LiveAgent['post'] {
  return async (body, headers = {}) => {
    const response = await fetch(`http://127.0.0.1:${port}/a2a`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const json = JSON.parse(text === '' ? 'null' : text) as Awaited<ReturnType<LiveAgent['post']>>['json'];
    return { status: response.status, headers: response.headers, text, json };
  };
}

const skillOnCard = (id: string, stem: string) => ({
  id,
  name: id,
  inputModes: [`application/vnd.autoagent.${stem}-request+json`, 'application/json'],
  outputModes: [`application/vnd.autoagent.${stem}-response+json`, 'application/json'],
});

it('the whole card', async () => {
  const response = await fetch(`${agent.origin}/.well-known/agent-card.json`);
  expect(await response.json()).toMatchObject({
    name: 'Harbor Group',
    version: '0.1.0',
    supportedInterfaces: [
      { url: 'https://cars.example.com/a2a', protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
    ],
    capabilities: {
      extensions: [
        {
          uri: 'https://autoagentprotocol.org/extensions/aap/v1.3',
          params: {
            version: '1.3.0',
            schema_base_url: 'https://autoagentprotocol.org/v1.3/schemas/',
            skills: {
              'dealer.information': {
                request_schema:
                  'https://autoagentprotocol.org/v1.3/schemas/dealer-information-request.schema.json',
                response_schema:
                  'https://autoagentprotocol.org/v1.3/schemas/dealer-information-response.schema.json',
              },
              'inventory.facets': {
                request_schema:
                  'https://autoagentprotocol.org/v1.3/schemas/inventory-facets-request.schema.json',
                response_schema:
                  'https://autoagentprotocol.org/v1.3/schemas/inventory-facets-response.schema.json',
              },
              'inventory.search': {
                request_schema:
                  'https://autoagentprotocol.org/v1.3/schemas/inventory-search-request.schema.json',
                response_schema:
                  'https://autoagentprotocol.org/v1.3/schemas/inventory-search-response.schema.json',
              },
              'inventory.vehicle': {
                request_schema:
                  'https://autoagentprotocol.org/v1.3/schemas/vehicle-detail-request.schema.json',
                response_schema:
                  'https://autoagentprotocol.org/v1.3/schemas/vehicle-detail-response.schema.json',
              },
              'lead.submit': {
                request_schema: 'https://autoagentprotocol.org/v1.3/schemas/lead-submit-request.schema.json',
                response_schema:
                  'https://autoagentprotocol.org/v1.3/schemas/lead-submit-response.schema.json',
              },
            },
          },
        },
      ],
    },
    defaultInputModes: [
      'application/json',
      'application/vnd.autoagent.dealer-information-request+json',
      'application/vnd.autoagent.inventory-facets-request+json',
      'application/vnd.autoagent.inventory-search-request+json',
      'application/vnd.autoagent.vehicle-detail-request+json',
      'application/vnd.autoagent.lead-submit-request+json',
    ],
    defaultOutputModes: [
      'application/json',
      'application/vnd.autoagent.dealer-information-response+json',
      'application/vnd.autoagent.inventory-facets-response+json',
      'application/vnd.autoagent.inventory-search-response+json',
      'application/vnd.autoagent.vehicle-detail-response+json',
      'application/vnd.autoagent.lead-submit-response+json',
    ],
    skills: [
      skillOnCard('dealer.information', 'dealer-information'),
      skillOnCard('inventory.facets', 'inventory-facets'),
      skillOnCard('inventory.search', 'inventory-search'),
      skillOnCard('inventory.vehicle', 'vehicle-detail'),
      skillOnCard('lead.submit', 'lead-submit'),
    ],
  });
});

it.each([
  ['dealer.information', 'information', 'dealer-information'],
  ['inventory.facets', 'facets', 'inventory-facets'],
  ['inventory.search', 'search', 'inventory-search'],
  ['inventory.vehicle', 'vehicle', 'vehicle-detail'],
  ['lead.submit', 'lead', 'lead-submit'],
])('%s has its payload types and media types', async (skill, name, stem) => {
  const data = sample(name).params.message.parts[0].data as object;
  const call = (mediaType: string) =>
    sendMessage(undefined, {
      message: { parts: [{ data: { ...data, type: `${skill}.request` }, mediaType }] },
    });
  const { json } = await agent.post(call(`application/vnd.autoagent.${stem}-request+json`));
  const [part] = json.result.message.parts;
  expect(part.data.type).toBe(`${skill}.response`);
  expect(part.mediaType).toBe(`application/vnd.autoagent.${stem}-response+json`);
  expect(schemaFaults(`${stem}-response`, part.data)).toBeNull();
  expect((await agent.post(call('application/json'))).json.result).toBeDefined();
  expect((await agent.post(call('application/vnd.autoagent.x-request+json'))).json.error.code).toBe(-32005);
});

describe('the codes of AAP', () => {
  const lead = (changes: object) => ({ ...leadRequest(), ...changes });
  const desk = (code: 'APPOINTMENT_TIME_UNAVAILABLE' | 'IDEMPOTENCY_CONFLICT') => (): Promise<LeadOutcome> =>
    Promise.resolve({ kind: 'refused', code, message: 'Sorry.' });

  it.each<[string, number, boolean, object, (() => Promise<LeadOutcome>)?]>([
    ['SCHEMA_VALIDATION_FAILED', -32602, false, { type: 'inventory.search.request', filters: { makes: [] } }],
    ['MISSING_REQUIRED_FIELD', -32602, false, { type: 'inventory.vehicle.request' }],
    [
      'INVALID_CONDITION',
      -32602,
      false,
      { type: 'inventory.facets.request', filters: { condition: ['good'] } },
    ],
    ['UNSUPPORTED_SKILL', -32601, false, { type: 'finance.quote.request' }],
    ['VEHICLE_NOT_FOUND', -32000, false, { type: 'inventory.vehicle.request', stock: 'NONE' }],
    ['VEHICLE_UNAVAILABLE', -32000, false, { type: 'inventory.vehicle.request', vin: SOLD_VIN }],
    ['CONTACT_CONSENT_REQUIRED', -32000, false, lead({ consent: undefined })],
    ['INVALID_CONSENT', -32000, false, lead({ consent: { ...leadRequest().consent, scope: ['marketing'] } })],
    ['APPOINTMENT_TIME_UNAVAILABLE', -32000, false, lead({}), desk('APPOINTMENT_TIME_UNAVAILABLE')],
    ['IDEMPOTENCY_CONFLICT', -32000, false, lead({}), desk('IDEMPOTENCY_CONFLICT')],
    ['INTERNAL_ERROR', -32603, true, lead({}), () => Promise.reject(new Error('disk is full'))],
  ])('%s has its number and says whether to try again', async (code, number, retryable, data, outcome) => {
    leadOutcome = outcome;
    const { status, json } = await agent.post(sendMessage(data));
    leadOutcome = undefined;
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['jsonrpc', 'id', 'error']);
    expect(json.error.code).toBe(number);
    expect(json.error.data).toMatchObject({ type: 'aap.error', code, retryable });
    expect(schemaFaults('error', json.error.data)).toBeNull();
  });

  it('RATE_LIMITED is -32002 and can be tried again', () => {
    const refusal = { code: 'RATE_LIMITED', details: { retry_after_ms: 1000 } } as const;
    expect(aapError(refusal, 'err_1', '2026-04-30T10:15:30Z')).toMatchObject({
      code: -32002,
      data: { type: 'aap.error', code: 'RATE_LIMITED', retryable: true, details: { retry_after_ms: 1000 } },
    });
  });

  it('are these twelve', () => {
    expect(Object.keys(AAP_ERRORS).sort()).toEqual([
      'APPOINTMENT_TIME_UNAVAILABLE',
      'CONTACT_CONSENT_REQUIRED',
      'IDEMPOTENCY_CONFLICT',
      'INTERNAL_ERROR',
      'INVALID_CONDITION',
      'INVALID_CONSENT',
      'MISSING_REQUIRED_FIELD',
      'RATE_LIMITED',
      'SCHEMA_VALIDATION_FAILED',
      'UNSUPPORTED_SKILL',
      'VEHICLE_NOT_FOUND',
      'VEHICLE_UNAVAILABLE',
    ]);
  });
});

const called = (method: string) => ({ ...sendMessage(INFORMATION), method });

describe('the codes of JSON-RPC and A2A', () => {
  it.each<[string, number, string | undefined, unknown, Record<string, string>?]>([
    ['broken JSON', -32700, undefined, '{'],
    ['a batch', -32600, undefined, '[]'],
    ['an unknown method', -32601, undefined, called('Nothing')],
    ['a taskId', -32001, 'TASK_NOT_FOUND', sendMessage(INFORMATION, { message: { taskId: 't' } })],
    [
      'a push configuration',
      -32003,
      'PUSH_NOTIFICATION_NOT_SUPPORTED',
      called('GetTaskPushNotificationConfig'),
    ],
    ['streaming', -32004, 'UNSUPPORTED_OPERATION', called('SendStreamingMessage')],
    [
      'an output mode',
      -32005,
      'CONTENT_TYPE_NOT_SUPPORTED',
      sendMessage(INFORMATION, { params: { configuration: { acceptedOutputModes: ['text/plain'] } } }),
    ],
    ['another version', -32009, 'VERSION_NOT_SUPPORTED', sendMessage(INFORMATION), { 'A2A-Version': '0.3' }],
  ])('%s is refused with its number and in its shape', async (_what, code, reason, body, headers = {}) => {
    const { status, json } = await agent.post(body, headers);
    expect(status).toBe(200);
    expect(Object.keys(json)).toEqual(['jsonrpc', 'id', 'error']);
    expect(json.error.code).toBe(code);
    if (reason === undefined) {
      expect(Object.keys(json.error)).toEqual(['code', 'message']);
      return;
    }
    const { data } = json.error;
    expect(data).toHaveLength(1);
    expect(Object.keys(data[0])).toEqual(['@type', 'reason', 'domain', 'metadata']);
    expect(data[0]).toMatchObject({
      '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
      reason,
      domain: 'a2a-protocol.org',
    });
    for (const value of Object.values(data[0].metadata)) expect(value).toBeTypeOf('string');
  });

  it('a call without a required extension is refused with -32008 and told which header it needs', async () => {
    const { status, json } = await strict.post(sendMessage(INFORMATION));
    expect([status, json.error.code, json.error.data[0].reason]).toEqual([
      200,
      -32008,
      'EXTENSION_SUPPORT_REQUIRED',
    ]);
    expect(json.error.data[0].metadata).toEqual({
      extensionUri: 'https://autoagentprotocol.org/extensions/aap/v1.3',
      requiredHeader: 'A2A-Extensions',
    });
  });
});

describe('HTTP', () => {
  it('the headers of a reply', async () => {
    const { headers } = await agent.post(sendMessage(INFORMATION), {
      'A2A-Version': '1.0',
      'A2A-Extensions': 'https://autoagentprotocol.org/extensions/aap/v1.3',
    });
    expect(headers.get('Content-Type')).toBe('application/json');
    expect(headers.get('Cache-Control')).toBe('no-store');
    expect(headers.get('A2A-Extensions')).toBe('https://autoagentprotocol.org/extensions/aap/v1.3');
    expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
    expect(headers.get('Access-Control-Allow-Origin')).toBe('*');
    expect(headers.get('X-Request-Id')).not.toBeNull();
  });

  it('the statuses other than 200', async () => {
    const get = await fetch(`${agent.origin}/a2a`);
    expect([get.status, get.headers.get('Allow')]).toEqual([405, 'POST, OPTIONS']);
    expect((await agent.post('{}', { 'Content-Type': 'text/plain' })).status).toBe(415);
    expect((await agent.post(`"${'x'.repeat(262_143)}"`)).status).toBe(413);
    expect((await agent.post({ jsonrpc: '2.0', method: 'SendMessage' })).status).toBe(204);
    expect((await fetch(`${agent.origin}/.well-known/agent.json`)).status).toBe(404);
  });
});
