import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';

/** The SDK's own client. */
export async function openClient(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'test-host', version: '1.0.0' });
  await client.connect(transport);
  return client;
}

export function httpClient(origin: string, headers: Record<string, string> = {}): Promise<Client> {
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', origin), { requestInit: { headers } });
  return openClient(transport);
}

export interface ToolResult {
  isError?: boolean;
  content: { type: string; text: string }[];
  structuredContent?: Record<string, unknown>;
}

export async function callTool(client: Client, name: string, given: object = {}): Promise<ToolResult> {
  return (await client.callTool({ name, arguments: given as Record<string, unknown> })) as ToolResult;
}

/** The `aap.error` that a tool was refused with. */
export function aapErrorOf({ isError, content, structuredContent }: ToolResult): AapError {
  if (isError !== true || structuredContent !== undefined) throw new Error('the tool was not refused');
  return JSON.parse(content[0]?.text ?? '') as AapError;
}

export interface AapError {
  type: string;
  error_id: string;
  code: string;
  message: string;
  retryable: boolean;
  details?: { errors?: { instanceLocation: string; keyword: string }[]; retry_after_ms?: number };
}
