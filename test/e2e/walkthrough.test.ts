import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { XMLParser } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BridgeProcess,
  eventually,
  filesIn,
  payloadOf,
  PROJECT,
  type JsonRpcReply,
} from './bridge-process.ts';

/** The demo dealership as it comes, tried as a newcomer would: start, ask, drop a file, send a lead. */

const bridge = new BridgeProcess();
const sample = (...parts: string[]): string => join(PROJECT, 'samples', ...parts);

async function pasted(name: string): Promise<JsonRpcReply> {
  const response = await bridge.post(readFileSync(sample('requests', name), 'utf8'));
  expect(response.status).toBe(200);
  return (await response.json()) as JsonRpcReply;
}

async function total(filters: object): Promise<number> {
  const reply = await bridge.ask({ type: 'inventory.search.request', filters, pagination: { limit: 1 } });
  return payloadOf(reply).data.total as number;
}

beforeAll(async () => {
  await bridge.start();
});
afterAll(async () => {
  await bridge.dispose();
});

describe('the demo dealership', () => {
  it('prints where to find it and has the sample feeds on the lot', async () => {
    expect(bridge.output).toContain('/.well-known/agent-card.json');
    expect(bridge.output).toContain(bridge.path('inbox', 'harbor-homenet'));
    expect(bridge.output).toContain(bridge.path('outgoing-leads'));
    expect(await total({})).toBe(205);
    expect(await total({ rooftops: ['Harbor Point Motors'] })).toBe(92);
    expect(await total({ rooftops: ['Cedar Ridge Auto Center'] })).toBe(62);
    expect(await total({ rooftops: ['Lakeview Pre-Owned'] })).toBe(51);
    expect(await total({ vehicle_type: ['motorcycle'] })).toBe(18);
  });

  it('serves its card and its health', async () => {
    const card = (await (await fetch(`${bridge.url}/.well-known/agent-card.json`)).json()) as {
      supportedInterfaces: { url: string; protocolBinding: string; protocolVersion: string }[];
      skills: { id: string }[];
    };
    expect(card.supportedInterfaces[0]).toEqual({
      url: `${bridge.url}/a2a`,
      protocolBinding: 'JSONRPC',
      protocolVersion: '1.0',
    });
    expect(card.skills.map((skill) => skill.id)).toEqual([
      'dealer.information',
      'inventory.facets',
      'inventory.search',
      'inventory.vehicle',
      'lead.submit',
    ]);
    expect((await fetch(`${bridge.adminUrl}/health/live`)).status).toBe(200);
    expect((await fetch(`${bridge.adminUrl}/health/ready`)).status).toBe(200);
    const health = (await (await fetch(`${bridge.adminUrl}/health`)).json()) as {
      lot: { vehicles: number };
    };
    expect(health.lot.vehicles).toBe(205);
  });

  it('answers the five requests of the protocol pages as they stand there', async () => {
    const information = payloadOf(await pasted('information.json'));
    expect(information.data.name).toBe('Harbor Point Auto Group');
    expect(information.data.rooftops).toHaveLength(3);

    const facets = payloadOf(await pasted('facets.json'));
    expect(facets.data.conditions).toEqual([{ value: 'used', count: await total({ condition: ['used'] }) }]);

    const search = payloadOf(await pasted('search.json'));
    const found = search.data.vehicles as Record<string, unknown>[];
    expect(found).toContainEqual(
      expect.objectContaining({
        vin: '1HGCY2F57RA000001',
        stock: 'T12345',
        year: 2022,
        make: 'Honda',
        model: 'Civic',
        trim: 'EX',
        condition: 'cpo',
        status: 'available',
        list_price: 24990,
        price: 26780,
        fees: [
          { name: 'Documentation fee', amount: 500 },
          { name: 'Pre-installed theft protection', amount: 1290 },
        ],
        inventory_date: '2026-04-12',
        rooftop: 'Lakeview Pre-Owned',
      }),
    );

    const rooftopNames = (information.data.rooftops as { name: string }[]).map(({ name }) => name);
    for (const { rooftop, updated_at } of found) {
      expect(rooftopNames).toContain(rooftop);
      expect(updated_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    }

    const vehicle = payloadOf(await pasted('vehicle.json'));
    expect(vehicle.data).toMatchObject({
      vin: '1HGCY2F57RA000001',
      msrp: 26500,
      city_mpg: 31,
      highway_mpg: 40,
    });

    const lead = payloadOf(await pasted('lead.json'));
    expect(lead.data).toMatchObject({
      status: 'received',
      appointment: { status: 'requested' },
      dealer: { name: 'Lakeview Pre-Owned' },
    });

    const files = await eventually('the lead lies in the pick-up folder', async () => {
      const names = (await filesIn(bridge.path('outgoing-leads'))).filter((name) => name.endsWith('.xml'));
      return names.length > 0 ? names : undefined;
    });
    expect(files).toHaveLength(1);
    const file = bridge.path('outgoing-leads', files[0]!);
    const adf = await readFile(file, 'utf8');
    expect(adf.startsWith('<?xml version="1.0"')).toBe(true);
    const prospect = new XMLParser({
      ignoreAttributes: false,
      parseTagValue: false,
      parseAttributeValue: false,
    }).parse(adf).adf.prospect;
    expect(prospect.id['#text']).toBe(lead.data.lead_id);
    expect(prospect.vehicle[0]).toMatchObject({
      '@_interest': 'test-drive',
      '@_status': 'used',
      vin: '1HGCY2F57RA000001',
      stock: 'T12345',
    });
    expect(prospect.vehicle[1]).toMatchObject({
      '@_interest': 'trade-in',
      '@_status': 'used',
      condition: 'good',
    });
    expect(prospect.vendor.vendorname).toBe('Lakeview Pre-Owned');
    expect(prospect.provider.name['#text']).toBe('chatgpt-shopping');
    if (xmllintIsThere()) {
      execFileSync('xmllint', [
        '--noout',
        '--dtdvalid',
        join(PROJECT, 'schemas', 'adf', 'adf-emit.dtd'),
        file,
      ]);
    } else {
      process.stderr.write('xmllint is not installed: the lead is not checked against the DTD here\n');
    }
  });

  it('takes in the next morning’s file: one sold, one cheaper, one new, one refused', async () => {
    const before = await bridge.ask({ type: 'inventory.vehicle.request', stock: 'U3102' });
    expect(payloadOf(before).data).toMatchObject({ list_price: 35995, price: 36384 });

    copyFileSync(
      sample('feeds', 'harbor-homenet-next-day.csv'),
      bridge.path('inbox', 'harbor-homenet', 'monday morning.csv'),
    );
    const names = await eventually('the file is in done/', async () => {
      const found = (await filesIn(bridge.path('done', 'harbor-homenet'))).filter((name) =>
        name.includes('monday'),
      );
      return found.some((name) => name.endsWith('monday morning.csv')) ? found : undefined;
    });
    expect(await filesIn(bridge.path('inbox', 'harbor-homenet'))).toEqual([]);

    const folder = bridge.path('done', 'harbor-homenet');
    const reportFile = names.find((name) => name.endsWith('.report.json'))!;
    const report = JSON.parse(await readFile(join(folder, reportFile), 'utf8'));
    expect(report).toMatchObject({
      status: 'partial',
      rows: 93,
      accepted: 92,
      rejected: 1,
      added: 1,
      changed: 1,
      unchanged: 90,
      removed: 1,
    });
    const text = await readFile(
      join(
        folder,
        names.find((name) => name.endsWith('.report.txt'))!,
      ),
      'utf8',
    );
    expect(text).toContain('JM3PWAT23RO130002');
    expect(text).toContain('line 94');

    await eventually('the new lot is served', async () => {
      const now = await bridge.ask({ type: 'inventory.vehicle.request', stock: 'U3102' });
      return payloadOf(now).data.list_price === 34995 ? true : undefined;
    });
    const sold = await bridge.ask({ type: 'inventory.vehicle.request', vin: '5YJ9BEN22J7120100' });
    expect(sold.error).toMatchObject({
      code: -32000,
      data: { code: 'VEHICLE_UNAVAILABLE', retryable: false },
    });
    await eventually('the sold one has left the search', async () =>
      (await total({ vin: '5YJ9BEN22J7120100' })) === 0 ? true : undefined,
    );
    expect(await total({})).toBe(205);
    expect(await total({ vin: '5TFJCY3B8MG130001' })).toBe(1);
  });

  it('stops at a signal, and what it knew is there again at the next start', async () => {
    expect(await bridge.stop('SIGTERM')).toBe(0);
    await bridge.start();
    expect(await total({})).toBe(205);
    expect(await filesIn(bridge.path('outgoing-leads'))).toHaveLength(1);
  });
});

function xmllintIsThere(): boolean {
  try {
    execFileSync('xmllint', ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
