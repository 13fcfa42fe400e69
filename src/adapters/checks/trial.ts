import type { Breach, PurityGuard } from './purity-guard.ts';
import type { CheckId } from './check-list.ts';
import type { Findings } from './findings.ts';

/** One run of the checks: the guard, what was found, and the results that a second run must give as well. */
export interface Trial {
  guard: PurityGuard;
  findings: Findings;
  /** Most processor time of one call, in milliseconds. */
  callMs: number;
  /** Told before each call: what was going on if it never comes back. */
  step(what: string): void;
  /** Keeps a result under the name of its case. */
  keep(name: string, result: unknown): void;
}

export type Called<T> = { ok: true; value: T } | { ok: false };

/** Calls one function of the adapter, watched and timed. What it throws is a finding of `check`. */
export function call<T>(
  trial: Trial,
  check: CheckId,
  name: string,
  subject: string,
  action: () => T,
): Called<T> {
  trial.step(`${subject}: ${name}`);
  const start = process.cpuUsage();
  try {
    return { ok: true, value: trial.guard.watch(name, action) };
  } catch (error) {
    trial.findings.add(check, subject, `${name} throws: ${firstLine(error)}`);
    return { ok: false };
  } finally {
    tellSlow(trial, name, subject, start);
  }
}

/** The same for a function that takes its time. */
export async function callSlowly<T>(
  trial: Trial,
  check: CheckId,
  name: string,
  subject: string,
  action: () => Promise<T>,
): Promise<Called<T>> {
  trial.step(`${subject}: ${name}`);
  const start = process.cpuUsage();
  try {
    return { ok: true, value: await trial.guard.watchOver(name, action) };
  } catch (error) {
    trial.findings.add(check, subject, `${name} throws: ${firstLine(error)}`);
    return { ok: false };
  } finally {
    tellSlow(trial, name, subject, start);
  }
}

function tellSlow({ findings, callMs }: Trial, name: string, subject: string, start: NodeJS.CpuUsage): void {
  const { user, system } = process.cpuUsage(start);
  const usedMs = Math.round((user + system) / 1000);
  if (usedMs > callMs) {
    findings.add('bounds', subject, `${name} took ${usedMs} ms of processor time; ${callMs} ms is the most`);
  }
}

export function breachReason({ call: name, reached }: Breach): string {
  return `${name} uses ${reached}`;
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split(/\r?\n/)[0]?.slice(0, 300) ?? '';
}

/** As it would look in a file: fixtures know no undefined. */
export function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown;
}
