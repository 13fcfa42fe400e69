import { cpSync, mkdtempSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runBridge } from '../cli/bridge-command.ts';
import { BridgeProcess, eventually, payloadOf, PROJECT } from './bridge-process.ts';
import { leadRequest, writeDealership } from './dealership.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

interface Asked {
  url: string;
  authorization: string;
  body: string;
}

/** Larkspur as docs/adapters.md describes it: tokens, and 200 to everything; `answers` are given one by one. */
async function larkspur(answers: object[]): Promise<{ origin: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { url = '', headers } = request;
      asked.push({ url, authorization: headers.authorization ?? '', body });
      const leads = asked.filter(({ url: path }) => path.endsWith('/leads')).length;
      const answer =
        url === '/oauth/token'
          ? { access_token: 'token-1', token_type: 'Bearer', expires_in: 3600 }
          : answers[Math.min(leads, answers.length) - 1];
      response.setHeader('Content-Type', 'application/json').end(JSON.stringify(answer));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

/** The bridge with the tutorial's adapter in the data folder, as a vendor's customer has it. */
async function bridgeAt(origin: string): Promise<BridgeProcess> {
  const bridge = new BridgeProcess({
    dataFolder: mkdtempSync(join(tmpdir(), 'bridge-')),
    configFile: writeDealership(`    - id: crm
      adapter: larkspur
      retry: { first_seconds: 1, max_minutes: 1 }
      options:
        dealer_code: HB0042
        client_id: bridge-hb0042
        client_secret: "\${env:LARKSPUR_SECRET}"
        api_url: ${origin}/v2
        token_url: ${origin}/oauth/token`),
    environment: { LARKSPUR_SECRET: 'secret-of-larkspur' },
  });
  closers.push(() => bridge.dispose());
  cpSync(join(PROJECT, 'adapters/templates/crm/larkspur'), bridge.path('adapters/crm/larkspur'), {
    recursive: true,
  });
  await bridge.start();
  return bridge;
}

async function shown(bridge: BridgeProcess, leadId: string): Promise<string> {
  const words = ['leads', 'show', leadId, '--config', bridge.configFile, '--data', bridge.dataFolder];
  return (await runBridge(words, { env: bridge.environment })).out;
}

describe('a vendor’s adapter in the data folder', () => {
  it('hands the lead over with a token, tries again after a 200 that says busy, and keeps the reference', async () => {
    const { origin, asked } = await larkspur([
      { result: 'error', error: { code: 'BUSY', retryAfterSeconds: 0 } },
      { result: 'ok', lead: { id: 'LK-4711' } },
    ]);
    const bridge = await bridgeAt(origin);
    const leadId = payloadOf(await bridge.ask(leadRequest())).data.lead_id as string;
    const report = await eventually('the lead is delivered', async () => {
      const text = await shown(bridge, leadId);
      return text.includes('LK-4711') ? text : undefined;
    });
    expect(report).toContain('Larkspur is busy');
    expect(asked.map(({ url }) => url)).toEqual([
      '/oauth/token',
      '/v2/dealers/HB0042/leads',
      '/v2/dealers/HB0042/leads',
    ]);
    const [token, first, second] = asked;
    const login = Buffer.from('bridge-hb0042:secret-of-larkspur').toString('base64');
    expect(token?.authorization).toBe(`Basic ${login}`);
    expect(new URLSearchParams(token?.body).get('grant_type')).toBe('client_credentials');
    expect(first?.authorization).toBe('Bearer token-1');
    expect(second?.body).toBe(first?.body);
    expect(JSON.parse(first?.body ?? '')).toMatchObject({
      externalId: leadId,
      kind: 'sales',
      source: 'test-agent',
      person: { firstName: 'Anna', lastName: 'Lee', mayBeContactedBy: ['email', 'phone'] },
      note: 'Do you have snow tires?',
    });
    expect(await bridge.log()).not.toContain('secret-of-larkspur');
  });

  it('rejects a lead for a 200 that refuses a field', async () => {
    const { origin, asked } = await larkspur([
      { result: 'error', error: { code: 'INVALID_FIELD', text: 'Lee' } },
    ]);
    const bridge = await bridgeAt(origin);
    const leadId = payloadOf(await bridge.ask(leadRequest())).data.lead_id as string;
    const report = await eventually('the lead is rejected', async () => {
      const text = await shown(bridge, leadId);
      return text.includes('INVALID_FIELD') ? text : undefined;
    });
    expect(report).toContain('rejected');
    expect(asked).toHaveLength(2);
  });
});
