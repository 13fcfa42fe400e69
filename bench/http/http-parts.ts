import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kindsFor, middleVin } from '../kinds.ts';
import { atLeast, rounded, type Row } from '../report.ts';
import { fillInventory, startBridgeProcess } from './bridge-process.ts';
import { type AskedLot, compareHttp, type HttpFigure, type HttpQuestion } from './compare-http.ts';
import { callText, startLoadClient } from './load.ts';

const SIZES = [10_000, 100_000];
const CLIENTS = [1, 16, 64];
/** Share of bare node:http that must be kept with 16 clients, by number of vehicles. */
const SHARES = { search: { 10_000: 60, 100_000: 50 }, facets: { 10_000: 60, 100_000: 35 } } as const;
/** More than the bridge remembers: it keeps the answers to questions that come again. */
const NEW_QUESTIONS = 3_000;
/** JSON-RPC, validation, limits and log line may cost this much of a bare server's throughput. */
const ENDPOINT_SHARE = 65;

/** Pages of 20 by price, or all facets, of all seven kinds over HTTP. */
export async function benchOverHttp(skill: 'search' | 'facets'): Promise<Row[]> {
  const rows: Row[] = [];
  for (const size of SIZES) {
    const figures = await askLot(size, CLIENTS, questionsOf(skill, size));
    const least = SHARES[skill][size === 10_000 ? 10_000 : 100_000];
    rows.push(...figures.map((figure) => rowOf(figure, figure.clients === 16 ? least : undefined)));
  }
  return rows;
}

/** The smallest skill: what a call costs beside its answer. */
export async function benchEndpoint(): Promise<Row[]> {
  const questions: HttpQuestion[] = [
    { name: 'dealer.information', calls: [callText('dealer.information', {})] },
  ];
  const figures = await askLot(1_000, CLIENTS, questions);
  return figures.map((figure) => rowOf(figure, figure.clients === 16 ? ENDPOINT_SHARE : undefined));
}

function questionsOf(skill: 'search' | 'facets', size: number): HttpQuestion[] {
  const page = { pagination: { skip: 0, limit: 20 }, sort: { field: 'price', order: 'asc' } };
  const callFor = (filters: object): string =>
    callText(`inventory.${skill}`, { filters, ...(skill === 'search' ? page : {}) });
  const prices = Array.from({ length: NEW_QUESTIONS }, (_, index) => 60_000 + index);
  const [first, ...more] = prices.map((price_max) => callFor({ condition: ['used'], price_max }));
  return [
    ...kindsFor(middleVin(size)).map(([kind, filters]): HttpQuestion => ({
      name: `${skill}, ${kind}, ${size}`,
      calls: [callFor(filters)],
    })),
    ...(first === undefined
      ? []
      : [{ name: `${skill}, never the same, ${size}`, calls: [first, ...more] as const }]),
  ];
}

async function askLot(
  size: number,
  clients: readonly number[],
  questions: readonly HttpQuestion[],
): Promise<HttpFigure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-http-'));
  const client = startLoadClient();
  const stops: AskedLot['bridge']['stop'][] = [];
  try {
    const dataFolder = join(folder, 'data');
    await fillInventory(dataFolder, size);
    const bridge = await startBridgeProcess(dataFolder);
    stops.push(bridge.stop);
    return await compareHttp({ bridge, client, folder }, questions, clients);
  } finally {
    client.stop();
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true });
  }
}

function rowOf(figure: HttpFigure, leastOfBare: number | undefined): Row {
  const ofBare = rounded(figure.ofBare * 100);
  const ofExpress = rounded(figure.ofExpress * 100);
  return {
    name: figure.name,
    values: {
      'KB a reply': rounded(figure.replyBytes / 1024, 1),
      'replies/s': rounded(figure.perSecond),
      'bare/s': rounded(figure.barePerSecond),
      'express/s': rounded(figure.expressPerSecond),
      'median ms': rounded(figure.medianMs, 3),
      'p99 ms': rounded(figure.p99Ms, 2),
      'CPU µs': rounded(figure.cpuMicros),
      '% of bare': ofBare,
      '% of express': ofExpress,
    },
    goals: [
      ...(leastOfBare === undefined ? [] : [atLeast('% of bare', ofBare, leastOfBare)]),
      atLeast('% of express', ofExpress, 100),
    ],
  };
}
