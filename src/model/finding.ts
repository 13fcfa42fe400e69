import type { Alert } from './alert.ts';

/**
 * One thing that was looked at. `warn` wants a person some day soon, `fail` now. What is not well is an alert as well,
 * so that the health page and the messages say the same of the same things.
 */
export type Finding = { key: string; status: 'ok'; text: string } | Trouble;

export interface Trouble extends Alert {
  status: 'warn' | 'fail';
}

export type FindingStatus = Finding['status'];

/** As bad as the worst. */
export function worstOf(findings: readonly Finding[]): FindingStatus {
  if (findings.some(({ status }) => status === 'fail')) return 'fail';
  return findings.some(({ status }) => status === 'warn') ? 'warn' : 'ok';
}

export function isTrouble(finding: Finding): finding is Trouble {
  return finding.status !== 'ok';
}
