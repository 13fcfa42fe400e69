import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { InvalidArgumentError, type Command } from 'commander';
import type { Config } from '../config/config.ts';
import { DEFAULT_DATA_FOLDER } from '../config/data-folder.ts';
import type { LoadOptions } from '../config/load.ts';
import { CommandStopped } from './command-stopped.ts';
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
    .option('--data <folder>', 'folder for everything that changes (default: ./data)', parseFolder);
}

/** Prints every fault of the config on stderr and stops the command when there is one. */
export async function loadConfigOrExit(
  options: ConfigOptions & { port?: number; adminPort?: number },
): Promise<Config> {
  const config = await loadConfigIfSound(options);
  if (config === undefined) throw new CommandStopped(EXIT_CODES.problems);
  return config;
}

/** For commands that can do without: the config, or undefined when it has faults, which are printed on stderr. */
export async function loadConfigIfSound(
  options: ConfigOptions & { port?: number; adminPort?: number },
): Promise<Config | undefined> {
  // Explaining a command needs none of this.
  const { loadConfig } = await import('../config/load.ts');
  const { describeProblem } = await import('../model/problem.ts');
  const loaded = await loadConfig(loadOptionsOf(options));
  if (loaded.ok) return loaded.value;
  for (const problem of loaded.problems) console.error(describeProblem(problem));
  const count = loaded.problems.length;
  console.error(`${count} ${count === 1 ? 'problem' : 'problems'} in ${basename(options.config)}`);
  return undefined;
}

export function loadOptionsOf(options: ConfigOptions & { port?: number; adminPort?: number }): LoadOptions {
  return {
    file: options.config,
    environment: process.env,
    ...(options.data === undefined ? {} : { dataFolder: options.data }),
    ...(options.port === undefined ? {} : { port: options.port }),
    ...(options.adminPort === undefined ? {} : { adminPort: options.adminPort }),
  };
}

/** Where everything lies that changes; the settings do not say. */
export function dataFolderOf({ data }: ConfigOptions): string {
  return resolve(data ?? DEFAULT_DATA_FOLDER);
}

/** For commander: a port number, 0 for any free one. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65535) return port;
  throw new InvalidArgumentError('A port is a number from 0 to 65535.');
}

function parseFolder(text: string): string {
  if (text.trim() !== '') return text;
  throw new InvalidArgumentError('Name a folder.');
}
