import type { AttemptOutcome, Delivery } from '../../adapters/crm-adapter.ts';
import { explain } from '../../leads/delivery/explain.ts';
import type { TriedWay } from '../../leads/delivery/try-way.ts';
import type { Finding } from '../../model/finding.ts';

export type RemoteDelivery = Exclude<Delivery, { kind: 'file' }>;

/** What servers said the time is, and who they are; added to as they answer. */
export type ServerTimes = { name: string; time: number }[];

export /** A step of a conversation has less time than a real lead: somebody waits. */
const STEP_LIMIT_MS = 8000;

/** What became of a way, in the words of `destination test`. @param clean takes secrets out. */
export function wayFinding(
  { key, name, clean }: { key: string; name: string; clean: (text: string) => string },
  tried: TriedWay,
  times: ServerTimes,
  server: string,
): Finding {
  if (tried.ok) {
    const time = Date.parse(tried.serverTime ?? '');
    if (!Number.isNaN(time)) times.push({ name: server, time });
    return { key, status: 'ok', text: `${name}: ${tried.told}.` };
  }
  const explanation = explain(tried.outcome);
  const said = clean(wordsOf(tried.outcome));
  return {
    key,
    status: 'fail',
    text: `${name}: ${said}${said.endsWith('.') ? '' : '.'}${explanation === undefined ? '' : ` ${explanation.means}`}`,
    remedy: explanation?.remedy ?? 'Ask whoever runs the server, with its words.',
  };
}

function wordsOf(outcome: AttemptOutcome): string {
  const said = outcome.kind === 'email' ? (outcome.response ?? outcome.error) : outcome.error;
  return (said ?? 'it does not work').replaceAll(/\s+/g, ' ').trim();
}

/** The machine at the other end. */
export function placeOf(delivery: RemoteDelivery): string {
  return delivery.kind === 'http' ? new URL(delivery.url).host : delivery.server.host;
}
