import { resolve } from 'node:path';
import { InvalidArgumentError, type Command } from 'commander';
import type { AgentToken } from '../model/agent-token.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';

export interface TokenOptions extends ConfigOptions {
  file?: string;
}

/** Where tokens stand: in the token file, if there is one, and in bridge.yaml. */
export interface TokenPlaces {
  /** Absolute. */
  file: string | undefined;
  inSettings: readonly AgentToken[];
}

export function withTokenOptions(command: Command): Command {
  return withConfigOptions(command).option(
    '--file <file>',
    'the token file itself, without reading the settings (default: access.tokens_file of the settings)',
  );
}

export async function tokenPlaces(options: TokenOptions): Promise<TokenPlaces> {
  if (options.file !== undefined) return { file: resolve(options.file), inSettings: [] };
  const { access } = await loadConfigOrExit(options);
  return { file: access.tokens_file, inSettings: access.tokens };
}

/** For commander: the name a token goes by, as schemas/tokens.schema.json has it. */
export function parseTokenName(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name)) return name;
  throw new InvalidArgumentError('Use letters, digits, dots, dashes and underscores, at most 64.');
}
