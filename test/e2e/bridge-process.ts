import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readLogs } from '../runtime/read-logs.ts';

export const PROJECT = fileURLToPath(new URL('../..', import.meta.url));
const PROGRAM = join(PROJECT, 'bin', 'dealer-bridge.mjs');
const STARTED = 'Stop with Ctrl+C';

/** The real program in its own process, on free ports, with its own data folder. */
export class BridgeProcess {
  readonly dataFolder: string;
  readonly configFile: string;
  readonly environment: Record<string, string>;
  /** Of an unpacked package, which gets nothing of this machine's environment; default: this clone's. */
  readonly launcher: string | undefined;
  output = '';
  #child: ChildProcess | undefined;

  constructor(
    options: {
      configFile?: string;
      dataFolder?: string;
      environment?: Record<string, string>;
      launcher?: string;
    } = {},
  ) {
    this.launcher = options.launcher;
    this.configFile = options.configFile ?? join(PROJECT, 'config', 'bridge.yaml');
    this.dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'bridge-'));
    this.environment = options.environment ?? {};
  }

  /** Resolves once the program says that it serves; rejects with its output when it ends before. */
  async start(): Promise<void> {
    this.output = '';
    const args = [
      'start',
      '--config',
      this.configFile,
      '--data',
      this.dataFolder,
      '--port',
      '0',
      '--admin-port',
      '0',
    ];
    const [program, words, environment] =
      this.launcher === undefined
        ? [process.execPath, [PROGRAM, ...args], { ...process.env, ...this.environment }]
        : [this.launcher, args, { PATH: '', ...this.environment }];
    const child = spawn(program, words, { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      const listen = (chunk: Buffer): void => {
        this.output += chunk.toString('utf8');
        if (this.output.includes(STARTED)) resolve();
      };
      child.stdout.on('data', listen);
      child.stderr.on('data', listen);
      child.once('exit', (code) =>
        reject(new Error(`the program ended with ${String(code)}:\n${this.output}`)),
      );
    });
  }

  get url(): string {
    return this.#printed(/Agent endpoint\s+(http\S+)\/a2a/);
  }

  get adminUrl(): string {
    return this.#printed(/Health\s+(http\S+)\/health/);
  }

  #printed(pattern: RegExp): string {
    const found = pattern.exec(this.output)?.[1];
    if (found === undefined) throw new Error(`not printed: ${String(pattern)}\n${this.output}`);
    return found;
  }

  /** Sends one AAP request in its A2A envelope and returns the whole JSON-RPC reply. */
  async ask(data: object, mediaType?: string): Promise<JsonRpcReply> {
    const response = await this.post({
      jsonrpc: '2.0',
      id: 'req-1',
      method: 'SendMessage',
      params: {
        message: {
          messageId: crypto.randomUUID(),
          role: 'ROLE_USER',
          parts: [{ data, ...(mediaType === undefined ? {} : { mediaType }) }],
        },
      },
    });
    return (await response.json()) as JsonRpcReply;
  }

  post(body: unknown): Promise<Response> {
    return fetch(`${this.url}/a2a`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  path(...parts: string[]): string {
    return join(this.dataFolder, ...parts);
  }

  /** All that was logged so far. */
  log(): Promise<string> {
    return Promise.resolve(readLogs(this.dataFolder));
  }

  /** Waits for the end that somebody else has asked for. Returns the exit code. */
  async ended(): Promise<number | null> {
    const child = this.#child;
    if (child === undefined) return null;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const [code] = (await once(child, 'exit')) as [number | null];
    return code;
  }

  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** SIGTERM, and waits for the end. Returns the exit code. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const child = this.#child;
    if (child === undefined) return null;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [code] = (await ended) as [number | null];
    return code;
  }

  async dispose(): Promise<void> {
    await this.stop('SIGKILL');
    rmSync(this.dataFolder, { recursive: true, force: true });
  }
}

export interface JsonRpcReply {
  jsonrpc: '2.0';
  id: unknown;
  result?: { message: { contextId: string; role: string; parts: { data: AapReply; mediaType: string }[] } };
  error?: { code: number; message: string; data: Record<string, unknown> };
}

export interface AapReply {
  type: string;
  // The replies' shapes are checked against the schemas in test/agent; here only values matter.
  data: Record<string, any>; // eslint-disable-line @typescript-eslint/no-explicit-any
  message?: string;
}

export function payloadOf(reply: JsonRpcReply): AapReply {
  const part = reply.result?.message.parts[0];
  if (part === undefined) throw new Error(`no result: ${JSON.stringify(reply)}`);
  return part.data;
}

/** Looks again until `check` gives a value; the only way the tests wait for something. */
export async function eventually<T>(
  what: string,
  check: () => Promise<T | undefined> | T | undefined,
): Promise<T> {
  const end = Date.now() + 45_000;
  for (;;) {
    const value = await check();
    if (value !== undefined) return value;
    if (Date.now() > end) throw new Error(`did not happen within 45 s: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** Names in a folder, empty while it does not exist. */
export async function filesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
