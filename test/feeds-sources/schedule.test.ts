import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FeedConfig } from '../../src/config/config.ts';
import { watchInboxes } from '../../src/feeds/inbox/inbox.ts';
import type { RunReport } from '../../src/feeds/reporting/report.ts';
import { readSourceRecord } from '../../src/feeds/sources/source-record.ts';
import { waitBeforeNextLook, watchSources, type SourceWatch } from '../../src/feeds/sources/schedule.ts';
import { Dealership } from '../feeds-intake/dealership.ts';

let dealership: Dealership;
let watches: SourceWatch[];
beforeEach(async () => {
  dealership = await Dealership.open();
  watches = [];
});
afterEach(async () => {
  for (const watch of watches) await watch.stop();
  await dealership.close();
});

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function feedFrom(url: string, id = 'lot'): FeedConfig {
  const source = { kind: 'http', url, every_ms: 60_000 } as const;
  return dealership.feed('aap', { id, settle_ms: 1, source });
}

function watch(feeds: FeedConfig[], options: Parameters<typeof watchSources>[2] = {}): SourceWatch {
  const watching = watchSources(feeds, dealership.services(), options);
  watches.push(watching);
  return watching;
}

function logged(level: string): string[] {
  return dealership.log.filter((line) => line.level === level).map(({ message }) => message);
}

describe('the wait before the next look', () => {
  const MINUTE = 60_000;
  it.each([
    ['the schedule', 15, 0, false, 15],
    ['a minute after the first failure', 15, 1, false, 1],
    ['doubled after each further one', 15, 4, false, 8],
    ['up to an hour', 15, 50, false, 60],
    ['up to the schedule when that is longer', 1440, 50, false, 1440],
    ['half an hour where we are not let in', 1, 1, true, 30],
    ['longer when that goes on', 1, 9, true, 60],
  ])('is %s', (_name, every, failures, wasRefused, expected) => {
    expect(waitBeforeNextLook(every * MINUTE, failures, wasRefused)).toBe(expected * MINUTE);
  });
});

describe('a watched source', () => {
  it('brings a file that the inbox then takes in', async () => {
    const vin = '1HGCY2F57RA000001';
    const csv = `vin,dealer_id,year,make,model,condition\n${vin},HPM01,2024,Honda,Accord,used\n`;
    const url = await serve((_request, response) => void response.end(csv));
    const feed = feedFrom(`${url}lot.csv`);
    const reports: RunReport[] = [];
    const inboxes = watchInboxes(
      [feed],
      { ...dealership.services(), clock: { now: () => Date.now() } },
      { onRun: (report) => Promise.resolve(void reports.push(report)) },
    );
    watch([feed], { onLanded: () => void inboxes.scanNow() });
    await vi.waitFor(() => expect(reports).toHaveLength(1), 20_000);
    await inboxes.stop();
    expect(reports[0]).toMatchObject({ status: 'ok' });
    expect([...dealership.listed().keys()]).toEqual([vin]);
    expect(logged('info')).toContain('file fetched into the inbox');
  });

  it('is told once when it begins to fail and once when it answers again', async () => {
    let asked = 0;
    const url = await serve((_request, response) => {
      asked += 1;
      response.writeHead(asked < 4 ? 500 : 200).end('vin\n');
    });
    watch([feedFrom(`${url}lot.csv?token=t0k`)], {
      waitMs: (_every, failures) => (failures > 0 ? 1 : 60_000),
    });
    await vi.waitFor(() => expect(logged('info')).toContain('file fetched into the inbox'), 20_000);
    expect(logged('warn')).toEqual(['source of the feed fails; it is tried again, later each time']);
    expect(logged('debug')).toEqual(['source of the feed still fails', 'source of the feed still fails']);
    expect(logged('info')[0]).toBe('source of the feed answers again');
    expect(dealership.log[0]?.facts).toEqual({
      feed: 'lot',
      source: `${url}lot.csv`,
      error: 'the server answers 500',
    });
    expect(JSON.stringify(dealership.log)).not.toContain('t0k');
  });

  it('keeps a record of its looks for the health page', async () => {
    dealership.now = Date.parse('2026-05-04T08:00:00Z');
    let status = 500;
    const url = await serve((_request, response) => void response.writeHead(status).end('vin\n'));
    const feed = feedFrom(`${url}lot.csv`);
    const read = () => readSourceRecord(dealership.folder, 'lot', feed.source!);
    let next = Promise.withResolvers<undefined>();
    const onLanded = (): void => next.resolve(undefined);
    const watching = watch([feed], { onLanded, waitMs: (everyMs) => everyMs });
    await vi.waitFor(async () => expect(await read()).toHaveProperty('next_look'), 20_000);
    expect(await read()).toEqual({
      is_failing: true,
      failures: 1,
      last_failure: { at: '2026-05-04T08:00:00Z', reason: 'the server answers 500' },
      next_look: '2026-05-04T08:01:00Z',
    });
    await watching.stop();

    status = 200;
    next = Promise.withResolvers<undefined>();
    watch([feed], { onLanded });
    await next.promise;
    await vi.waitFor(async () => expect(await read()).toHaveProperty('confirmed_at'), 20_000);
    expect(await read()).toMatchObject({
      is_failing: false,
      failures: 0,
      last_success: '2026-05-04T08:00:00Z',
      last_failure: { reason: 'the server answers 500' },
    });
  });

  it('does not keep another one waiting', async () => {
    const silent = await serve(() => undefined);
    const quick = await serve((_request, response) => void response.end('vin\n'));
    watch([feedFrom(`${silent}lot.csv`, 'silent'), feedFrom(`${quick}lot.csv`, 'quick')]);
    await vi.waitFor(() => expect(logged('info')).toEqual(['file fetched into the inbox']), 20_000);
  });

  it('stops in the middle of a download and leaves nothing in the inbox', async () => {
    const url = await serve((_request, response) => void response.write('vin\n'));
    const watching = watch([feedFrom(`${url}lot.csv`)]);
    const sources = path.join(dealership.folder, 'sources');
    await vi.waitFor(
      async () =>
        expect(await readdir(sources)).toEqual([expect.stringMatching(/^lot\.[0-9a-f]{8}\.download$/)]),
      20_000,
    );
    await watching.stop();
    expect(await readdir(path.join(dealership.folder, 'inbox', 'lot')).catch(() => [])).toEqual([]);
    expect(await readdir(sources)).toEqual([]);
    expect(logged('warn')).toEqual([]);
  });
});

it('other settings begin a new feed and change one, and leave the schedule of one that stays alone', async () => {
  const asked = { stays: 0, changes: 0, comes: 0 };
  const url = await serve((request, response) => {
    asked[(request.url ?? '').slice(1) as keyof typeof asked] += 1;
    response.writeHead(404).end();
  });
  const stays = feedFrom(`${url}stays`, 'stays');
  const changes = feedFrom(`${url}changes`, 'changes');
  const watching = watch([stays, changes]);
  await vi.waitFor(() => expect(asked).toEqual({ stays: 1, changes: 1, comes: 0 }), { timeout: 20_000 });
  await watching.change([
    structuredClone(stays),
    { ...changes, mode: 'delta' },
    feedFrom(`${url}comes`, 'comes'),
  ]);
  await vi.waitFor(() => expect(asked).toEqual({ stays: 1, changes: 2, comes: 1 }), { timeout: 20_000 });
  await watching.change([stays]);
  await watching.stop();
  expect(asked).toEqual({ stays: 1, changes: 2, comes: 1 });
});
