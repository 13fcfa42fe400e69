import { RPC_CODES } from './errors.ts';
import type { RpcError } from './errors.ts';
import { isRpcId, type RpcId } from './rpc-id.ts';

export type RpcRequest =
  | { kind: 'call'; id: RpcId; method: string; params: unknown }
  /** No id: nobody waits for an answer. */
  | { kind: 'notification' }
  | { kind: 'refused'; id: RpcId; error: RpcError };

const BYTE_ORDER_MARK = 0xfeff;

/** Reads bytes as one JSON-RPC 2.0 request. A byte order mark is dropped, bytes that are no UTF-8 are replaced. */
export function readRpcRequest(body: Uint8Array): RpcRequest {
  const text = textOf(body);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return refused(null, RPC_CODES.parseError, 'Parse error: the body is not JSON');
  }
  if (Array.isArray(parsed)) return invalid(null, 'batches are not served; send one call at a time');
  if (typeof parsed !== 'object' || parsed === null) return invalid(null, 'the body must be an object');

  const { jsonrpc, method, params } = parsed as Record<string, unknown>;
  const hasId = Object.hasOwn(parsed, 'id');
  const id = hasId ? (parsed as { id: unknown }).id : null;
  if (!isRpcId(id, text)) {
    return invalid(null, 'id must be a string, null, or a number that JSON carries without rounding');
  }
  if (jsonrpc !== '2.0') return invalid(id, 'jsonrpc must be "2.0"');
  if (typeof method !== 'string' || method === '') return invalid(id, 'method must be a name');
  return hasId ? { kind: 'call', id, method, params } : { kind: 'notification' };
}

/** Buffer reads UTF-8 as TextDecoder does, mark aside, in a fraction of the time. */
function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  const text = Buffer.from(buffer, byteOffset, byteLength).toString('utf8');
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

function invalid(id: RpcId, text: string): RpcRequest {
  return refused(id, RPC_CODES.invalidRequest, `Invalid request: ${text}`);
}

function refused(id: RpcId, code: number, message: string): RpcRequest {
  return { kind: 'refused', id, error: { code, message } };
}

/** `result` is ready JSON text: vehicles are spliced in, not parsed and printed again. */
export function resultText(id: RpcId, result: string): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`;
}

export function errorText(id: RpcId, error: RpcError): string {
  return JSON.stringify({ jsonrpc: '2.0', id, error });
}
