/** JSON-RPC 2.0 codes that come before any skill. */
export const RPC_CODES = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
} as const;

interface AapErrorEntry {
  readonly rpcCode: number;
  /** Begins the JSON-RPC message, which is read by programmers. */
  readonly title?: string;
  readonly retryable: boolean;
  /** What the buyer reads when the skill has nothing more exact to say. */
  readonly text: string;
}

/** aap-v1.3 section 3. */
export const AAP_ERRORS = {
  SCHEMA_VALIDATION_FAILED: {
    rpcCode: -32602,
    title: 'Invalid params',
    retryable: false,
    text: 'The request is not formed as this skill needs it.',
  },
  MISSING_REQUIRED_FIELD: {
    rpcCode: -32602,
    title: 'Invalid params',
    retryable: false,
    text: 'The request lacks something that this skill needs.',
  },
  INVALID_CONDITION: {
    rpcCode: -32602,
    title: 'Invalid params',
    retryable: false,
    text: 'The condition is not one of the words used for this vehicle.',
  },
  UNSUPPORTED_SKILL: {
    rpcCode: -32601,
    title: 'Method not found',
    retryable: false,
    text: 'This dealer does not offer that skill.',
  },
  VEHICLE_NOT_FOUND: { rpcCode: -32000, retryable: false, text: 'We have no such vehicle.' },
  VEHICLE_UNAVAILABLE: { rpcCode: -32000, retryable: false, text: 'This vehicle is no longer for sale.' },
  CONTACT_CONSENT_REQUIRED: {
    rpcCode: -32000,
    retryable: false,
    text: 'The buyer has to agree to being contacted first.',
  },
  INVALID_CONSENT: {
    rpcCode: -32000,
    retryable: false,
    text: "The record of the buyer's consent is not valid.",
  },
  APPOINTMENT_TIME_UNAVAILABLE: {
    rpcCode: -32000,
    retryable: false,
    text: 'The dealer cannot offer that time, nor another one.',
  },
  IDEMPOTENCY_CONFLICT: {
    rpcCode: -32000,
    retryable: false,
    text: 'This idempotency_key was used for another request.',
  },
  RATE_LIMITED: { rpcCode: -32002, retryable: true, text: 'Too many requests; please wait a little.' },
  INTERNAL_ERROR: {
    rpcCode: -32603,
    title: 'Internal error',
    retryable: true,
    text: 'Something went wrong on our side; please try again later.',
  },
} as const satisfies Record<string, AapErrorEntry>;

type AapErrorCode = keyof typeof AAP_ERRORS;

/** What AAP says no with; becomes an `aap.error` once it has its id and time. */
export interface Refusal {
  code: AapErrorCode;
  /** Safe to show to the buyer. */
  message?: string;
  details?: Record<string, unknown>;
}

/** The `error` member of a JSON-RPC reply. */
export interface RpcError {
  code: number;
  message: string;
  data?: unknown;
}

export function aapError(refusal: Refusal, errorId: string, createdAt: string): RpcError {
  const entry: AapErrorEntry = AAP_ERRORS[refusal.code];
  const text = refusal.message ?? entry.text;
  return {
    code: entry.rpcCode,
    message: entry.title === undefined ? text : `${entry.title}: ${text}`,
    data: {
      type: 'aap.error',
      error_id: errorId,
      code: refusal.code,
      message: text,
      retryable: entry.retryable,
      ...(refusal.details === undefined ? {} : { details: refusal.details }),
      created_at: createdAt,
    },
  };
}

/** The A2A codes that this agent can answer with; the key is the ErrorInfo reason (A2A section 5.4). */
const A2A_ERRORS = {
  TASK_NOT_FOUND: -32001,
  PUSH_NOTIFICATION_NOT_SUPPORTED: -32003,
  UNSUPPORTED_OPERATION: -32004,
  CONTENT_TYPE_NOT_SUPPORTED: -32005,
  EXTENSION_SUPPORT_REQUIRED: -32008,
  VERSION_NOT_SUPPORTED: -32009,
} as const;

export type A2aReason = keyof typeof A2A_ERRORS;

/** A2A wants `data` as a list of typed objects; metadata values are strings only (A2A section 9.5). */
export function a2aError(
  reason: A2aReason,
  message: string,
  metadata: Readonly<Record<string, string>> = {},
): RpcError {
  return {
    code: A2A_ERRORS[reason],
    message,
    data: [
      {
        '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
        reason,
        domain: 'a2a-protocol.org',
        metadata,
      },
    ],
  };
}
