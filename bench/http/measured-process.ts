import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Observation } from './observer.ts';

const OBSERVER = pathToFileURL(fileURLToPath(new URL('observer.ts', import.meta.url))).href;
const START_LIMIT_MS = 120_000;

/** A program in a process of its own that can be asked what it has used. */
export interface MeasuredProcess {
  /** Where it serves. */
  port: number;
  look: () => Promise<Observation>;
  /** Kills it, as what it has written is the bench's own, or asks it to end, so that it can write its profile. */
  stop: (signal?: 'SIGKILL' | 'SIGTERM') => Promise<void>;
}

/** Starts it and waits until it prints an address; `port` is the one in the first match of `announcement`. */
export async function startMeasured(
  script: string,
  words: readonly string[],
  announcement: RegExp,
  nodeOptions: readonly string[] = [],
): Promise<MeasuredProcess> {
  const child = spawn(process.execPath, [...nodeOptions, '--import', OBSERVER, script, ...words], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  const port = Number(await announced(child, announcement));
  return {
    port,
    look: async () => {
      const answer = once(child, 'message');
      child.send('look');
      const [observation] = (await answer) as [Observation];
      return observation;
    },
    stop: async (signal = 'SIGKILL') => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await once(child, 'close');
    },
  };
}

function announced(child: ChildProcess, announcement: RegExp): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const limit = setTimeout(() => {
    child.kill('SIGKILL');
    reject(new Error('a measured program did not start in time'));
  }, START_LIMIT_MS);
  let printed = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
    const found = announcement.exec(printed)?.[1];
    if (found !== undefined) resolve(found);
  });
  child.on('error', reject).on('exit', (code, signal) => {
    reject(new Error(`a measured program ended with ${String(code ?? signal)}: ${printed}`));
  });
  return promise.finally(() => clearTimeout(limit));
}
