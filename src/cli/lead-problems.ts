import type { Config } from '../config/config.ts';
import type { LeadStore, LeadTrail } from '../leads/lead-store.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** Ends the command with a message for the person who typed it. */
export function stopWith(message: string): never {
  console.error(message);
  throw new CommandStopped(EXIT_CODES.problems);
}

export async function leadNamed(id: string, store: LeadStore): Promise<LeadTrail> {
  return (await store.find(id)) ?? stopWith(`There is no lead ${id}.`);
}

export function stopOnUnknownDestination(destination: string, { leads }: Config): void {
  const known = leads.destinations.map(({ id }) => id);
  if (known.includes(destination)) return;
  stopWith(`There is no destination "${destination}"; the settings have ${known.join(', ')}.`);
}
