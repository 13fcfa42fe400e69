import { writeSync } from 'node:fs';
import { loadCrmAdapter, loadFeedReaderFolder } from '../loader.ts';
import { checkCrm } from './crm-checks.ts';
import { Findings } from './findings.ts';
import { PurityGuard } from './purity-guard.ts';
import { checkReader } from './reader-checks.ts';
import { breachReason, type Trial } from './trial.ts';
import type { TrialMessage, TrialRequest } from './trial-process.ts';

/**
 * One run of the checks in a process of its own (trial-process.ts starts it): an adapter that never comes back or
 * ends the process takes only this one along.
 */
const RESULTS = 3;

const request = JSON.parse(process.argv[2] ?? '') as TrialRequest;
const write = writeSync;
const tell = (message: TrialMessage): void => {
  // The other end counts the separators of lines and paragraphs as line ends, too.
  const line = JSON.stringify(message).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
  const bytes = Buffer.from(`${line}\n`);
  for (let written = 0; written < bytes.length;) written += write(RESULTS, bytes, written);
};

// Before the adapter is imported: what it keeps of the language's functions must be the watched ones.
const guard = new PurityGuard({ onOtherDay: request.onOtherDay });
const findings = new Findings(request.folder);
const trial: Trial = {
  guard,
  findings,
  callMs: request.callMs,
  step: (step) => tell({ step }),
  keep: (name, result) => tell({ name, result }),
};

trial.step('importing the code');
if (request.kind === 'crm') {
  const loaded = await loadCrmAdapter(request.folder);
  if (loaded.ok) await checkCrm(loaded.value, trial);
  else findings.addProblems('loads', loaded.problems);
} else {
  const loaded = await loadFeedReaderFolder(request.folder);
  if (loaded.ok) await checkReader(loaded.value, trial);
  else findings.addProblems('loads', loaded.problems);
}
for (const breach of guard.breaches) findings.add('pure', '', breachReason(breach));
tell({ findings: findings.all() });
