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
  /** Name in lower case; several lines of one header come joined with commas. */
  headers: (name: string) => string | undefined;
  query: URLSearchParams;
  /** As the door has let them in. */
  caller: Caller;
  /** As received, or why it was not read, or not to its end. */
  body: Uint8Array | HttpRefusal;
}

/** What is known of a request before its body comes. */
export interface RequestHead {
  method: string | undefined;
  contentType: string | undefined;
  contentEncoding: string | undefined;
  /** As declared; a body that comes in pieces has none. */
  contentLength: string | undefined;
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

export const TOO_LARGE: HttpRefusal = {
  status: 413,
  headers: {},
  error: { code: RPC_CODES.invalidRequest, message: 'Invalid request: the body is too large' },
};

/**
 * A2A section 9.1: POST with application/json in UTF-8, not compressed. Judged before the body is read: nobody is to
 * send, or to be waited for, in vain.
 */
export function refuseHead(
  { method, contentType, contentEncoding, contentLength }: RequestHead,
  refusedAtDoor: DoorRefusal | undefined,
  bodyLimitBytes: number,
): HttpRefusal | undefined {
  if (method !== 'POST') {
    const error = { code: RPC_CODES.invalidRequest, message: 'Invalid request: use POST' };
    return { status: 405, headers: { Allow: 'POST, OPTIONS' }, error };
  }
  if (refusedAtDoor !== undefined) return refusedAtDoor;
  if (!isJson(contentType ?? '')) {
    return unsupported('The Content-Type must be application/json, in UTF-8');
  }
  if (isCompressed(contentEncoding)) return unsupported('The body must not be compressed');
  return contentLength !== undefined && Number(contentLength) > bodyLimitBytes ? TOO_LARGE : undefined;
}

export function isJson(contentType: string): boolean {
  return contentType === JSON_MEDIA_TYPE || (essence(contentType) === JSON_MEDIA_TYPE && isUtf8(contentType));
}

export function isCompressed(encoding = ''): boolean {
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
