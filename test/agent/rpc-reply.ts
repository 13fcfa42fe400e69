/** A JSON-RPC reply as a buyer's agent finds it: what a test does not expect shows when it looks. */
export interface RpcReply {
  jsonrpc: string;
  id: unknown;
  result: { message: ReplyMessage };
  error: ReplyError;
}

interface ReplyMessage {
  messageId: string;
  contextId: string;
  role: string;
  parts: [{ data: ReplyPayload; mediaType: string }];
}

export interface ReplyPayload {
  type: string;
  data: Record<string, unknown>;
  message: string;
}

export interface ReplyError {
  code: number;
  message: string;
  /** An `aap.error`, or A2A's list of details. */
  data: AapErrorData & [A2aDetail];
}

interface AapErrorData {
  type: string;
  code: string;
  error_id: string;
  created_at: string;
  details: { errors: unknown[]; supported_types: string[] };
}

interface A2aDetail {
  '@type': string;
  reason: string;
  metadata: Record<string, string>;
}
