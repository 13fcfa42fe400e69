import { RPC_CODES } from '../errors.ts';
import type { RpcError } from '../errors.ts';

/** No entry: 401 without a valid token, 403 with one that does not open this (RFC 6750 section 3). */
export interface DoorRefusal {
  status: 401 | 403;
  headers: Readonly<Record<string, string>>;
  error: RpcError;
  /** For the log. */
  code: 'TOKEN_MISSING' | 'TOKEN_INVALID' | 'TOKEN_EXPIRED' | 'TOKEN_NOT_ALLOWED';
}

const REALM = 'Bearer realm="dealer agent"';

/** A2A has no code for it and leaves it to HTTP (A2A section 7.4), so JSON-RPC's own stands in the body. */
function refusal(
  code: DoorRefusal['code'],
  status: DoorRefusal['status'],
  challenge: string,
  text: string,
): DoorRefusal {
  return {
    code,
    status,
    headers: { 'WWW-Authenticate': challenge },
    error: { code: RPC_CODES.invalidRequest, message: `Invalid request: ${text}` },
  };
}

function invalid(code: DoorRefusal['code'], text: string): DoorRefusal {
  return refusal(code, 401, `${REALM}, error="invalid_token", error_description="${text}"`, text);
}

export const DOOR_REFUSALS = {
  missing: refusal(
    'TOKEN_MISSING',
    401,
    REALM,
    'this needs a token from the dealer, sent as "Authorization: Bearer TOKEN"',
  ),
  unknown: invalid('TOKEN_INVALID', 'the token is not known here'),
  expired: invalid('TOKEN_EXPIRED', 'the token has expired'),
  malformed: invalid('TOKEN_INVALID', 'the Authorization header must be Bearer and one token'),
  notAllowed: refusal(
    'TOKEN_NOT_ALLOWED',
    403,
    `${REALM}, error="insufficient_scope", error_description="the token does not open this skill"`,
    'the token does not open this skill',
  ),
} as const;
