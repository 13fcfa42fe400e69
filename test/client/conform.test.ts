import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readCard, resolveCard } from '../../src/client/agent-card.ts';
import type { Check, Finding } from '../../src/client/conform/check.ts';
import { Probe } from '../../src/client/conform/probe.ts';
import { runChecks, THEMES } from '../../src/client/conform/run-checks.ts';
import { BridgeProcess } from '../e2e/bridge-process.ts';
import { CONFORM_FAULTS } from './conform-faults.ts';
import { TamperingAgent } from './tampering-agent.ts';

/** The demo dealership, and before it an agent that can be made to do wrong. */
const bridge = new BridgeProcess();
let wrong: TamperingAgent;

const CHECKS = THEMES.flatMap(({ checks }) => [...checks]);
const TIMEOUT = { timeoutMs: 30_000 };

beforeAll(async () => {
  await bridge.start();
  wrong = await new TamperingAgent(bridge.url).open();
});
afterAll(async () => {
  wrong.close();
  await bridge.dispose();
});

const seenFailing = new Set<Check>();

/** How the checks of one promise end on an agent with a fault. */
async function findingsOf(id: string): Promise<Finding[]> {
  const agent = await resolveCard({ url: wrong.origin, ...TIMEOUT });
  const probe = new Probe(agent, { ...TIMEOUT, withLeads: true });
  const findings: Finding[] = [];
  for (const check of CHECKS.filter((one) => one.id === id)) {
    const finding = await check.run(probe);
    if (finding.outcome === 'failed') seenFailing.add(check);
    findings.push(finding);
  }
  return findings;
}

describe('the checks of a live agent', () => {
  it('all pass on the demo dealership, in a polite number of calls', async () => {
    wrong.fault = {};
    const agent = await resolveCard({ url: wrong.origin, ...TIMEOUT });
    const { results, calls } = await runChecks(agent, { ...TIMEOUT, withLeads: true });
    expect(results.filter(({ finding }) => finding.outcome !== 'passed')).toEqual([]);
    expect(results).toHaveLength(CHECKS.length);
    expect(calls).toBeLessThanOrEqual(120);
  });

  it('send no lead unless asked to', async () => {
    wrong.fault = {};
    const skills: unknown[] = [];
    wrong.fault.call = (call) => skills.push(call?.params?.message?.parts?.[0]?.data?.type);
    const agent = await resolveCard({ url: wrong.origin, ...TIMEOUT });
    const { results } = await runChecks(agent, { ...TIMEOUT, withLeads: false });
    expect(skills).toContain('inventory.search.request');
    expect(skills).not.toContain('lead.submit.request');
    expect(results.filter(({ finding }) => finding.outcome === 'skipped').map(({ id }) => id)).toEqual([
      'ERR-08',
      'ERR-09',
      'LEAD-02',
      'LEAD-03',
    ]);
  });

  it.each(CONFORM_FAULTS)('%s is broken where %s', async (id, _what, fault) => {
    wrong.fault = fault;
    const findings = await findingsOf(id);
    const failures = findings.filter(({ outcome }) => outcome === 'failed');
    expect(failures).not.toEqual([]);
    for (const finding of failures) {
      expect(finding).toMatchObject({ expected: expect.stringMatching(/\w/), came: expect.any(String) });
    }
  });

  it('CARD-03 is broken where the endpoint is not encrypted', async () => {
    wrong.fault = {};
    const agent = await resolveCard({ url: wrong.origin, ...TIMEOUT });
    const endpoint = new URL('http://dealer.example/a2a');
    const check = CHECKS.find(({ id }) => id === 'CARD-03')!;
    const finding = await check.run(new Probe({ ...agent, endpoint }, { ...TIMEOUT, withLeads: false }));
    expect(finding).toMatchObject({ outcome: 'failed', came: 'http://dealer.example/a2a' });
  });

  it('can each fail', () => {
    const unbreakable = CHECKS.filter((check) => check.id !== 'CARD-03' && !seenFailing.has(check));
    expect(unbreakable.map(({ id, promise }) => `${id} ${promise}`)).toEqual([]);
  });

  it('stand in docs/protocol.md, and whatever can be asked from outside there has a check', () => {
    const page = readFileSync(new URL('../../docs/protocol.md', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/^\| ([A-Z]+-\d+) +\|.*$/gm)].map(([row, id]) => ({ id, row }));
    const ids = new Set(CHECKS.map(({ id }) => id));
    expect([...ids].filter((id) => !rows.some((row) => row.id === id))).toEqual([]);
    const live = rows.filter(({ row }) => /\| live +\|/.test(row)).map(({ id }) => id!);
    expect(live.filter((id) => !ids.has(id))).toEqual([]);
  });

  it('are skipped where the agent asks for a token', async () => {
    wrong.fault = {
      answer: (answer) => {
        answer.status = 401;
        answer.text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"token"}}';
      },
    };
    const [finding] = await runChecksOf('RPC-15');
    expect(finding).toEqual({ outcome: 'skipped', reason: 'the agent asks for a token (HTTP 401)' });
  });

  it('wait once for an agent that asks for patience', async () => {
    let calls = 0;
    wrong.fault = {
      reply: (reply) => {
        calls += 1;
        if (calls > 1) return;
        delete reply.result;
        reply.error = {
          code: -32002,
          message: 'wait',
          data: { code: 'RATE_LIMITED', details: { retry_after_ms: 5 } },
        };
      },
    };
    expect(await runChecksOf('RPC-15')).toEqual([{ outcome: 'passed' }]);
    expect(calls).toBe(2);
  });

  it('leave out the skills that the agent does not offer', async () => {
    wrong.fault = {};
    const full = await resolveCard({ url: wrong.origin, ...TIMEOUT });
    const card = readCard({ ...full.card, skills: [{ id: 'inventory.facets' }] }, full.cardUrl);
    const { results } = await runChecks(card, { ...TIMEOUT, withLeads: true });
    const search = results.filter(({ theme }) => theme === 'Search');
    expect(search.map(({ finding }) => finding)).toEqual(
      search.map(() => ({ outcome: 'skipped', reason: 'the agent does not offer inventory.search' })),
    );
    expect(results.find(({ id }) => id === 'FAC-01')?.finding).toEqual({ outcome: 'passed' });
  });
});

async function runChecksOf(id: string): Promise<Finding[]> {
  const agent = await resolveCard({ url: wrong.origin, ...TIMEOUT });
  const { results } = await runChecks(agent, { ...TIMEOUT, withLeads: false }, [id]);
  return results.map(({ finding }) => finding);
}
