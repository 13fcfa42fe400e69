import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/sdk/types.js';
import {
  ErrorCode,
  InitializeRequestSchema,
  isJSONRPCRequest,
  ListToolsRequestSchema,
  PingRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** What MCP's SDK looks through by itself, and then tells the caller what its schema library has thrown. */
const SCHEMAS = new Map<string, { safeParse(request: unknown): { success: boolean } }>([
  ['initialize', InitializeRequestSchema],
  ['ping', PingRequestSchema],
  ['tools/list', ListToolsRequestSchema],
]);

/**
 * Refuses requests that do not have MCP's form before the SDK sees them, in words for the caller. To be called after
 * the server has taken the transport, and before anything comes in.
 */
export function refuseMalformed(transport: Transport): void {
  const { onmessage } = transport;
  transport.onmessage = (message, extra) => {
    const request = asRequest(message);
    if (request === undefined || hasForm(request)) {
      onmessage?.(request === undefined ? message : withoutTask(request), extra);
      return;
    }
    const error = {
      code: ErrorCode.InvalidParams,
      message: `Invalid params: they do not have the form that MCP gives those of ${request.method}`,
    };
    transport.send({ jsonrpc: '2.0', id: request.id, error }).catch((fault: unknown) => {
      transport.onerror?.(fault instanceof Error ? fault : new Error(String(fault)));
    });
  };
}

function asRequest(message: JSONRPCMessage): JSONRPCRequest | undefined {
  return isJSONRPCRequest(message) ? message : undefined;
}

function hasForm(request: JSONRPCRequest): boolean {
  return SCHEMAS.get(request.method)?.safeParse(request).success ?? true;
}

/** MCP: whoever has no tasks answers such a call as any other. The SDK would refuse it as a fault of ours. */
function withoutTask(request: JSONRPCRequest): JSONRPCRequest {
  if (request.params?.task === undefined) return request;
  const { task: _task, ...params } = request.params;
  return { ...request, params };
}
