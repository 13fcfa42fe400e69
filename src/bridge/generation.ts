import { createAgent, type Agent } from '../agent/agent.ts';
import type { DoorMemory } from '../agent/door/door.ts';
import type { Config } from '../config/config.ts';
import type { Inventory } from '../inventory/inventory.ts';
import type { VehicleLookup } from '../leads/lead-desk.ts';
import { createLeadDesk } from '../leads/accept.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import type { Clock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';
import type { Activity } from './activity.ts';

/** What outlives every change of the settings and answers by those in use. */
export interface House {
  leadStore: LeadStore;
  inventory: Inventory & VehicleLookup;
  activity: Activity;
  doorMemory: DoorMemory;
  onQueued: () => void;
  version: string;
  clock: Clock;
  log: Log;
}

/** One text of the settings, and the agent that answers by it: card, skills, door and lead desk. */
export interface Generation {
  readonly config: Config;
  readonly agent: Agent;
}

/** Opens and starts nothing: until it is put into service, nobody knows of it. */
export function createGeneration(config: Config, house: House): Generation {
  const { leadStore, inventory, activity, doorMemory, onQueued, version, clock, log } = house;
  const leadDesk = createLeadDesk({
    store: leadStore,
    lookup: inventory,
    leads: config.leads,
    dealer: config.dealer,
    clock,
    log,
    onQueued,
  });
  const agent = createAgent({
    config,
    inventory,
    leadDesk: activity.countLeads(leadDesk),
    doorMemory,
    log,
    clock,
    programVersion: version,
  });
  return { config, agent };
}
