import type { AgentCard } from '../agent-card.ts';
import { AgentFault } from '../agent-fault.ts';
import { CARD_CHECKS } from './card-checks.ts';
import { failed, skipped, type Check, type Finding } from './check.ts';
import { ENVELOPE_CHECKS } from './envelope-checks.ts';
import { ERROR_CHECKS } from './error-checks.ts';
import { HEADER_CHECKS } from './header-checks.ts';
import { JSON_RPC_CHECKS } from './json-rpc-checks.ts';
import { LEAD_CHECKS } from './lead-checks.ts';
import { NotChecked, Probe, type ProbeOptions } from './probe.ts';
import { SEARCH_CHECKS } from './search-checks.ts';
import { SKILL_CHECKS } from './skill-checks.ts';

export const THEMES: readonly { name: string; checks: readonly Check[] }[] = [
  { name: 'Card', checks: CARD_CHECKS },
  { name: 'HTTP and A2A headers', checks: HEADER_CHECKS },
  { name: 'JSON-RPC', checks: JSON_RPC_CHECKS },
  { name: 'Messages', checks: ENVELOPE_CHECKS },
  { name: 'Errors', checks: ERROR_CHECKS },
  { name: 'Skills', checks: SKILL_CHECKS },
  { name: 'Search', checks: SEARCH_CHECKS },
  { name: 'Leads', checks: LEAD_CHECKS },
];

export interface CheckResult {
  theme: string;
  id: string;
  promise: string;
  finding: Finding;
}

/** Runs the checks, of all promises or those named, one call at a time. An agent that is gone in between fails. */
export async function runChecks(
  agent: AgentCard,
  options: ProbeOptions,
  only?: readonly string[],
): Promise<{ results: CheckResult[]; calls: number }> {
  const probe = new Probe(agent, options);
  const results: CheckResult[] = [];
  for (const { name, checks } of THEMES) {
    for (const check of checks) {
      const { id, promise } = check;
      if (only !== undefined && !only.includes(id)) continue;
      results.push({ theme: name, id, promise, finding: await runCheck(check, probe) });
    }
  }
  return { results, calls: probe.calls };
}

async function runCheck(check: Check, probe: Probe): Promise<Finding> {
  try {
    return await check.run(probe);
  } catch (fault) {
    if (fault instanceof NotChecked) return skipped(fault.message);
    if (fault instanceof AgentFault) return failed('an answer', fault.message);
    throw fault;
  }
}
