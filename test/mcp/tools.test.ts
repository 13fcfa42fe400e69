import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { LeadOutcome } from '../../src/leads/lead-desk.ts';
import { CIVIC, SOLD_VIN } from '../agent/dealership.ts';
import { leadRequest, VIN } from '../agent/payloads.ts';
import { openLiveAgent, schemaFaults } from '../web/live-agent.ts';
import type { LiveAgent } from '../web/live-agent.ts';
import { aapErrorOf, callTool, httpClient } from './mcp-client.ts';

/** What the desk answers, by the lead's message. */
const DESK: Record<string, LeadOutcome> = Object.fromEntries(
  (['APPOINTMENT_TIME_UNAVAILABLE', 'IDEMPOTENCY_CONFLICT', 'VEHICLE_UNAVAILABLE'] as const).map((code) => [
    code,
    { kind: 'refused', code, message: `desk: ${code}` },
  ]),
);

let agent: LiveAgent;
let client: Client;
beforeAll(async () => {
  agent = await openLiveAgent({
    submit: ({ message = '' }) => {
      if (message === 'BREAK') return Promise.reject(new Error('disk /secret/path is full'));
      return Promise.resolve(
        DESK[message] ?? {
          kind: 'answered',
          answer: { lead_id: 'lead_7', status: 'received' },
          message: 'We will call you.',
          replayed: false,
        },
      );
    },
  });
  client = await httpClient(agent.origin);
});
afterAll(async () => {
  await client.close();
  await agent.close();
});

const CALLS: [string, object, string, string][] = [
  ['aap_dealer_information', {}, 'dealer-information', 'dealer.information.request'],
  [
    'aap_inventory_facets',
    { filters: { condition: ['used'] } },
    'inventory-facets',
    'inventory.facets.request',
  ],
  ['aap_inventory_search', { filters: { make: ['Honda'] } }, 'inventory-search', 'inventory.search.request'],
  ['aap_inventory_vehicle', { vin: VIN }, 'vehicle-detail', 'inventory.vehicle.request'],
  ['aap_lead_submit', lead(), 'lead-submit', 'lead.submit.request'],
];

/** Without its type, as hosts call. */
function lead(changes: object = {}): Record<string, unknown> {
  const { type: _type, ...rest } = leadRequest();
  return { ...rest, ...changes };
}

describe('the list of tools', () => {
  it('has one tool a skill, told apart by hints', async () => {
    const { tools } = await client.listTools();
    expect(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint, annotations?.destructiveHint]),
    ).toEqual([
      ['aap_dealer_information', true, false],
      ['aap_inventory_facets', true, false],
      ['aap_inventory_search', true, false],
      ['aap_inventory_vehicle', true, false],
      ['aap_lead_submit', false, false],
    ]);
    for (const tool of tools) {
      expect(tool.outputSchema, tool.name).toBeUndefined();
      expect(tool.annotations?.idempotentHint, tool.name).toBeUndefined();
    }
    expect(tools[3]?._meta).toEqual({
      'autoagentprotocol.org/aap_skill_id': 'inventory.vehicle',
      'autoagentprotocol.org/request_type': 'inventory.vehicle.request',
      'autoagentprotocol.org/response_type': 'inventory.vehicle.response',
      'autoagentprotocol.org/request_schema':
        'https://autoagentprotocol.org/v1.3/schemas/vehicle-detail-request.schema.json',
      'autoagentprotocol.org/response_schema':
        'https://autoagentprotocol.org/v1.3/schemas/vehicle-detail-response.schema.json',
    });
  });

  it('gives each tool one whole schema with an object at its root', async () => {
    const { tools } = await client.listTools();
    for (const { name, inputSchema } of tools) {
      const text = JSON.stringify(inputSchema);
      expect(inputSchema.type, name).toBe('object');
      expect(Object.keys(inputSchema), name).not.toEqual(expect.arrayContaining(['anyOf']));
      expect(text, name).not.toMatch(/"\$id"|"\$schema"|schema\.json/);
      for (const [, target = ''] of text.matchAll(/"\$ref":"(.*?)"/g)) {
        expect(Object.keys(inputSchema.$defs ?? {}), name).toContain(target.replace('#/$defs/', ''));
      }
    }
    const { inputSchema } = tools[4]!;
    expect(inputSchema.required).toEqual(['customer', 'consent', 'source_agent']);
    expect(Object.keys(inputSchema.$defs ?? {})).toEqual(
      expect.arrayContaining(['customer', 'consent-grant', 'vehicle', 'common_vin']),
    );
  });

  it.each(CALLS)(
    '%s has a schema that takes its arguments, with and without a type',
    async (name, given, _stem, type) => {
      const { tools } = await client.listTools();
      const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false });
      formats.default(ajv);
      const validate = ajv.compile(tools.find((tool) => tool.name === name)!.inputSchema);
      expect(validate(given), JSON.stringify(validate.errors)).toBe(true);
      expect(validate({ ...given, type })).toBe(true);
      expect(validate({ ...given, type: 'other.request' })).toBe(false);
      expect(validate({ ...given, unknown: 1 })).toBe(false);
    },
  );

  it('leaves out what the dealer has switched off', async () => {
    const few = await openLiveAgent({
      config: (config) => ({ ...config, skills: { ...config.skills, 'lead.submit': false } }),
    });
    const guest = await httpClient(few.origin);
    expect((await guest.listTools()).tools.map(({ name }) => name)).not.toContain('aap_lead_submit');
    await expect(callTool(guest, 'aap_lead_submit', lead())).rejects.toMatchObject({ code: -32602 });
    expect(few.leads).toEqual([]);
    await guest.close();
    await few.close();
  });
});

describe('a call', () => {
  it.each(CALLS)(
    'of %s brings the whole response payload, as text and as structure',
    async (name, given, stem, type) => {
      for (const arguments_ of [given, { ...given, type }]) {
        const result = await callTool(client, name, arguments_);
        expect(result.isError).toBeUndefined();
        expect(result.content).toHaveLength(1);
        expect(JSON.parse(result.content[0]!.text)).toEqual(result.structuredContent);
        expect(schemaFaults(`${stem}-response`, result.structuredContent)).toBeNull();
      }
    },
  );

  it('answers with the values of the lot', async () => {
    const { structuredContent } = await callTool(client, 'aap_inventory_vehicle', { stock: 'T12345' });
    expect(structuredContent).toMatchObject({ type: 'inventory.vehicle.response', data: CIVIC });
    const search = await callTool(client, 'aap_inventory_search', { filters: { make: ['Tesla'] } });
    expect(search.structuredContent).toMatchObject({ data: { total: 0, vehicles: [] } });
  });

  it('hands the lead to the same desk, with the type filled in', async () => {
    const before = agent.leads.length;
    const result = await callTool(client, 'aap_lead_submit', lead());
    expect(result.structuredContent).toMatchObject({ data: { lead_id: 'lead_7', status: 'received' } });
    expect(agent.leads.slice(before)).toEqual([leadRequest()]);
  });

  it.each<[string, string, object, boolean]>([
    ['SCHEMA_VALIDATION_FAILED', 'aap_inventory_search', { type: 'inventory.facets.request' }, false],
    ['MISSING_REQUIRED_FIELD', 'aap_inventory_vehicle', {}, false],
    ['INVALID_CONDITION', 'aap_inventory_search', { filters: { condition: ['good'] } }, false],
    ['VEHICLE_NOT_FOUND', 'aap_inventory_vehicle', { vin: '1HGCY2F57RA000009' }, false],
    ['VEHICLE_UNAVAILABLE', 'aap_inventory_vehicle', { vin: SOLD_VIN }, false],
    ['CONTACT_CONSENT_REQUIRED', 'aap_lead_submit', lead({ consent: undefined }), false],
    ['INVALID_CONSENT', 'aap_lead_submit', lead({ consent: { scope: [] } }), false],
    [
      'APPOINTMENT_TIME_UNAVAILABLE',
      'aap_lead_submit',
      lead({ message: 'APPOINTMENT_TIME_UNAVAILABLE' }),
      false,
    ],
    ['IDEMPOTENCY_CONFLICT', 'aap_lead_submit', lead({ message: 'IDEMPOTENCY_CONFLICT' }), false],
    ['INTERNAL_ERROR', 'aap_lead_submit', lead({ message: 'BREAK' }), true],
  ])(
    'is refused with %s as a result, not as an error of the protocol',
    async (code, name, given, retryable) => {
      const error = aapErrorOf(await callTool(client, name, given));
      expect(error).toMatchObject({ type: 'aap.error', code, retryable });
      expect(schemaFaults('error', error)).toBeNull();
      expect(JSON.stringify(error)).not.toContain('secret');
    },
  );

  it('is told all its faults at once, a wrong type among them', async () => {
    const given = {
      type: 'lead.submit.request',
      filters: { make: 'Honda', price_max: '30000' },
      sort: { field: 'size' },
    };
    const error = aapErrorOf(await callTool(client, 'aap_inventory_search', given));
    expect(error.code).toBe('SCHEMA_VALIDATION_FAILED');
    expect(
      error.details?.errors?.map(({ instanceLocation, keyword }) => [instanceLocation, keyword]).sort(),
    ).toEqual([
      ['/filters/make', 'type'],
      ['/filters/price_max', 'type'],
      ['/sort', 'required'],
      ['/sort/field', 'enum'],
      ['/type', 'const'],
    ]);
    expect(agent.searches.every(({ filters }) => (filters.make as unknown) !== 'Honda')).toBe(true);
  });

  it.each(['nope', 'aap_lead.submit', 'constructor', '__proto__', 'x'.repeat(5000)])(
    'of a tool that is not there is an error of the protocol: %.20s',
    async (name) => {
      const fault = await callTool(client, name).catch(
        (error: unknown) => error as { code: number; message: string },
      );
      expect(fault).toMatchObject({ code: -32602 });
      expect((fault as { message: string }).message.length).toBeLessThan(400);
      expect((fault as { message: string }).message).toContain('aap_inventory_search');
    },
  );
});
