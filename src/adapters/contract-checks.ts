import type { Problem } from '../model/problem.ts';
import { isLink, readManifest, type AdapterManifest } from './adapter-folder.ts';
import { CHECKS, CHECKS_OF, type CheckId } from './checks/check-list.ts';
import { runTrial, type TrialResult } from './checks/trial-process.ts';
import { firstDifference } from './first-difference.ts';
import { adapterProblem } from './problems.ts';

interface CheckResult {
  check: CheckId;
  /** What holds when there are no problems. */
  title: string;
  problems: readonly Problem[];
}

export interface AdapterReport {
  /** Absent when adapter.json cannot be read. */
  manifest?: AdapterManifest;
  /** A check that could not be made is not among them: see the problems of the first. */
  results: readonly CheckResult[];
}

export interface CheckLimits {
  /** Most processor time of one call. */
  callMs: number;
  /** For all checks together. */
  totalMs: number;
  /** For one of them, waiting included; 20 s unless said otherwise. */
  stepMs?: number;
}

export const CHECK_LIMITS: CheckLimits = { callMs: 2000, totalMs: 120_000 };

/**
 * The contract checks: what every adapter must keep, ours and a vendor's alike. `folder` is an absolute path. The
 * adapter is tried in two processes of its own, the second on another day, in another time zone and language, and
 * their results are compared.
 */
export async function checkAdapter(
  folder: string,
  { callMs, totalMs, stepMs }: CheckLimits = CHECK_LIMITS,
): Promise<AdapterReport> {
  const manifest = await readManifest(folder);
  if (!manifest.ok) return { results: [notLoaded(manifest.problems)] };
  if (await isLink(folder)) {
    const problem = adapterProblem('ADAPTER_OUTSIDE_FOLDER', folder, { file: folder });
    return { manifest: manifest.value, results: [notLoaded([problem])] };
  }
  const { kind } = manifest.value;
  const [here, elsewhere] = await Promise.all(
    [false, true].map((onOtherDay) => runTrial({ folder, kind, onOtherDay, callMs }, totalMs, stepMs)),
  );
  const problems = here === undefined || elsewhere === undefined ? [] : problemsOf(folder, here, elsewhere);
  const loads = problems.filter(({ check }) => check === 'loads');
  if (loads.length > 0) {
    return { manifest: manifest.value, results: [notLoaded(loads.map(({ problem }) => problem))] };
  }
  const results = CHECKS_OF[kind].map((check) => ({
    check,
    title: CHECKS[check].title,
    problems: problems.filter((found) => found.check === check).map(({ problem }) => problem),
  }));
  return { manifest: manifest.value, results };
}

function notLoaded(problems: readonly Problem[]): CheckResult {
  return { check: 'loads', title: CHECKS.loads.title, problems };
}

function problemsOf(
  folder: string,
  here: TrialResult,
  elsewhere: TrialResult,
): { check: CheckId; problem: Problem }[] {
  const { stopped } = here;
  if (stopped !== undefined) {
    const reason = `${stopped.step}: ${stopped.reason}. The checks after it were not made`;
    return [
      ...here.findings,
      { check: 'bounds', problem: adapterProblem('ADAPTER_TOO_SLOW', folder, { reason }) },
    ];
  }
  const difference = differenceBetween(here, elsewhere);
  if (difference === undefined) return here.findings;
  const problem = adapterProblem('ADAPTER_NOT_REPEATABLE', folder, { reason: difference });
  return [...here.findings, { check: 'repeats', problem }];
}

function differenceBetween(here: TrialResult, elsewhere: TrialResult): string | undefined {
  const known = new Set(elsewhere.findings.map(({ problem }) => problem.message));
  if (elsewhere.stopped !== undefined) {
    return `on another day and machine: ${elsewhere.stopped.step}: ${elsewhere.stopped.reason}`;
  }
  for (const [name, result] of here.results) {
    const other = elsewhere.results.get(name);
    if (other === undefined)
      return `${name} gives nothing on another day and machine: ${[...known].join(' ')}`;
    if (other === result) continue;
    const place = firstDifference(JSON.parse(other), JSON.parse(result));
    return `${name} gives something else on another day, in another time zone or language, at ${place}`;
  }
  return undefined;
}
