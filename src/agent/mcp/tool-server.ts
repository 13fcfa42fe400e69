import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { SkillId } from '../../model/skill.ts';
import { isObject } from '../proto-json.ts';
import { shorten } from '../shorten.ts';
import { refuseMalformed } from './request-form.ts';
import { toolResult, type ToolReply } from './tool-result.ts';
import { toolName, toolOf } from './tools.ts';

/**
 * Never rejects: MCP's SDK would tell the caller what was thrown, word for word. The payload is whatever the caller has
 * sent for arguments; that it is no object is for the skill to say.
 */
export type ToolCall = (skill: SkillId, payload: unknown) => Promise<ToolReply>;

export interface ToolServerParts {
  skills: readonly SkillId[];
  dealerName: string;
  programVersion: string;
}

const MAX_NAME_CHARACTERS = 80;

/** Speaks to one client. */
export interface ToolServer {
  connect(transport: Transport): Promise<void>;
  close(): Promise<void>;
}

/** Makes the servers of one program. */
export type ToolServers = (call: ToolCall) => ToolServer;

/** Everything that all servers share is made once: schemas and validators are dear. */
export function createToolServers({ skills, dealerName, programVersion }: ToolServerParts): ToolServers {
  const tools: Tool[] = skills.map(toolOf);
  const skillOf = new Map(skills.map((skill) => [toolName(skill), skill]));
  const validator = new AjvJsonSchemaValidator();
  const instructions =
    `Vehicles for sale at ${dealerName}. The tools speak the Auto Agent Protocol 1.3: arguments are its requests, ` +
    'results its responses; an error says what to change.';

  return (call) => {
    // The newer McpServer takes no JSON Schema, and answers bad arguments itself instead of with an `aap.error`.
    // eslint-disable-next-line @typescript-eslint/no-deprecated
    const server = new Server(
      { name: 'dealer-bridge', title: dealerName, version: programVersion },
      { capabilities: { tools: {} }, instructions, jsonSchemaValidator: validator },
    );
    // The SDK's own way to a handler leads through its schemas, whose faults it tells as they were thrown.
    server.fallbackRequestHandler = async ({ method, params }) => {
      if (method === 'tools/list') return { tools };
      if (method === 'tools/call') return callTool(call, params);
      throw new McpError(ErrorCode.MethodNotFound, 'Method not found');
    };
    return {
      connect: (transport) => {
        const connected = server.connect(transport);
        refuseMalformed(transport);
        return connected;
      },
      close: () => server.close(),
    };
  };

  async function callTool(call: ToolCall, params: Record<string, unknown> = {}): Promise<CallToolResult> {
    const { name } = params;
    if (typeof name !== 'string') {
      throw new McpError(ErrorCode.InvalidParams, 'Invalid params: "name" must be the name of a tool');
    }
    const skill = skillOf.get(name);
    if (skill === undefined) {
      throw new McpError(
        ErrorCode.InvalidParams,
        `There is no tool "${shorten(name, MAX_NAME_CHARACTERS)}"; there are ${[...skillOf.keys()].join(', ')}`,
      );
    }
    return toolResult(await call(skill, withType(skill, params.arguments)));
  }
}

/**
 * The name of the tool says already which request it is; what the caller says instead is left for the check. Some
 * hosts write null for no arguments.
 */
function withType(skill: SkillId, given: unknown): unknown {
  const payload = given ?? {};
  if (!isObject(payload) || Object.hasOwn(payload, 'type')) return payload;
  return { type: `${skill}.request`, ...payload };
}
