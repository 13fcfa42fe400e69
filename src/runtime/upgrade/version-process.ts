import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { type Installation, versionFolder } from './installation.ts';
import type { Owner } from './owner.ts';

const KEPT_CHARACTERS = 20_000;

export interface Ending {
  /** Null when a signal ended it; -1 when it could not be started. */
  code: number | null;
  /** The end of what it said on either stream. */
  said: string;
}

export interface VersionCommand {
  installation: Pick<Installation, 'folder'>;
  version: string;
  words: readonly string[];
  /** As whom; undefined: as ourselves. */
  owner: Owner | undefined;
}

/** A command of one of the installed versions, run by its own Node. */
export class VersionProcess {
  readonly ended: Promise<Ending>;
  said = '';
  readonly #child: ChildProcess;

  constructor({ installation, version, words, owner }: VersionCommand) {
    const [program, script] = programOf(versionFolder(installation, version));
    this.#child = spawn(program, [script, ...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environmentOfAnother(),
      windowsHide: true,
      ...owner,
    });
    const listen = (chunk: Buffer): void => {
      this.said = (this.said + chunk.toString('utf8')).slice(-KEPT_CHARACTERS);
    };
    this.#child.stdout?.on('data', listen);
    this.#child.stderr?.on('data', listen);
    this.ended = new Promise((resolve) => {
      this.#child.once('error', (fault) => resolve({ code: -1, said: fault.message }));
      this.#child.once('close', (code) => resolve({ code, said: this.said.trim() }));
    });
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** On Windows this ends it at once; elsewhere it may end what is under way. */
  end(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }
}

/** Runs a command of a version to its end; what takes longer than `limitMs` is ended. */
export async function runVersion(command: VersionCommand, limitMs: number): Promise<Ending> {
  const running = new VersionProcess(command);
  const timer = setTimeout(() => running.end('SIGKILL'), limitMs);
  try {
    return await running.ended;
  } finally {
    clearTimeout(timer);
  }
}

/** Runs a command of a version in place of this one: at the same terminal. Answers its exit code. */
export async function continueAs({
  installation,
  version,
  words,
}: Omit<VersionCommand, 'owner'>): Promise<number> {
  const [program, script] = programOf(versionFolder(installation, version));
  const child = spawn(program, [script, ...words], { stdio: 'inherit', env: environmentOfAnother() });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

function programOf(folder: string): [program: string, script: string] {
  const node = process.platform === 'win32' ? 'node.exe' : 'node';
  return [join(folder, 'node', node), join(folder, 'bin', 'dealer-bridge.mjs')];
}

/** Without where this version keeps its compiled code. */
function environmentOfAnother(): NodeJS.ProcessEnv {
  const { NODE_COMPILE_CACHE: _, ...environment } = process.env;
  return environment;
}
