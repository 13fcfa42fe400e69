import type { Probe } from './probe.ts';

/** How a check ended. `expected` and `came` are for a person who has to mend the agent. */
export type Finding =
  | { outcome: 'passed' }
  | { outcome: 'failed'; expected: string; came: string }
  | { outcome: 'skipped'; reason: string };

/** One promise of docs/protocol.md, tried on a live agent. */
export interface Check {
  /** The promise's id in docs/protocol.md. */
  id: string;
  /** What the agent should do. */
  promise: string;
  run: (probe: Probe) => Promise<Finding>;
}

export const PASSED: Finding = { outcome: 'passed' };

const LONGEST_SHOWN = 300;

export function failed(expected: string, came: unknown): Finding {
  const text = typeof came === 'string' ? came : JSON.stringify(came ?? null);
  return {
    outcome: 'failed',
    expected,
    came: text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text,
  };
}

export function skipped(reason: string): Finding {
  return { outcome: 'skipped', reason };
}

/** Passed, or what came instead. */
export function expectThat(holds: boolean, expected: string, came: unknown): Finding {
  return holds ? PASSED : failed(expected, came);
}

/** The first that has not passed. */
export function allOf(...findings: readonly Finding[]): Finding {
  return findings.find(({ outcome }) => outcome !== 'passed') ?? PASSED;
}

/** Each of the faults is a failure of its own; all are told at once. */
export function noFaults(expected: string, faults: readonly string[]): Finding {
  return expectThat(faults.length === 0, expected, faults.join('; '));
}
