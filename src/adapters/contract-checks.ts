import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { LeadDocument } from '../model/lead.ts';
import type { Problem } from '../model/problem.ts';
import { readJson, reasonOf } from './adapter-folder.ts';
import type { Delivery } from './crm-adapter.ts';
import { ATTEMPT_OUTCOMES } from './contract-outcomes.ts';
import { firstDifference } from './first-difference.ts';
import { loadCrmAdapter, type LoadedCrmAdapter } from './loader.ts';
import { onAnotherDay } from './other-day.ts';
import { adapterProblem } from './problems.ts';

/**
 * The contract checks: what every CRM adapter must keep, ours and a vendor's alike. Each fixture is a
 * `<name>.lead.json` (a LeadDocument), an optional `<name>.options.json` and the `<name>.delivery.json` that
 * `build` must give for them. Empty answer = the adapter keeps the contract.
 */
export async function checkCrmAdapter(folder: string): Promise<Problem[]> {
  const loaded = await loadCrmAdapter(folder);
  if (!loaded.ok) return [...loaded.problems];
  const fixtures = join(folder, 'fixtures');
  const names = await fixtureNames(fixtures);
  if (names.length === 0) {
    const facts = { fixture: '*.lead.json', reason: 'there is none' };
    return [adapterProblem('ADAPTER_FIXTURE_INVALID', fixtures, facts)];
  }
  const problems: Problem[] = [];
  for (const name of names) problems.push(...(await checkFixture(loaded.value, fixtures, name)));
  return problems;
}

interface Fixture {
  name: string;
  folder: string;
  lead: LeadDocument;
  options: unknown;
  expected: unknown;
}

const LEAD_ENDING = '.lead.json';

async function fixtureNames(folder: string): Promise<string[]> {
  try {
    const files = await readdir(folder);
    const leads = files.filter((file) => file.endsWith(LEAD_ENDING));
    return leads.map((file) => file.slice(0, -LEAD_ENDING.length)).sort();
  } catch {
    return [];
  }
}

async function checkFixture(adapter: LoadedCrmAdapter, folder: string, name: string): Promise<Problem[]> {
  const lead = await readJson(folder, `${name}${LEAD_ENDING}`);
  const expected = await readJson(folder, `${name}.delivery.json`);
  const hasOptions = (await readdir(folder)).includes(`${name}.options.json`);
  const options = hasOptions
    ? await readJson(folder, `${name}.options.json`)
    : { ok: true as const, value: {} };
  if (!lead.ok) return [...lead.problems];
  if (!expected.ok) return [...expected.problems];
  if (!options.ok) return [...options.problems];

  const fixture: Fixture = {
    name,
    folder,
    lead: deepFreeze(lead.value) as LeadDocument,
    options: options.value,
    expected: expected.value,
  };
  const faults = adapter.checkOptions(fixture.options);
  deepFreeze(fixture.options);
  if (faults.length > 0) {
    return faults.map((fault) => invalid(fixture, `options ${fault.pointer} ${fault.message}`));
  }
  return [
    ...checkOptions(adapter, fixture),
    ...checkBuild(adapter, fixture),
    ...checkClassify(adapter, fixture),
  ];
}

function checkOptions(adapter: LoadedCrmAdapter, fixture: Fixture): Problem[] {
  try {
    return adapter.crm
      .check(fixture.options)
      .map((problem) => invalid(fixture, `check refuses its options: ${problem.message}`));
  } catch (error) {
    return [broken(adapter, fixture, `check throws: ${reasonOf(error)}`)];
  }
}

/** Exact output, no memory between calls, no clock, no hand on the lead it was given. */
function checkBuild(adapter: LoadedCrmAdapter, fixture: Fixture): Problem[] {
  try {
    const build = (): Delivery => adapter.crm.build(fixture.lead, fixture.options);
    const delivery = plain(build());
    if (!isDeepStrictEqual(delivery, fixture.expected)) {
      const difference = firstDifference(delivery, fixture.expected);
      const facts = { fixture: fixture.name, difference };
      return [adapterProblem('ADAPTER_FIXTURE_DIFFERS', fixture.folder, facts)];
    }
    if (!isDeepStrictEqual(plain(build()), delivery)) {
      return [broken(adapter, fixture, 'build gives another result the second time')];
    }
    if (!isDeepStrictEqual(plain(onAnotherDay(build)), delivery)) {
      return [broken(adapter, fixture, 'what build gives depends on the clock')];
    }
    return [];
  } catch (error) {
    return [broken(adapter, fixture, `build throws: ${reasonOf(error)}`)];
  }
}

function checkClassify(adapter: LoadedCrmAdapter, fixture: Fixture): Problem[] {
  const problems: Problem[] = [];
  for (const outcome of ATTEMPT_OUTCOMES) {
    try {
      const fault = verdictFault(adapter.crm.classify(deepFreeze(structuredClone(outcome)), fixture.options));
      if (fault === undefined) continue;
      problems.push(broken(adapter, fixture, `classify answers ${JSON.stringify(outcome)} with ${fault}`));
    } catch (error) {
      const reason = `classify throws on ${JSON.stringify(outcome)}: ${reasonOf(error)}`;
      problems.push(broken(adapter, fixture, reason));
    }
  }
  return problems;
}

function verdictFault(verdict: unknown): string | undefined {
  if (typeof verdict !== 'object' || verdict === null) return 'no verdict';
  const { state, reason, reference, pauseDestination, retryAfterMs } = verdict as Record<string, unknown>;
  if (!['delivered', 'rejected', 'retry', 'uncertain'].includes(String(state))) return 'an unknown state';
  if (typeof reason !== 'string' || reason.trim() === '') return 'no reason';
  if (reference !== undefined && typeof reference !== 'string') return 'a reference that is no text';
  if (pauseDestination !== undefined && typeof pauseDestination !== 'boolean') {
    return 'a pauseDestination that is neither true nor false';
  }
  if (retryAfterMs === undefined) return undefined;
  const isWait = typeof retryAfterMs === 'number' && Number.isFinite(retryAfterMs) && retryAfterMs >= 0;
  return isWait ? undefined : 'a retryAfterMs that is no wait';
}

/** As it would look in a file: fixtures know no undefined. */
function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null)) as unknown;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}

function invalid(fixture: Fixture, reason: string): Problem {
  return adapterProblem('ADAPTER_FIXTURE_INVALID', fixture.folder, { fixture: fixture.name, reason });
}

function broken(adapter: LoadedCrmAdapter, fixture: Fixture, reason: string): Problem {
  const facts = { file: `fixture ${fixture.name}`, reason };
  return adapterProblem('ADAPTER_CONTRACT_BROKEN', adapter.folder, facts);
}
