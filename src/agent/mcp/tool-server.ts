import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { Tool } from '@modelcontextprotocol/sdk/types.js';
import {
  CallToolRequestSchema,
  ErrorCode,
  ListToolsRequestSchema,
  McpError,
} from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type { SkillId } from '../../model/skill.ts';
import { shorten } from '../shorten.ts';
import { toolResult, type ToolReply } from './tool-result.ts';
import { toolName, toolOf } from './tools.ts';

/** Never rejects: MCP's SDK would tell the caller what was thrown, word for word. */
export type ToolCall = (skill: SkillId, payload: object) => Promise<ToolReply>;

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
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
    server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
      const skill = skillOf.get(params.name);
      if (skill === undefined) {
        const name = shorten(params.name, MAX_NAME_CHARACTERS);
        throw new McpError(
          ErrorCode.InvalidParams,
          `There is no tool "${name}"; there are ${[...skillOf.keys()].join(', ')}`,
        );
      }
      return toolResult(await call(skill, withType(skill, params.arguments ?? {})));
    });
    return server;
  };
}

/** The name of the tool says already which request it is; what the caller says instead is left for the check. */
function withType(skill: SkillId, given: Record<string, unknown>): object {
  return Object.hasOwn(given, 'type') ? given : { type: `${skill}.request`, ...given };
}
