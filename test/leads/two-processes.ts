import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What the processes submit: one lead with one key over and over, or a visit of another buyer each time. */
export type Race = 'one-key' | 'visits';

/** Two processes that submit to one leads.db at the same time; gives every answer, one JSON text each. */
export async function inTwoProcesses(file: string, race: Race): Promise<string[]> {
  const script = fileURLToPath(new URL('./racing-process.ts', import.meta.url));
  const racers = ['one', 'two'].map((name) =>
    spawn(process.execPath, [script, file, race, name], { stdio: ['pipe', 'pipe', 'inherit'] }),
  );
  const answers = racers.map(linesOf);
  await Promise.all(answers.map(({ ready }) => ready));
  for (const racer of racers) racer.stdin.end('go\n');
  await Promise.all(racers.map((racer) => once(racer, 'close')));
  return answers.flatMap(({ lines }) => lines);
}

function linesOf({ stdout }: ChildProcess): { ready: Promise<void>; lines: string[] } {
  const lines: string[] = [];
  const ready = Promise.withResolvers<undefined>();
  if (stdout === null) throw new Error('the process has no output');
  createInterface({ input: stdout }).on('line', (line) => {
    if (line === 'ready') ready.resolve(undefined);
    else lines.push(line);
  });
  return { ready: ready.promise, lines };
}
