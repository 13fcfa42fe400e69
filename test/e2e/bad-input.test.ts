import { copyFileSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BridgeProcess, eventually, filesIn, payloadOf, PROJECT } from './bridge-process.ts';
import { writeDealership } from './dealership.ts';

const bridge = new BridgeProcess({
  configFile: writeDealership(`    - id: pickup
      adapter: adf-file
      options: { folder: pickup }`),
});
const cases = join(PROJECT, 'test', 'cases', 'feeds', 'quirks');
const HEADER = 'vin,stock,year,make,model,condition,list_price\n';
const GOOD = `${HEADER}1FTFW5L82TFA90101,HP2601,2026,Ford,F-150,new,56345\n2HKRS6H77THA90103,HP2603,2026,Honda,CR-V,new,38895\n`;

async function total(): Promise<number> {
  return payloadOf(await bridge.ask({ type: 'inventory.search.request' })).data.total as number;
}

/** Waits until the dropped file is in done/ or failed/ and returns the report. */
async function reportOf(
  name: string,
  folder: 'done' | 'failed' | 'held',
): Promise<{ json: object; text: string }> {
  const place = bridge.path(folder, 'stock');
  const names = await eventually(`${name} is in ${folder}/`, async () => {
    const found = (await filesIn(place)).filter((entry) => entry.includes(name));
    return found.some((entry) => entry.endsWith(name)) ? found : undefined;
  });
  const read = (ending: string): Promise<string> =>
    readFile(
      join(
        place,
        names.find((entry) => entry.endsWith(ending))!,
      ),
      'utf8',
    );
  return { json: JSON.parse(await read('.report.json')), text: await read('.report.txt') };
}

beforeAll(async () => {
  await bridge.start();
  writeFileSync(bridge.path('inbox', 'stock', 'good.csv'), GOOD);
  await reportOf('good.csv', 'done');
  await eventually('both vehicles are served', async () => ((await total()) === 2 ? true : undefined));
});
afterAll(async () => {
  await bridge.dispose();
});

describe('a file that can not be right', () => {
  it.each([
    ['zero-bytes.csv', 'empty_file'],
    ['html-error-page.csv', 'not_a_feed'],
    ['xml-truncated.xml', 'not_a_feed'],
    ['zip-slip.zip', 'archive_unsafe_path'],
  ])('%s changes nothing and lands in failed/ with a reason', async (name, code) => {
    copyFileSync(join(cases, name), bridge.path('inbox', 'stock', name));
    const report = await reportOf(name, 'failed');
    expect(report.json).toMatchObject({ status: 'failed', problem: { code }, accepted: 0, removed: 0 });
    expect(report.text).toContain('What to do');
    expect(await total()).toBe(2);
    const { runId, problem } = report.json as { runId: string; problem: { message: string } };
    const { feeds } = (await (await fetch(`${bridge.adminUrl}/health`)).json()) as {
      feeds: { refused: object[] };
    };
    expect(feeds.refused).toEqual([
      { run_id: runId, feed_id: 'stock', since: expect.any(String) as string, reason: problem.message },
    ]);
  });

  it('with a header only changes nothing and waits for a person', async () => {
    writeFileSync(bridge.path('inbox', 'stock', 'header-only.csv'), HEADER);
    const report = await reportOf('header-only.csv', 'held');
    expect(report.json).toMatchObject({ status: 'held', problem: { code: 'no_rows' } });
    const { runId } = report.json as { runId: string };
    expect(report.text).toContain(`To take it in as it is   feed release ${runId}\n`);
    expect(report.text).toContain(`To put it away           feed discard ${runId}\n`);
    expect(await total()).toBe(2);
  });

  it('of another vendor’s columns changes nothing and names the missing ones', async () => {
    copyFileSync(join(cases, '..', 'carscom-images.txt'), bridge.path('inbox', 'stock', 'images.txt'));
    const report = await reportOf('images.txt', 'failed');
    expect(report.json).toMatchObject({ status: 'failed', problem: { code: 'missing_required_column' } });
    expect(await total()).toBe(2);
  });

  it('of row faults only is refused, row by row, with line, column and value', async () => {
    writeFileSync(
      bridge.path('inbox', 'stock', 'rows.csv'),
      `${HEADER}1FTFW5L82TFA9010O,HP2601,2026,Ford,F-150,new,56345\n,,2026,Honda,CR-V,shiny,38895\n`,
    );
    const report = await reportOf('rows.csv', 'failed');
    expect(report.json).toMatchObject({
      status: 'failed',
      problem: { code: 'no_vehicles' },
      rows: 2,
      rejected: 2,
    });
    expect(report.text).toContain('1FTFW5L82TFA9010O');
    expect(report.text).toContain('line 2');
    expect(await total()).toBe(2);
  });
});

describe('anything posted to /a2a', () => {
  it.each([
    ['broken JSON', '{"jsonrpc":', -32700],
    ['nothing', '', -32700],
    ['a number', '5', -32600],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"SendMessage"}]', -32600],
    ['a page', '<html></html>', -32700],
    ['an unknown method', '{"jsonrpc":"2.0","id":1,"method":"constructor"}', -32601],
    [
      'parts of null',
      '{"jsonrpc":"2.0","id":1,"method":"SendMessage","params":{"message":{"messageId":"m","role":"ROLE_USER","parts":[null]}}}',
      -32602,
    ],
  ])('%s gets a JSON-RPC answer', async (_what, body, code) => {
    const response = await bridge.post(body);
    expect(response.headers.get('content-type')).toContain('application/json');
    const text = await response.text();
    expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', error: { code } });
    expect(text).not.toMatch(/<html|at .*\.ts|node_modules/i);
  });

  it('over the body limit is refused as JSON', async () => {
    const response = await bridge.post(`{"jsonrpc":"2.0","id":1,"x":"${'x'.repeat(300_000)}"}`);
    expect(response.status).toBe(413);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32600 } });
  });
});
