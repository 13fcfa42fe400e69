import type { Config } from '../config/config.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { LeadDesk } from '../leads/lead-desk.ts';
import type { Clock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';
import { buildCard } from './card.ts';
import type { Card } from './card.ts';
import { createDoor } from './door/door.ts';
import type { Door, DoorMemory } from './door/door.ts';
import { createEndpoint } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { createMcpFace } from './mcp/mcp-face.ts';
import type { McpFace } from './mcp/mcp-face.ts';
import { createSkillSet } from './skill-set.ts';

export interface AgentParts {
  config: Config;
  inventory: Inventory;
  leadDesk: LeadDesk;
  /** Of the agent before, when the settings have changed. */
  doorMemory?: DoorMemory;
  log: Log;
  clock: Clock;
  /** Version of the program, which the card carries. */
  programVersion: string;
}

/** The dealer's agent without any HTTP server: a call in, a reply out. */
export interface Agent {
  /** Whoever calls passes it first; what it says goes into `handle`. */
  door: Door;
  /** Never rejects: whatever goes wrong is a JSON-RPC error. */
  handle: Endpoint;
  /** The same skills as MCP tools; undefined when the dealer has switched them off. */
  mcp: McpFace | undefined;
  /** The agent card for the origin under which the agent is reached. */
  card(publicUrl: string): Card;
}

export function createAgent({ programVersion, doorMemory, ...parts }: AgentParts): Agent {
  const { config, clock, log } = parts;
  const skillSet = createSkillSet(parts);
  const door = createDoor({
    access: config.access,
    rateLimits: config.rate_limits,
    memory: doorMemory,
    clock,
    log,
  });
  return {
    door,
    handle: createEndpoint({ config, skillSet, door, clock, log }),
    mcp: config.mcp.enabled
      ? createMcpFace({ skillSet, door, dealerName: config.dealer.name, programVersion, clock, log })
      : undefined,
    card: (publicUrl) => buildCard({ config, skills: skillSet.skills, programVersion }, publicUrl),
  };
}
