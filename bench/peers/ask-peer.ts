/**
 * One peer over one lot, as a process: a hundred thousand vehicles in several of them are more than one heap holds. Sends
 * its medians in ms by kind of request, or a word where there is none.
 */
import { type Filters, kindsFor, middleVin } from '../kinds.ts';
import { generateVehicles } from '../lot-generator.ts';
import { quantile } from '../measure.ts';
import { rounded } from '../report.ts';
import { openDuckDb } from './duckdb.ts';
import { openItemsJs } from './itemsjs.ts';
import { openMiniSearch } from './minisearch.ts';
import { openOrama } from './orama.ts';
import { NOT_INSTALLED, type OpenPeer, type Peer, type PeerAnswers, type PeerOrder } from './peer.ts';

const PEERS: Record<PeerOrder['peer'], OpenPeer> = {
  orama: openOrama,
  itemsjs: openItemsJs,
  duckdb: openDuckDb,
  minisearch: openMiniSearch,
};
const ROUNDS = 5;
/** A slow peer is not asked again once it has taken so long for one kind, and after the first time if that did. */
const BUDGET_MS = 1_500;

const order = JSON.parse(process.argv[2] ?? '') as PeerOrder;
process.send?.(await askAll(order), () => process.disconnect());

async function askAll({ peer: name, what, size }: PeerOrder): Promise<PeerAnswers> {
  const vehicles = Array.from(generateVehicles(size), ({ vehicle }) => vehicle);
  const peer = await PEERS[name](vehicles).catch(undefinedIfNotInstalled);
  const answers: PeerAnswers = {};
  for (const [kind, filters] of kindsFor(middleVin(size))) {
    answers[kind] = peer === undefined ? NOT_INSTALLED : await medianMs(peer, what, filters);
  }
  peer?.close?.();
  return answers;
}

function undefinedIfNotInstalled(fault: unknown): undefined {
  if (fault instanceof Error && 'code' in fault && fault.code === 'ERR_MODULE_NOT_FOUND') return;
  throw fault;
}

/** `–` for what it does not do. */
async function medianMs(peer: Peer, what: PeerOrder['what'], filters: Filters): Promise<number | string> {
  const ask = what === 'page' ? peer.page : peer.facets;
  if (ask === undefined) return '–';
  const literal = filters.make?.[0] === 'ford' ? { ...filters, make: ['Ford'] } : filters;
  const begun = performance.now();
  if (Number.isNaN(await ask(literal))) return '–';
  const first = performance.now() - begun;
  // What takes so long is not made quicker by a warm engine.
  if (first > BUDGET_MS) return rounded(first, 3);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS && performance.now() - begun < BUDGET_MS; round++) {
    const started = performance.now();
    await ask(literal);
    times.push(performance.now() - started);
  }
  return rounded(times.length === 0 ? first : quantile(times, 0.5), 3);
}
