import type { Caller } from './door/door.ts';
import type { DoorRefusal } from './door/door-refusal.ts';
import { a2aError, RPC_CODES } from './errors.ts';
import type { RpcError } from './errors.ts';
import { JSON_MEDIA_TYPE } from '../model/protocol.ts';
import { essence } from './media-types.ts';

/** One HTTP request to the endpoint, as far as the agent looks at it. */
export interface AgentCall {
  /** For the log. */
  requestId: string;
  method: string;
  contentType?: string | undefined;
  /** Name in lower case; several lines of one header come joined with commas. */
  headers: (name: string) => string | undefined;
  query: URLSearchParams;
  /** As the door has let them in. */
  caller: Caller;
  /** Set: the door has not let them in, and the body was not read. */
  refusedAtDoor?: DoorRefusal | undefined;
  /** As received; `too_large` when reading was given up, `unread` when it never began. */
  body: Uint8Array | 'too_large' | 'unread';
}

/** Refused before any JSON-RPC was read: with the door's own, the only replies with an HTTP status other than 200. */
export interface HttpRefusal {
  status: 401 | 403 | 405 | 413 | 415;
  headers: Readonly<Record<string, string>>;
  error: RpcError;
  /** For the log, where the error itself tells too little. */
  code?: string;
}

const CHARSET = /^\s*charset\s*=\s*"?([^";\s]*)"?\s*$/i;

/** A2A section 9.1: POST with application/json in UTF-8, not compressed. */
export function takeBody(call: AgentCall): Uint8Array | HttpRefusal {
  if (call.method !== 'POST') {
    const error = { code: RPC_CODES.invalidRequest, message: 'Invalid request: use POST' };
    return { status: 405, headers: { Allow: 'POST, OPTIONS' }, error };
  }
  if (call.refusedAtDoor !== undefined) return call.refusedAtDoor;
  if (!isJson(call.contentType ?? '')) {
    return unsupported('The Content-Type must be application/json, in UTF-8');
  }
  if (isCompressed(call.headers('content-encoding'))) return unsupported('The body must not be compressed');
  if (typeof call.body === 'string') {
    const error = { code: RPC_CODES.invalidRequest, message: 'Invalid request: the body is too large' };
    return { status: 413, headers: {}, error };
  }
  return call.body;
}

function isJson(contentType: string): boolean {
  return contentType === JSON_MEDIA_TYPE || (essence(contentType) === JSON_MEDIA_TYPE && isUtf8(contentType));
}

function isCompressed(encoding = ''): boolean {
  return encoding !== '' && !['', 'identity'].includes(encoding.trim().toLowerCase());
}

function isUtf8(contentType: string): boolean {
  const charsets = contentType.split(';').flatMap((parameter) => CHARSET.exec(parameter)?.[1] ?? []);
  return charsets.every((charset) => ['utf-8', 'utf8', 'us-ascii'].includes(charset.toLowerCase()));
}

function unsupported(message: string): HttpRefusal {
  const error = a2aError('CONTENT_TYPE_NOT_SUPPORTED', message, { supportedTypes: JSON_MEDIA_TYPE });
  return { status: 415, headers: {}, error };
}
