import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { ToolReply } from '../agent/mcp/tool-result.ts';
import type { ToolCall, ToolServers } from '../agent/mcp/tool-server.ts';
import { printableText } from './printable-text.ts';

const MAX_REASON_CHARACTERS = 200;

/**
 * Speaks MCP, one JSON text a line, until standard input ends; what was asked before is still answered. Nothing else
 * may write to standard output meanwhile.
 */
export async function serveOnStdio(newServer: ToolServers, call: ToolCall): Promise<void> {
  const running = new Set<Promise<ToolReply>>();
  const server = newServer((skill, payload) => {
    const reply = call(skill, payload);
    running.add(reply);
    void reply.finally(() => running.delete(reply));
    return reply;
  });
  const transport = new StdioServerTransport();
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  transport.onerror = ({ message }) => {
    const reason = printableText(message.slice(0, MAX_REASON_CHARACTERS));
    console.error(`dealer-bridge: an input line that is no MCP message: ${reason}`);
  };
  // Whoever started us is gone without a word.
  process.stdout.once('error', () => void server.close());
  const ended = once(process.stdin, 'end').then(async () => {
    // Lines that came just before the end have not reached their handlers yet.
    await setImmediate();
    await Promise.allSettled(running);
    await setImmediate();
    await server.close();
  });
  await server.connect(transport);
  await Promise.race([closed, ended]);
}
