import type { Config } from '../config/config.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { LeadDesk } from '../leads/lead-desk.ts';
import type { Clock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';
import { buildCard } from './card.ts';
import type { Card } from './card.ts';
import { createEndpoint } from './endpoint.ts';
import type { Endpoint } from './endpoint.ts';
import { createSkillSet } from './skill-set.ts';

export interface AgentParts {
  config: Config;
  inventory: Inventory;
  leadDesk: LeadDesk;
  log: Log;
  clock: Clock;
  /** Version of the program, which the card carries. */
  programVersion: string;
}

/** The dealer's agent without any HTTP server: a call in, a reply out. */
export interface Agent {
  /** Never rejects: whatever goes wrong is a JSON-RPC error. */
  handle: Endpoint;
  /** The agent card for the origin under which the agent is reached. */
  card(publicUrl: string): Card;
}

export function createAgent({ programVersion, ...parts }: AgentParts): Agent {
  const { config, clock, log } = parts;
  const skillSet = createSkillSet(parts);
  return {
    handle: createEndpoint({ config, skillSet, clock, log }),
    card: (publicUrl) => buildCard({ config, skills: skillSet.skills, programVersion }, publicUrl),
  };
}
