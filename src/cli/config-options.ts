import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { describeProblem } from '../model/problem.ts';
import { EXIT_CODES } from './exit-codes.ts';

/** The options by which every command finds its settings. */
export interface ConfigOptions {
  config: string;
  data?: string;
}

const DEMO_CONFIG = fileURLToPath(new URL('../../config/bridge.yaml', import.meta.url));

export function withConfigOptions(command: Command): Command {
  return command
    .option('--config <file>', 'settings of the dealership', DEMO_CONFIG)
    .option('--data <folder>', 'folder for everything that changes (default: ./data)');
}

/** Prints every fault of the config and ends the program when there is one. */
export async function loadConfigOrExit(
  options: ConfigOptions & { port?: number; adminPort?: number },
): Promise<Config> {
  const loaded = await loadConfig({
    file: options.config,
    environment: process.env,
    ...(options.data === undefined ? {} : { dataFolder: options.data }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.adminPort === undefined ? {} : { adminPort: options.adminPort }),
  });
  if (loaded.ok) return loaded.value;
  for (const problem of loaded.problems) console.error(describeProblem(problem));
  process.exit(EXIT_CODES.problems);
}
