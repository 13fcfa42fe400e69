import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { createSchemaValidator } from '../../src/agent/schemas.ts';
import { createPublicServer } from '../../src/web/server.ts';
import { silentLog } from '../../src/model/log.ts';
import { openDealership } from '../agent/dealership.ts';
import type { Dealership, DealershipOptions } from '../agent/dealership.ts';
import type { RpcReply } from '../agent/rpc-reply.ts';

/** A dealership behind the real server on a free port of this machine. */
export interface LiveAgent extends Dealership {
  origin: string;
  port: number;
  /** Posts to /a2a as a buyer's agent would; strings and bytes go out as they are. */
  post(body: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** SendMessage with one data part. */
  send(data: unknown, more?: SendOptions): Promise<Answer>;
  close(): Promise<void>;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** The JSON-RPC reply. */
  json: RpcReply;
}

interface SendOptions {
  headers?: Record<string, string>;
  message?: Record<string, unknown>;
  params?: Record<string, unknown>;
}

export async function openLiveAgent(options: DealershipOptions = {}): Promise<LiveAgent> {
  const dealership = openDealership(options);
  const server = createPublicServer(dealership.agent, dealership.config, options.log ?? silentLog);
  const { port, publicUrl: origin } = await server.listen(0, '127.0.0.1');

  const post = async (body: unknown, headers: Record<string, string> = {}): Promise<Answer> => {
    const raw = typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${origin}/a2a`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: raw ? (body as string) : JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      // An empty text stands with status 204 only, where nobody looks for a reply.
      json: JSON.parse(text === '' ? 'null' : text) as RpcReply,
    };
  };

  return {
    ...dealership,
    origin,
    port,
    post,
    send: (data, { headers, message, params } = {}) => post(sendMessage(data, { message, params }), headers),
    close: () => server.close(),
  };
}

export function sendMessage(
  data: unknown,
  more: { message?: Record<string, unknown> | undefined; params?: Record<string, unknown> | undefined } = {},
) {
  return {
    jsonrpc: '2.0',
    id: 'req-1',
    method: 'SendMessage',
    params: {
      message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data }], ...more.message },
      ...more.params,
    },
  };
}

export const INFORMATION = { type: 'dealer.information.request' };

export interface SampleRequest {
  id: string;
  params: { message: { parts: [{ data: unknown }] } };
}

export function sample(name: string): SampleRequest {
  return JSON.parse(
    readFileSync(new URL(`../../samples/requests/${name}.json`, import.meta.url), 'utf8'),
  ) as SampleRequest;
}

/** Sends bytes as they are and returns all that comes back until the server hangs up. */
export function speakRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}

const ajv = createSchemaValidator();

/** What our own schema has against a payload; null = nothing. */
export function schemaFaults(schema: string, payload: unknown): unknown {
  const validate = ajv.getSchema(`${schema}.schema.json`);
  if (validate === undefined) throw new Error(`no schema ${schema}`);
  return validate(payload) ? null : validate.errors;
}
