import { listAt, numberAt, textAt, valueAt } from './json-value.ts';

/** The `error` of a JSON-RPC reply, in either of its two shapes (aap-v1.3 section 3, A2A section 9.5). */
export interface Refusal {
  rpcCode: number;
  /** AAP code or A2A reason. */
  code?: string;
  message: string;
  retryable?: boolean;
  errorId?: string;
  /** Every fault of the request that the agent told of. */
  faults: readonly { place: string; text: string }[];
  retryAfterMs?: number;
  /** As it came. */
  error: unknown;
}

export function readRefusal(error: unknown, retryAfterHeader: string | undefined): Refusal {
  const data = valueAt(error, 'data');
  const code = textAt(data, 'code') ?? textAt(data, 0, 'reason');
  const retryable = valueAt(data, 'retryable');
  const errorId = textAt(data, 'error_id');
  const retryAfterMs = numberAt(data, 'details', 'retry_after_ms') ?? secondsToMs(retryAfterHeader);
  return {
    rpcCode: numberAt(error, 'code') ?? 0,
    message: textAt(data, 'message') ?? textAt(error, 'message') ?? 'no reason given',
    faults: listAt(data, 'details', 'errors').map((fault) => ({
      place: textAt(fault, 'instanceLocation') ?? '',
      text: textAt(fault, 'error') ?? 'is not right',
    })),
    error,
    ...(code === undefined ? {} : { code }),
    ...(typeof retryable === 'boolean' ? { retryable } : {}),
    ...(errorId === undefined ? {} : { errorId }),
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  };
}

/** Retry-After in seconds; its other form, a date, is not used for rates. */
function secondsToMs(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,6}$/.test(header.trim()) ? Number(header) * 1000 : undefined;
}
