import { afterEach, describe, expect, it } from 'vitest';
import type { Log } from '../../src/model/log.ts';
import { silentLog } from '../../src/model/log.ts';
import { CIVIC, CIVIC_TEXT, SOLD_VIN } from '../agent/dealership.ts';
import type { DealershipOptions } from '../agent/dealership.ts';
import { leadRequest, searchRequest, VIN } from '../agent/payloads.ts';
import { openLiveAgent, sample, schemaFaults } from './live-agent.ts';
import type { Answer, LiveAgent } from './live-agent.ts';
import type { ReplyPayload } from '../agent/rpc-reply.ts';

interface LogLine {
  request_id?: string;
  error_id?: string;
  err?: Error;
  code?: string;
  skill?: string;
  status?: number;
  duration_ms?: number;
}

const opened: LiveAgent[] = [];
async function open(options: DealershipOptions = {}): Promise<LiveAgent> {
  const agent = await openLiveAgent(options);
  opened.push(agent);
  return agent;
}
afterEach(() => Promise.all(opened.splice(0).map((agent) => agent.close())));

const payloadOf = ({ json }: Answer): ReplyPayload => json.result.message.parts[0].data;

describe('the sample requests', () => {
  it.each([
    ['information', 'dealer.information', 'dealer-information'],
    ['facets', 'inventory.facets', 'inventory-facets'],
    ['search', 'inventory.search', 'inventory-search'],
    ['vehicle', 'inventory.vehicle', 'vehicle-detail'],
    ['lead', 'lead.submit', 'lead-submit'],
  ])('%s.json is answered as %s', async (name, skill, stem) => {
    const request = sample(name);
    const { status, json } = await (await open()).post(request);
    expect(status).toBe(200);
    expect(json.id).toBe(request.id);
    const [part] = json.result.message.parts;
    expect(part.mediaType).toBe(`application/vnd.autoagent.${stem}-response+json`);
    expect(part.data.type).toBe(`${skill}.response`);
    expect(schemaFaults(`${stem}-response`, part.data)).toBeNull();
  });
});

describe('dealer.information', () => {
  it('tells the public profile, how fresh the inventory is, and nothing of the feeds', async () => {
    const rooftops = [{ rooftopId: 'HPM01', vehicles: 3, confirmedAt: '2026-04-30T09:10:00Z' }];
    const payload = payloadOf(await (await open({ rooftops })).send({ type: 'dealer.information.request' }));
    expect(payload).toEqual({
      type: 'dealer.information.response',
      data: {
        name: 'Harbor Group',
        welcome_message: 'Hello.',
        rooftops: [
          {
            name: 'Harbor Point Motors',
            website: 'https://harbor.example.com',
            phones: [{ value: '+14155550100' }],
          },
          { name: 'Cedar Ridge Auto Center' },
        ],
      },
      message:
        'Harbor Group has 2 locations: Harbor Point Motors confirmed its vehicles 1 hour ago, ' +
        'Cedar Ridge Auto Center lists no vehicles.',
    });
  });
});

describe('inventory.search', () => {
  it('has defaults for the page and none for the rest', async () => {
    const agent = await open();
    const payload = payloadOf(await agent.send({ type: 'inventory.search.request' }));
    expect(agent.searches).toEqual([{ filters: {}, skip: 0, limit: 20, includeFacets: false }]);
    expect(payload.data).toEqual({ total: 1, skip: 0, limit: 20, vehicles: [CIVIC] });
    expect(payload.message).toBe('One vehicle matches.');
  });

  it('passes filters and order on as they came', async () => {
    const agent = await open();
    const { filters, sort } = searchRequest();
    await agent.send({ ...searchRequest(), pagination: { skip: 5, limit: 7 } });
    expect(agent.searches).toEqual([{ filters, sort, skip: 5, limit: 7, includeFacets: false }]);
  });

  it('caps the limit at the configured one and says so', async () => {
    const agent = await open();
    const payload = payloadOf(
      await agent.send({ type: 'inventory.search.request', pagination: { limit: 1000 } }),
    );
    expect(payload.data.limit).toBe(100);
  });

  it('sends stored vehicles byte for byte', async () => {
    const { text } = await (await open()).send({ type: 'inventory.search.request' });
    expect(text).toContain(`"vehicles":[${CIVIC_TEXT}]`);
  });

  it('sends the facets along where the dealer wants it', async () => {
    const agent = await open({
      config: (config) => ({ ...config, search: { ...config.search, include_facets: true } }),
    });
    const payload = payloadOf(await agent.send({ type: 'inventory.search.request' }));
    expect(payload.data).toMatchObject({ facets: { makes: [{ value: 'Honda', count: 2 }] } });
    expect(schemaFaults('inventory-search-response', payload)).toBeNull();
  });

  it.each([
    [50, 20, '50 vehicles match; these are 21 to 40.'],
    [21, 1, '21 vehicles match; this is number 21.'],
    [15, 0, '15 vehicles match; this page lies behind the last one.'],
  ])('says in words what %i matches and %i on the page mean', async (total, onPage, message) => {
    const agent = await open({
      search: ({ skip, limit }) => ({
        total,
        skip,
        limit,
        vehicles: Array.from({ length: onPage }, () => CIVIC_TEXT),
      }),
    });
    const payload = payloadOf(
      await agent.send({ type: 'inventory.search.request', pagination: { skip: 20 } }),
    );
    expect(payload.message).toBe(message);
  });
});

describe('inventory.facets', () => {
  it('counts with the filters given', async () => {
    const agent = await open();
    const payload = payloadOf(
      await agent.send({ type: 'inventory.facets.request', filters: { condition: ['used'] } }),
    );
    expect(payload.data.makes).toEqual([{ value: 'Honda', count: 2 }]);
    expect(payload.message).toBe('Counted over 2 vehicles.');
  });

  it.each([
    [[{ value: 'available', count: 1 }], 'Counted over one vehicle.'],
    [undefined, 'No vehicle matches all filters, and none does when any one of them is left away.'],
  ])('says over how many vehicles it counted: %j', async (statuses, message) => {
    const agent = await open({ facets: () => (statuses === undefined ? {} : { statuses }) });
    expect(payloadOf(await agent.send({ type: 'inventory.facets.request' })).message).toBe(message);
  });
});

describe('inventory.vehicle', () => {
  it.each([{ vin: VIN }, { stock: 'T12345' }, { vehicle_id: 'veh_1' }])('finds %j', async (reference) => {
    const answer = await (await open()).send({ type: 'inventory.vehicle.request', ...reference });
    expect(payloadOf(answer).data).toEqual(CIVIC);
    expect(payloadOf(answer).message).toBe(
      '2022 Honda Civic EX is available at Harbor Point Motors; the dealer last confirmed it less than a minute ago.',
    );
    expect(answer.text).toContain(CIVIC_TEXT);
  });

  it('tells a vehicle that never was from one that left', async () => {
    const agent = await open();
    const unknown = await agent.send({ type: 'inventory.vehicle.request', stock: 'X1' });
    expect(unknown.json.error).toMatchObject({
      code: -32000,
      message: 'We have no vehicle with stock number "X1".',
      data: { code: 'VEHICLE_NOT_FOUND', retryable: false, details: { stock: 'X1' } },
    });
    const gone = await agent.send({ type: 'inventory.vehicle.request', vin: SOLD_VIN });
    expect(gone.json.error).toMatchObject({
      code: -32000,
      data: {
        code: 'VEHICLE_UNAVAILABLE',
        message: 'This vehicle is no longer for sale; it left the lot 16 hours ago, on 2026-04-29.',
        details: { vin: SOLD_VIN, left_at: '2026-04-29T18:00:00Z' },
      },
    });
  });
});

describe('lead.submit', () => {
  it('hands the whole request to the lead desk and gives its answer', async () => {
    const agent = await open();
    const payload = payloadOf(await agent.send(leadRequest()));
    expect(agent.leads).toEqual([leadRequest()]);
    expect(payload).toEqual({
      type: 'lead.submit.response',
      data: {
        lead_id: 'lead_1',
        status: 'received',
        dealer: { name: 'Harbor Point Motors', phone: '+14155550100' },
      },
      message: 'We will call you.',
    });
  });

  it('never bothers the desk with a request that is not right', async () => {
    const agent = await open();
    await agent.send({ ...leadRequest(), consent: undefined });
    await agent.send({ ...leadRequest(), note: 'x' });
    expect(agent.leads).toEqual([]);
  });

  it.each([
    ['IDEMPOTENCY_CONFLICT', -32000],
    ['CONTACT_CONSENT_REQUIRED', -32000],
    ['INVALID_CONSENT', -32000],
    ['APPOINTMENT_TIME_UNAVAILABLE', -32000],
    ['VEHICLE_NOT_FOUND', -32000],
    ['VEHICLE_UNAVAILABLE', -32000],
    ['MISSING_REQUIRED_FIELD', -32602],
  ] as const)("tells the desk's %s", async (code, rpcCode) => {
    const agent = await open({
      submit: () => Promise.resolve({ kind: 'refused', code, message: 'Sorry.', details: { a: 1 } }),
    });
    const { error } = (await agent.send(leadRequest())).json;
    expect(error.code).toBe(rpcCode);
    expect(error.data).toMatchObject({ code, message: 'Sorry.', retryable: false, details: { a: 1 } });
    expect(schemaFaults('error', error.data)).toBeNull();
  });
});

describe('an aap.error', () => {
  it('carries its own id and the time', async () => {
    const agent = await open();
    const [first, second] = [await agent.send({ type: 'x' }), await agent.send({ type: 'x' })];
    const { data } = first.json.error;
    expect(schemaFaults('error', data)).toBeNull();
    expect(data.created_at).toBe('2026-04-30T10:15:30Z');
    expect(data.error_id).toMatch(/^err_/);
    expect(data.error_id).not.toBe(second.json.error.data.error_id);
  });

  it('says which skills there are when one is switched off', async () => {
    const agent = await open({
      config: (config) => ({ ...config, skills: { ...config.skills, 'lead.submit': false } }),
    });
    const { error } = (await agent.send(leadRequest())).json;
    expect(error.code).toBe(-32601);
    expect(error.data.code).toBe('UNSUPPORTED_SKILL');
    expect(error.data.details.supported_types).toEqual([
      'dealer.information.request',
      'inventory.facets.request',
      'inventory.search.request',
      'inventory.vehicle.request',
    ]);
    expect(agent.leads).toEqual([]);
  });

  it('hides what broke, and the log tells it under the same id', async () => {
    const lines: LogLine[] = [];
    const note = (facts: object) => lines.push(facts);
    const log: Log = { ...silentLog, info: note, error: note };
    const agent = await open({
      log,
      submit: () => Promise.reject(new Error('disk is full: /dealer/data/leads.db')),
    });
    const { status, text, json } = await agent.send(leadRequest());
    expect(status).toBe(200);
    expect(json.id).toBe('req-1');
    expect(json.error.code).toBe(-32603);
    expect(json.error.data).toMatchObject({ code: 'INTERNAL_ERROR', retryable: true });
    expect(text).not.toMatch(/disk|leads\.db|at .*\.ts/);
    const [failure, access] = lines;
    expect(failure?.error_id).toBe(json.error.data.error_id);
    expect(failure?.err?.message).toContain('disk is full');
    expect(access).toMatchObject({
      code: 'INTERNAL_ERROR',
      error_id: json.error.data.error_id,
      request_id: failure?.request_id,
    });
  });

  it('stands in the access log with its code, and no customer does', async () => {
    const lines: LogLine[] = [];
    const agent = await open({ log: { ...silentLog, info: (facts: LogLine) => lines.push(facts) } });
    await agent.send(leadRequest());
    await agent.send({ ...leadRequest(), customer: { first_name: 'Anna' } });
    await agent.post('{');
    expect(lines.map(({ code, skill, status }) => [code, skill, status])).toEqual([
      ['ok', 'lead.submit', 200],
      ['SCHEMA_VALIDATION_FAILED', 'lead.submit', 200],
      ['-32700', undefined, 200],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Anna|anna@|415555/);
    expect(lines.every(({ duration_ms }) => typeof duration_ms === 'number')).toBe(true);
  });
});
