import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BridgeProcess, eventually, filesIn, PROJECT } from '../e2e/bridge-process.ts';
import { leadRequest, writeDealership } from '../e2e/dealership.ts';
import { schemaFaults } from '../web/live-agent.ts';
import { aapErrorOf, callTool, httpClient, openClient } from './mcp-client.ts';

const PROGRAM = join(PROJECT, 'bin', 'dealer-bridge.mjs');

const bridge = new BridgeProcess({
  configFile: writeDealership(`    - id: pickup
      adapter: adf-file
      options: { folder: pickup }`),
});
beforeAll(() => bridge.start());
afterAll(() => bridge.dispose());

function host(): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, 'mcp', '--url', bridge.url],
    stderr: 'ignore',
  });
}

interface Ended {
  code: number;
  out: string;
  err: string;
}

/** Runs the command as a pipe, and closes its input after these lines. */
async function pipe(lines: readonly string[], url = bridge.url): Promise<Ended> {
  const child = spawn(process.execPath, [PROGRAM, 'mcp', '--url', url]);
  const ended: Ended = { code: -1, out: '', err: '' };
  child.stdout.on('data', (chunk: Buffer) => (ended.out += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (ended.err += chunk.toString()));
  // A command that has refused to start reads nothing.
  child.stdin.on('error', () => undefined);
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  [ended.code] = (await once(child, 'close')) as [number];
  return ended;
}

function lead(last_name: string): object {
  const customer = { first_name: 'Anna', last_name, email: `${last_name}@example.com` };
  const { type: _type, ...rest } = leadRequest({ customer }) as Record<string, unknown>;
  return rest;
}

async function deliveredFile(last_name: string): Promise<string> {
  return eventually(`the lead of ${last_name} is in the destination's folder`, async () => {
    // Others are still being written.
    for (const name of (await filesIn(bridge.path('pickup'))).filter((found) => found.endsWith('.xml'))) {
      const text = await readFile(bridge.path('pickup', name), 'utf8');
      if (text.includes(`>${last_name}<`)) return text;
    }
    return undefined;
  });
}

describe('the command', () => {
  it('serves all five tools over standard input and output, and a lead reaches its destination', async () => {
    const client = await openClient(host());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'aap_dealer_information',
      'aap_inventory_facets',
      'aap_inventory_search',
      'aap_inventory_vehicle',
      'aap_lead_submit',
    ]);
    const information = await callTool(client, 'aap_dealer_information');
    expect(information.structuredContent).toMatchObject({ data: { name: 'One Store Motors' } });
    expect(schemaFaults('dealer-information-response', information.structuredContent)).toBeNull();
    expect((await callTool(client, 'aap_inventory_facets')).isError).toBeUndefined();
    expect((await callTool(client, 'aap_inventory_search')).structuredContent).toMatchObject({
      data: { total: 0 },
    });
    const unknown = await callTool(client, 'aap_inventory_vehicle', { stock: 'none' });
    expect(aapErrorOf(unknown)).toMatchObject({
      type: 'aap.error',
      code: 'VEHICLE_NOT_FOUND',
      retryable: false,
    });
    const sent = await callTool(client, 'aap_lead_submit', lead('Stdio'));
    expect(sent.structuredContent).toMatchObject({
      type: 'lead.submit.response',
      data: { status: 'received' },
    });
    expect(await deliveredFile('Stdio')).toContain('<adf>');
    await client.close();
  });

  it('serves the same tools as the endpoint, whose leads go the same way', async () => {
    const [near, far] = await Promise.all([openClient(host()), httpClient(bridge.url)]);
    expect((await near.listTools()).tools).toEqual((await far.listTools()).tools);
    expect((await callTool(far, 'aap_lead_submit', lead('Http'))).structuredContent).toMatchObject({
      data: { status: 'received' },
    });
    expect(await deliveredFile('Http')).toContain('<adf>');
    await Promise.all([near.close(), far.close()]);
  });

  it('tells all faults at once without asking the agent, and does not ask for another skill', async () => {
    const client = await openClient(host());
    const given = { type: 'inventory.facets.request', filters: { make: 'Honda' }, color: 1 };
    const error = aapErrorOf(await callTool(client, 'aap_inventory_search', given));
    expect(error.code).toBe('SCHEMA_VALIDATION_FAILED');
    expect(error.details?.errors?.map(({ instanceLocation }) => instanceLocation).sort()).toEqual([
      '/color',
      '/filters/make',
      '/type',
    ]);
    await expect(callTool(client, 'nope')).rejects.toMatchObject({ code: -32602 });
    await client.close();
  });

  it('writes nothing but messages, whatever comes in, and ends when its input ends', async () => {
    const params = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const { code, out, err } = await pipe([
      JSON.stringify({ jsonrpc: '2.0', id: 'a', method: 'initialize', params }),
      JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      'no message at all',
      '{"jsonrpc":"1.0"}',
      '',
      JSON.stringify({
        jsonrpc: '2.0',
        id: 'b',
        method: 'tools/call',
        params: { name: 'aap_inventory_search' },
      }),
      JSON.stringify({ jsonrpc: '2.0', id: 'c', method: 'resources/list' }),
    ]);
    expect(code).toBe(0);
    const replies = out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as { jsonrpc: string; id: string; error?: { code: number } });
    expect(replies.map(({ jsonrpc, id }) => `${jsonrpc} ${id}`).sort()).toEqual(['2.0 a', '2.0 b', '2.0 c']);
    expect(replies.find(({ id }) => id === 'c')?.error?.code).toBe(-32601);
    expect(err).toContain('tools of One Store Motors');
    expect(err).toContain('no MCP message');
  });

  it('tells arguments that are no object as the endpoint does', async () => {
    const call = (id: string, given: unknown): string => {
      const params = { name: 'aap_inventory_search', arguments: given };
      return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params });
    };
    const { out } = await pipe([
      call('list', []),
      call('null', null),
      '{"jsonrpc":"2.0","id":"bare","method":"initialize"}',
    ]);
    const replies = out.split('\n').slice(0, -1);
    const replyTo = (id: string): unknown =>
      replies.map((line) => JSON.parse(line) as { id: string }).find((reply) => reply.id === id);
    expect(replyTo('list')).toMatchObject({
      result: {
        isError: true,
        content: [{ text: expect.stringContaining('SCHEMA_VALIDATION_FAILED') as string }],
      },
    });
    expect(replyTo('null')).toMatchObject({ result: { structuredContent: { data: { total: 0 } } } });
    expect(replyTo('bare')).toMatchObject({
      error: { code: -32602, message: expect.stringMatching(/^Invalid params: [^\n{[]+$/) as string },
    });
  });

  it('says so and ends when no agent is there', async () => {
    const { code, out, err } = await pipe([], 'http://127.0.0.1:1');
    expect([code, out]).toEqual([3, '']);
    expect(err).toContain('can not be reached');
  });
});

it('a bridge that has gone meanwhile is a refusal to try again later', async () => {
  const second = new BridgeProcess({ configFile: bridge.configFile });
  await second.start();
  const client = await openClient(
    new StdioClientTransport({
      command: process.execPath,
      args: [PROGRAM, 'mcp', '--url', second.url],
      stderr: 'ignore',
    }),
  );
  expect((await callTool(client, 'aap_dealer_information')).isError).toBeUndefined();
  await second.dispose();
  const error = aapErrorOf(await callTool(client, 'aap_dealer_information'));
  expect(error).toMatchObject({ code: 'INTERNAL_ERROR', retryable: true });
  expect(error.message).toContain('cannot be reached right now');
  await client.close();
});
