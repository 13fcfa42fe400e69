import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { TamperingAgent } from '../client/tampering-agent.ts';
import { openHostileServer, type HostileServer } from '../client/hostile-server.ts';
import { BridgeProcess } from '../e2e/bridge-process.ts';
import { runBridge } from './bridge-command.ts';
import { runCommand } from './run-command.ts';

/** The commands of `ask` on the demo dealership, and on agents that mean harm. */
const bridge = new BridgeProcess();
const folder = mkdtempSync(join(tmpdir(), 'ask-'));
const LEAD = join(folder, 'grace.json');
const VIN = '1HGCY2F57RA000001';
let wrong: TamperingAgent;
let hostile: HostileServer | undefined;

beforeAll(async () => {
  writeFileSync(
    LEAD,
    JSON.stringify({
      type: 'lead.submit.request',
      customer: { first_name: 'Grace', last_name: 'Miller', phone: '+12075550177', preferred_contact: 'sms' },
      consent: {
        granted_at: new Date(Date.now() - 60_000).toISOString(),
        allowed_channels: ['sms', 'phone'],
        consent_text: 'You may text or call me about the car.',
        scope: ['lead_submission'],
      },
      source_agent: { name: 'test' },
      vehicle_of_interest: { vin: VIN },
    }),
  );
  await bridge.start();
  wrong = await new TamperingAgent(bridge.url).open();
});
afterEach(() => {
  wrong.fault = {};
  hostile?.close();
  hostile = undefined;
});
afterAll(async () => {
  wrong.close();
  await bridge.dispose();
  rmSync(folder, { recursive: true, force: true });
});

const ask = (...words: string[]) => runCommand(['ask', ...words, '--url', bridge.url]);
const askWrong = (...words: string[]) => runCommand(['ask', ...words, '--url', wrong.origin]);

describe('ask', () => {
  it('tells who the dealer is', async () => {
    const { code, out, err } = await ask('info');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Harbor Point Auto Group');
    expect(out).toContain('100 Harbor Point Way, Portland, ME, 04101, US');
    expect(out).toMatch(/sales hours +monday 09:00-19:00, .*sunday closed/);
  });

  it('counts facets over the vehicles that meet the filters', async () => {
    const { out } = await ask('facets', '--condition', 'used', '--make', 'Honda', '--make', 'BMW');
    expect(out).toMatch(/^makes\n {2}Honda \(11\), BMW \(10\)$/m);
    expect(out).toMatch(/^conditions\n {2}used \(21\)$/m);
  });

  it('searches with all that the protocol lets one ask for', async () => {
    const { code, out } = await ask(
      ...[
        'search',
        '--make',
        'honda',
        '--price-max',
        '30000',
        '--sort',
        'price',
        '--limit',
        '3',
        '--skip',
        '1',
      ],
    );
    expect(code).toBe(0);
    const lines = out.split('\n');
    expect(lines[0]).toMatch(/^VIN +Stock +Year +Make +Model +Trim +Condition +Miles +Price/);
    expect(lines[1]).toMatch(/^2HGEGK3K2GE320312 +00524 +2016 +Honda +Civic +Sport +used +114,897 +\$9,289/);
    expect(out).toContain('2 to 4 of 21 vehicles');
  });

  it('sends every filter under its own name', async () => {
    let sent: unknown;
    wrong.fault = { call: (call) => void (sent = call.params.message.parts[0].data) };
    await askWrong(
      ...[
        'search',
        '--make',
        'A',
        '--model',
        'B',
        '--trim',
        'C',
        '--condition',
        'cpo',
        '--vehicle-type',
        'car',
      ],
      ...['--transmission', 'D', '--fuel', 'E', '--charge-port', 'F', '--driveline', 'G', '--body', 'H'],
      ...[
        '--exterior-color',
        'I',
        '--interior-color',
        'J',
        '--rooftop',
        'K',
        '--rooftop',
        'L',
        '--query',
        'M N',
      ],
      ...['--electric-range-mi-min', '1', '--electric-range-mi-max', '2', '--displacement-cc-min', '3'],
      ...['--displacement-cc-max', '4', '--year-min', '2001', '--year-max', '2002', '--price-min', '5'],
      ...['--price-max', '6', '--mileage-max', '7', '--dc-fast-charge', '--vin', VIN, '--stock', '0012'],
      ...['--sort', 'updated_at', '--order', 'desc', '--skip', '8', '--limit', '9'],
    );
    expect(sent).toEqual({
      type: 'inventory.search.request',
      filters: {
        make: ['A'],
        model: ['B'],
        trim: ['C'],
        condition: ['cpo'],
        vehicle_type: ['car'],
        transmission: ['D'],
        fuel: ['E'],
        charge_port: ['F'],
        driveline: ['G'],
        body: ['H'],
        exterior_color: ['I'],
        interior_color: ['J'],
        rooftops: ['K', 'L'],
        electric_range_mi_min: 1,
        electric_range_mi_max: 2,
        displacement_cc_min: 3,
        displacement_cc_max: 4,
        year_min: 2001,
        year_max: 2002,
        price_min: 5,
        price_max: 6,
        mileage_max: 7,
        dc_fast_charge: true,
        vin: VIN,
        stock: '0012',
        query: 'M N',
      },
      pagination: { skip: 8, limit: 9 },
      sort: { field: 'updated_at', order: 'desc' },
    });
  });

  it('shows one vehicle, as text and as JSON', async () => {
    const text = await ask('vehicle', VIN);
    expect(text.out).toMatch(/^make +Honda$/m);
    expect(text.out).toMatch(
      /^fees +name Documentation fee amount 500, name Pre-installed theft protection amount 1290$/m,
    );
    const json = await ask('vehicle', '--stock', 'T12345', '--json');
    expect(JSON.parse(json.out)).toMatchObject({
      type: 'inventory.vehicle.response',
      data: { vin: VIN, price: 26780 },
    });
  });

  it('explains a refusal, with every fault, and ends with 1', async () => {
    const missing = await ask('vehicle', '1ZZZZZZZ0ZZ000000');
    expect(missing).toMatchObject({ code: 1, out: '' });
    expect(missing.err).toMatch(/^Refused: VEHICLE_NOT_FOUND \(-32000\): /);
    expect(missing.err).toContain('Trying the same again does not help.');
    expect(missing.err).toMatch(/in its log under err_\S+\./);

    const faults = await ask('search', '--condition', 'excellent', '--year-min', '1', '--json');
    expect(faults.code).toBe(1);
    expect(faults.err).toContain('\n  filters.condition[0] must be');
    expect(faults.err).toContain('\n  filters.year_min must be at least 1900');
    expect(JSON.parse(faults.out)).toMatchObject({
      code: -32602,
      data: { code: 'SCHEMA_VALIDATION_FAILED' },
    });
  });

  it('ends with 2 for a command line that means nothing', async () => {
    expect((await ask('vehicle')).code).toBe(2);
    expect((await ask('search', '--price-max', '30,000')).code).toBe(2);
    expect((await ask('search', '--sort', 'beauty')).code).toBe(2);
    expect((await ask('info', '--token-env', 'NO_SUCH_VARIABLE')).err).toContain(
      'NO_SUCH_VARIABLE is not set',
    );
    expect((await ask('info', '--timeout', '0')).code).toBe(2);
    expect((await ask('conform', '--only', 'ABC-99')).code).toBe(2);
  });

  it('ends with 3 where nothing can be reached', async () => {
    const { code, err } = await runCommand(['ask', 'info', '--url', 'http://127.0.0.1:1']);
    expect({ code, err }).toEqual({
      code: 3,
      err: 'http://127.0.0.1:1 can not be reached: nothing listens there.\n',
    });
  });

  it('asks the bridge of the settings unless told otherwise, by its public address', async () => {
    const settings = join(folder, 'bridge.yaml');
    const port = new URL(bridge.url).port;
    writeFileSync(
      settings,
      [
        'dealer: { id: d, name: Somebody, rooftops: [{ id: R, name: Rooftop }] }',
        `server: { host: 127.0.0.1, port: ${port} }`,
        'feeds: []',
        'leads: { destinations: [{ id: files, adapter: adf-file, options: { folder: ./out } }] }',
      ].join('\n'),
    );
    const { code, out, err } = await runCommand([
      'ask',
      'info',
      '--config',
      settings,
      '--data',
      join(folder, 'data'),
    ]);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toContain('Harbor Point Auto Group');
  });
});

describe('ask lead', () => {
  it('sends a lead to another dealer only with --yes, and shows what is sent with the consent', async () => {
    const held = await ask('lead', LEAD);
    expect(held).toMatchObject({ code: 1, out: '' });
    expect(held.err).toContain('"first_name": "Grace"');
    expect(held.err).toContain('Consent (sms, phone): You may text or call me about the car');
    expect(held.err).toContain('Not sent: leads are real.');

    const sent = await ask('lead', LEAD, '--yes');
    expect(sent.code).toBe(0);
    expect(sent.out).toMatch(/^received {2}lead_\S+\ndealer Lakeview Pre-Owned, \+12075550130\n/);
  });

  it('needs no type in the file', async () => {
    const file = join(folder, 'lead.json');
    writeFileSync(
      file,
      JSON.stringify({ customer: { first_name: 'A', last_name: 'B', phone: '+12075550188' } }),
    );
    const { code, err } = await ask('lead', file, '--yes');
    expect(code).toBe(1);
    expect(err).toContain('Refused: CONTACT_CONSENT_REQUIRED (-32000)');
  });

  it('tells what is wrong with the file', async () => {
    const file = join(folder, 'broken.json');
    writeFileSync(file, '{"customer":');
    expect(await ask('lead', file)).toMatchObject({ code: 1, err: expect.stringContaining('broken.json: ') });
  });
});

describe('ask conform', () => {
  it('prints what is kept and what is not, and ends with 1 when something is not', async () => {
    expect((await ask('conform', '--only', 'sea-03')).code).toBe(0);
    wrong.fault = {
      reply: ({ result }) => {
        delete result?.message?.contextId;
      },
    };
    const { code, out } = await askWrong(
      'conform',
      '--only',
      'RES-01',
      '--only',
      'SEA-03',
      '--only',
      'LEAD-02',
    );
    expect(code).toBe(1);
    expect(out).toContain('  FAILED   RES-01 ');
    expect(out).toMatch(/expected {2}a message\n +came {6}the message has no contextId/);
    expect(out).toContain('  passed   SEA-03 ');
    expect(out).toContain('test leads are sent with --with-leads only');
    expect(out).toContain('2 passed, 1 failed, 1 skipped; ');
  });

  it('prints JSON for programs', async () => {
    const { out } = await ask('conform', '--only', 'SEA-03', '--json');
    expect(JSON.parse(out)).toMatchObject({
      agent: 'Harbor Point Auto Group',
      calls: 1,
      passed: 1,
      failed: 0,
      results: [{ theme: 'Search', id: 'SEA-03', outcome: 'passed' }],
    });
  });
});

describe('ask of an agent that does wrong', () => {
  it('hands the answer over and says what is wrong with it', async () => {
    wrong.fault = {
      reply: ({ result }) => {
        delete result.message.contextId;
        delete result.message.parts[0].data.data.name;
      },
    };
    const { code, out, err } = await askWrong('info');
    expect(code).toBe(0);
    expect(out).toContain('Harbor Point Motors');
    expect(err).toBe('Note: the message has no contextId\nNote: /data "name" is missing\n');
  });

  it('refuses a task in place of a message', async () => {
    wrong.fault = { reply: (reply) => (reply.result = { task: { id: 't' } }) };
    expect(await askWrong('info')).toMatchObject({
      code: 1,
      err: expect.stringContaining('the answer is a task'),
    });
  });

  it('prints nothing that a terminal would obey', async () => {
    const escape = '\u001b]0;owned\u0007\u001b[2J\u009b31m\u202e';
    wrong.fault = {
      reply: ({ result }) => {
        result.message.parts[0].data.data.vehicles[0].model = escape;
        result.message.parts[0].data.message = escape;
      },
    };
    const text = await askWrong('search');
    const json = await askWrong('search', '--json');
    for (const { out, err } of [text, json]) expect(out + err).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
    expect(JSON.parse(json.out).data.vehicles[0].model).toBe(escape);
    wrong.fault = {
      reply: (reply) =>
        void Object.assign(reply, { result: undefined, error: { code: -1, message: escape } }),
    };
    expect((await askWrong('info')).err).not.toMatch(/(?!\n)[\p{Cc}\u202e]/u);
  });

  it('waits for a short Retry-After once, and not for a long one', async () => {
    let calls = 0;
    const limited = (retryAfterMs: number, times: number) => ({
      reply: (reply: Record<string, unknown>) => {
        calls += 1;
        if (calls > times) return;
        delete reply.result;
        reply.error = {
          code: -32002,
          message: 'wait',
          data: { code: 'RATE_LIMITED', retryable: true, details: { retry_after_ms: retryAfterMs } },
        };
      },
    });
    wrong.fault = limited(20, 1);
    expect((await askWrong('info')).code).toBe(0);
    expect(calls).toBe(2);
    calls = 0;
    wrong.fault = limited(20, 2);
    expect((await askWrong('info')).err).toContain('RATE_LIMITED');
    expect(calls).toBe(2);
    calls = 0;
    wrong.fault = limited(60_000, 1);
    expect((await askWrong('info')).err).toContain('The same may work after 60 s.');
    expect(calls).toBe(1);
  });

  it('sends the token of the environment with both A2A headers, and says when one is needed', async () => {
    let headers: Record<string, unknown> = {};
    wrong.fault = { answer: (_answer, request) => (headers = request.headers) };
    const url = ['--url', wrong.origin];
    await runBridge(['ask', 'info', ...url, '--token-env', 'AGENT_TOKEN'], {
      env: { AGENT_TOKEN: 's3cret' },
    });
    expect(headers).toMatchObject({
      authorization: 'Bearer s3cret',
      'a2a-version': '1.0',
      'a2a-extensions': 'https://autoagentprotocol.org/extensions/aap/v1.3',
    });
    wrong.fault = { answer: (answer) => Object.assign(answer, { status: 401, text: '' }) };
    expect(await askWrong('info')).toMatchObject({
      code: 1,
      err: expect.stringContaining('give one with --token-env'),
    });
  });

  it('ends in time and within bounds on an endless reply', async () => {
    hostile = await openHostileServer((request, response) => {
      if (request.method === 'GET') {
        const card = wrongCard(`${hostile!.origin}/a2a`);
        response.end(JSON.stringify(card));
        return;
      }
      const block = Buffer.alloc(256 * 1024, ' ');
      const send = (): void => {
        if (response.destroyed) return;
        if (response.write(block)) setImmediate(send);
        else response.once('drain', send);
      };
      send();
    });
    const { code, err } = await runCommand(['ask', 'info', '--url', hostile.origin]);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'The answer is larger than 16777216 bytes; it was not read on.\n',
    });
  });

  it('tells a page of HTML from a reply', async () => {
    wrong.fault = {
      answer: (answer) =>
        Object.assign(answer, { status: 502, headers: { 'content-type': 'text/html' }, text: '<html>' }),
    };
    expect(await askWrong('info')).toMatchObject({
      code: 3,
      err: 'The agent answers HTTP 502 with no JSON-RPC reply (text/html).\n',
    });
  });
});

function wrongCard(url: string): object {
  return {
    name: 'Endless',
    description: 'x',
    version: '1',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { extensions: [{ uri: 'https://autoagentprotocol.org/extensions/aap/v1.3' }] },
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: [{ id: 'dealer.information', name: 'x', description: 'x', tags: ['x'] }],
  };
}
