import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSchemaValidator } from '../../src/agent/schemas.ts';
import { readLogs } from '../runtime/read-logs.ts';
import type { FuzzBridgeMessage } from './fuzz-bridge.ts';
import { oddRequest, randomFrom } from './mutations.ts';
import type { OddRequest } from './mutations.ts';
import type { RpcReply } from './rpc-reply.ts';

/**
 * The bridge as it runs for the demo dealership, with its databases, in a process of its own; 20,000 odd requests over
 * real connections. The seed of a failure stands in its message; FUZZ_SEED repeats it.
 */

const ROOT = join(import.meta.dirname, '../..');
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_430);
const REQUESTS = 20_000;
/** After these, what is kept for good, such as compiled code, is there. */
const WARM_UP = 5_000;
const CONNECTIONS = 8;
const MAX_GROWTH_BYTES = 8_000_000;

const read = (name: string): string => readFileSync(join(ROOT, `samples/requests/${name}.json`), 'utf8');
const SAMPLES = [read('information'), read('facets'), read('search'), read('vehicle'), read('lead')] as const;

const RESPONSE_SCHEMAS = new Map([
  ['dealer.information.response', 'dealer-information-response'],
  ['inventory.facets.response', 'inventory-facets-response'],
  ['inventory.search.response', 'inventory-search-response'],
  ['inventory.vehicle.response', 'vehicle-detail-response'],
  ['lead.submit.response', 'lead-submit-response'],
]);
const AAP_CODES = new Map([
  ['SCHEMA_VALIDATION_FAILED', -32602],
  ['MISSING_REQUIRED_FIELD', -32602],
  ['INVALID_CONDITION', -32602],
  ['UNSUPPORTED_SKILL', -32601],
  ['VEHICLE_NOT_FOUND', -32000],
  ['VEHICLE_UNAVAILABLE', -32000],
  ['CONTACT_CONSENT_REQUIRED', -32000],
  ['INVALID_CONSENT', -32000],
  ['IDEMPOTENCY_CONFLICT', -32000],
]);
const A2A_CODES = new Map([
  ['TASK_NOT_FOUND', -32001],
  ['PUSH_NOTIFICATION_NOT_SUPPORTED', -32003],
  ['UNSUPPORTED_OPERATION', -32004],
  ['CONTENT_TYPE_NOT_SUPPORTED', -32005],
  ['VERSION_NOT_SUPPORTED', -32009],
]);

const ajv = createSchemaValidator();
const dataFolder = mkdtempSync(join(tmpdir(), 'fuzz-'));
const connections = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
let bridge: ChildProcess;
let url: string;

beforeAll(async () => {
  const args = [join(ROOT, 'config/bridge.yaml'), dataFolder];
  bridge = fork(new URL('./fuzz-bridge.ts', import.meta.url), args, { execArgv: ['--expose-gc'] });
  const serves = await nextMessage('serves');
  url = serves.url;
});
afterAll(async () => {
  connections.destroy();
  if (bridge.exitCode === null) {
    const ended = once(bridge, 'exit');
    bridge.kill('SIGKILL');
    await ended;
  }
  rmSync(dataFolder, { recursive: true, force: true });
});

async function nextMessage<K extends FuzzBridgeMessage['kind']>(
  kind: K,
): Promise<Extract<FuzzBridgeMessage, { kind: K }>> {
  const ended = once(bridge, 'exit').then(([code]) => {
    throw new Error(`the bridge ended with ${String(code)}`);
  });
  const [message] = (await Promise.race([once(bridge, 'message'), ended])) as [FuzzBridgeMessage];
  if (message.kind !== kind) throw new Error(`expected ${kind}, got ${message.kind}`);
  return message as Extract<FuzzBridgeMessage, { kind: K }>;
}

function stateOfBridge(): ReturnType<typeof nextMessage<'state'>> {
  const state = nextMessage('state');
  bridge.send('state');
  return state;
}

interface Reply {
  status: number;
  type: string;
  text: string;
}

function send({ method, query, headers, body }: OddRequest): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      `${url}${query}`,
      { method, agent: connections, headers: { ...headers, 'Content-Length': body.length } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            text: Buffer.concat(chunks).toString(),
          }),
        );
        response.on('error', reject);
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

/** What JSON-RPC itself has to say to these bytes, found out independently. */
function envelopeOf(body: Buffer): { code?: number; id: unknown; isNotification?: boolean } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(new TextDecoder().decode(body));
  } catch {
    return { code: -32700, id: null };
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
    return { code: -32600, id: null };
  const hasId = Object.hasOwn(parsed, 'id');
  const { id = null, jsonrpc, method } = parsed as Record<string, unknown>;
  // The one number of the mutations that is no 0 and becomes one.
  const isRounded = id === 0 && /"id":\s*0\.1e-400/.test(body.toString());
  const isNumber = typeof id === 'number' && Math.abs(id) < 2 ** 53 && !isRounded;
  const isId = id === null || typeof id === 'string' || isNumber;
  if (!isId) return { code: -32600, id: null };
  if (jsonrpc !== '2.0' || typeof method !== 'string' || method === '') return { code: -32600, id };
  return { id, isNotification: !hasId };
}

function expectSoundReply(request: OddRequest, reply: Reply): void {
  expect(reply.text).not.toMatch(/node_modules|\.ts:\d|\n\s+at |SQLITE|sqlite|TypeError|RangeError/);
  expect(reply.text.includes(ROOT) || reply.text.includes(dataFolder)).toBe(false);
  if (reply.status === 204) {
    expect(reply.text).toBe('');
    expect(envelopeOf(request.body).isNotification).toBe(true);
    return;
  }
  expect(reply.type).toBe('application/json');
  const json = JSON.parse(reply.text) as RpcReply;
  expect(json.jsonrpc).toBe('2.0');
  expect(Object.keys(json)).toEqual(['jsonrpc', 'id', Object.hasOwn(json, 'error') ? 'error' : 'result']);
  if (reply.status !== 200) {
    expect([
      [405, -32600],
      [415, -32005],
      [413, -32600],
    ]).toContainEqual([reply.status, json.error.code]);
    expect(json.id).toBeNull();
    return;
  }
  const { code, id } = envelopeOf(request.body);
  // As JSON prints them: -0 is the number 0.
  expect(JSON.stringify(json.id)).toBe(JSON.stringify(id));
  if (code === undefined) expectSoundAnswer(json);
  else expect(json.error.code).toBe(code);
}

/** To a call that is right as JSON-RPC. */
function expectSoundAnswer(json: RpcReply): void {
  if (!Object.hasOwn(json, 'error')) {
    const [part] = json.result.message.parts;
    const schema = RESPONSE_SCHEMAS.get(part.data.type) ?? '';
    expect(ajv.getSchema(`${schema}.schema.json`)?.(part.data)).toBe(true);
    return;
  }
  const { code, data } = json.error;
  if (!Object.hasOwn(json.error, 'data')) expect(code).toBe(-32601);
  else if (isA2aList(data)) expect(code).toBe(A2A_CODES.get(data[0].reason));
  else {
    expect(code).toBe(AAP_CODES.get(data.code));
    expect(ajv.getSchema('error.schema.json')?.(data)).toBe(true);
  }
}

function isA2aList(data: unknown): boolean {
  return Array.isArray(data);
}

async function fuzz(from: number, to: number): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  let next = from;
  const work = async (): Promise<void> => {
    while (next < to) {
      const index = next++;
      const request = oddRequest(SAMPLES, randomFrom(SEED + index));
      try {
        const reply = await send(request);
        statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
        expectSoundReply(request, reply);
      } catch (fault) {
        const { method, query, headers, body } = request;
        const what = `${method} ${query} ${JSON.stringify(headers)}\n${body.toString().slice(0, 2000)}`;
        throw new Error(`seed ${SEED}, request ${index}: ${what}`, { cause: fault });
      }
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, work));
  return statuses;
}

it('gets a sound reply, leaks nothing and leaves the bridge as it was', { timeout: 240_000 }, async () => {
  process.stderr.write(`fuzz seed ${SEED}\n`);
  await fuzz(0, WARM_UP);
  const before = await stateOfBridge();
  const statuses = await fuzz(WARM_UP, REQUESTS);
  const after = await stateOfBridge();

  const growth = after.heapBytes - before.heapBytes;
  process.stderr.write(`fuzz: the heap grew from ${before.heapBytes} by ${growth} bytes\n`);
  expect(growth).toBeLessThan(MAX_GROWTH_BYTES);
  expect(after.pollution).toEqual([]);
  // Most odd requests get past HTTP, or the test would test nothing.
  expect(statuses.get(200)).toBeGreaterThan((REQUESTS - WARM_UP) * 0.8);
  expect(readLogs(dataFolder)).not.toContain('call failed');

  for (const sample of SAMPLES) {
    const reply = await send({
      method: 'POST',
      query: '',
      headers: { 'Content-Type': 'application/json' },
      body: Buffer.from(sample),
    });
    const { result } = JSON.parse(reply.text) as RpcReply;
    expect(RESPONSE_SCHEMAS.has(result.message.parts[0].data.type)).toBe(true);
  }
});
