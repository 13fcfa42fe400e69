import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { AdapterManifest } from '../adapter-folder.ts';
import type { Finding } from './findings.ts';

export interface TrialRequest {
  folder: string;
  kind: AdapterManifest['kind'];
  /** Every clock stands 400 days ahead. */
  onOtherDay: boolean;
  callMs: number;
}

export type TrialMessage = { step: string } | { name: string; result: unknown } | { findings: Finding[] };

export interface TrialResult {
  findings: Finding[];
  /** By case, as JSON. */
  results: Map<string, string>;
  /** The checks did not come to their end: what was going on, and why it ended. */
  stopped?: { step: string; reason: string };
}

/** `.ts` in a clone, `.js` in a package, as this file. */
const PROGRAM = fileURLToPath(new URL(`check-process${extname(import.meta.filename)}`, import.meta.url));
const MEMORY_MB = 768;

/** Each step is one call, or reading the code: whatever takes so long on any machine never ends. */
const STEP_MS = 20_000;
/** Where local times, dates and sorting differ from those of most machines. */
const OTHER_MACHINE = { TZ: 'Pacific/Chatham', LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8' };

/** Runs the checks in a process of its own, which is ended after `totalMs`, or when one step takes `stepMs`. */
export async function runTrial(
  request: TrialRequest,
  totalMs: number,
  stepMs: number = STEP_MS,
): Promise<TrialResult> {
  const child = spawn(
    process.execPath,
    [
      `--max-old-space-size=${MEMORY_MB}`,
      '--disable-warning=ExperimentalWarning',
      PROGRAM,
      JSON.stringify(request),
    ],
    {
      stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
      // Nothing of this machine's environment: what works only with it does not work at the dealer's.
      env: request.onOtherDay ? OTHER_MACHINE : { TZ: 'UTC' },
    },
  );
  let lateAfterMs = totalMs;
  const endAfter = (milliseconds: number): NodeJS.Timeout =>
    setTimeout(() => {
      lateAfterMs = milliseconds;
      child.kill('SIGKILL');
    }, milliseconds);
  const timer = endAfter(totalMs);
  const stepTimer = endAfter(stepMs);
  const result: TrialResult = { findings: [], results: new Map() };
  let step = 'starting';
  let isDone = false;
  let complaint = '';
  child.stderr?.on(
    'data',
    (chunk: Buffer) => (complaint = `${complaint}${chunk.toString()}`.slice(0, 20_000)),
  );
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code ?? 0}`));
  });
  try {
    for await (const line of linesOf(child.stdio[3] as Readable)) {
      const message = JSON.parse(line) as TrialMessage;
      stepTimer.refresh();
      if ('step' in message) step = message.step;
      else if ('name' in message) result.results.set(message.name, JSON.stringify(message.result));
      else {
        result.findings = message.findings;
        isDone = true;
      }
    }
  } catch (error) {
    child.kill('SIGKILL');
    clearTimeout(timer);
    clearTimeout(stepTimer);
    throw error;
  }
  const end = await ended;
  const isLate = child.killed;
  clearTimeout(timer);
  clearTimeout(stepTimer);
  if (isDone) return result;
  const reason = isLate
    ? `no end within ${lateAfterMs / 1000} s`
    : `the process ended (${end})${lastWords(complaint)}`;
  return { ...result, stopped: { step, reason } };
}

/** Not node:readline, which also breaks lines at U+2028, as they stand in JSON. */
async function* linesOf(stream: Readable): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream.setEncoding('utf8') as AsyncIterable<string>) {
    const lines = `${rest}${chunk}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

function lastWords(complaint: string): string {
  const line = /^\w*(?:Error|FATAL ERROR)\b.*$/m.exec(complaint)?.[0] ?? '';
  return line === '' ? '' : `: ${line.slice(0, 300)}`;
}
