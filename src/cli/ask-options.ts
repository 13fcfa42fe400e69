import { type Command, InvalidArgumentError } from 'commander';
import type { AgentCard } from '../client/agent-card.ts';
import { AgentFault } from '../client/agent-fault.ts';
import { publicUrl } from '../web/public-url.ts';
import { CommandStopped } from './command-stopped.ts';
import { type ConfigOptions, loadConfigOrExit, withConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { printableText } from './printable-text.ts';

/** How a command that asks an agent is told which one, and how. */
export interface AgentOptions extends ConfigOptions {
  url?: string;
  token?: string;
  tokenEnv?: string;
  /** Seconds. */
  timeout: number;
}

/** What every `ask` command can be told. */
export interface AskOptions extends AgentOptions {
  json?: boolean;
}

/** An agent whose card has been read, and how to call it. */
export interface OpenedAgent {
  agent: AgentCard;
  /** The bridge of the settings, and not one named by --url. */
  isOurs: boolean;
  call: { timeoutMs: number; token?: string };
}

export function withAskOptions(command: Command): Command {
  return withAgentOptions(command).option('--json', 'for programs');
}

export function withAgentOptions(command: Command): Command {
  return withConfigOptions(command)
    .option('--url <url>', 'agent to ask: its origin or its card (default: the bridge of the settings)')
    .option(
      '--token <token>',
      'bearer token; other users of this machine may see it, so rather use --token-env',
    )
    .option('--token-env <name>', 'environment variable that holds the bearer token')
    .option('--timeout <seconds>', 'longest wait for one answer', parseSeconds, 15);
}

/**
 * Finds the agent by its card and lets `work` ask it. Notes about the card and what goes wrong on the way are told on
 * stderr; an agent that cannot be reached ends the command with 3, one that is none of AAP 1.3 with 1.
 */
export async function withAgent(
  options: AgentOptions,
  work: (opened: OpenedAgent) => Promise<void>,
): Promise<void> {
  const token = readToken(options);
  const timeoutMs = options.timeout * 1000;
  try {
    const { url, knownHost } = await addressOf(options);
    const { resolveCard } = await import('../client/agent-card.ts');
    const agent = await resolveCard({ url, timeoutMs, ...(knownHost === undefined ? {} : { knownHost }) });
    printNotes(agent.notes);
    const call = { timeoutMs, ...(token === undefined ? {} : { token }) };
    await work({ agent, isOurs: knownHost !== undefined, call });
  } catch (fault) {
    if (!(fault instanceof AgentFault)) throw fault;
    console.error(printableText(fault.message));
    throw new CommandStopped(fault.kind === 'unreachable' ? EXIT_CODES.failure : EXIT_CODES.problems);
  }
}

export function printNotes(notes: readonly string[]): void {
  for (const note of notes) console.error(printableText(`Note: ${note}`));
}

async function addressOf(options: AgentOptions): Promise<{ url: string; knownHost?: string }> {
  if (options.url !== undefined) return { url: options.url };
  const { server } = await loadConfigOrExit(options);
  if (server.public_url === undefined && server.port === 0) {
    console.error('The settings leave the port open (port: 0); name the bridge with --url.');
    throw new CommandStopped(EXIT_CODES.usage);
  }
  const url = publicUrl(server, server.port);
  return { url, knownHost: new URL(url).host };
}

function readToken({ token, tokenEnv }: AgentOptions): string | undefined {
  if (tokenEnv === undefined) return token;
  const value = process.env[tokenEnv];
  if (value !== undefined && value !== '') return value;
  console.error(`The environment variable ${tokenEnv} is not set.`);
  throw new CommandStopped(EXIT_CODES.usage);
}

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== '' && seconds >= 0.1 && seconds <= 600) return seconds;
  throw new InvalidArgumentError('It must be a number of seconds from 0.1 to 600.');
}
