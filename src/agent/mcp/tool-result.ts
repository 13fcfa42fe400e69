import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';

/** How a tool ends: the whole AAP response payload as JSON text, or an `aap.error`. */
export type ToolReply = { kind: 'answered'; payload: string } | { kind: 'refused'; error: unknown };

/** A refusal is no error of the protocol: the model shall read it and do better. */
export function toolResult(reply: ToolReply): CallToolResult {
  if (reply.kind === 'refused') {
    return { isError: true, content: [{ type: 'text', text: JSON.stringify(reply.error) }] };
  }
  return {
    content: [{ type: 'text', text: reply.payload }],
    structuredContent: JSON.parse(reply.payload) as Record<string, unknown>,
  };
}
