import type { Delivery } from '../../adapters/crm-adapter.ts';
import { testLead } from '../../cli/test-lead.ts';
import type { Config, DestinationConfig } from '../../config/config.ts';
import { secretWords, withoutSecretWords } from '../../leads/delivery/secret-words.ts';
import { tryWay } from '../../leads/delivery/try-way.ts';
import { formatInstant } from '../../model/clock.ts';
import type { Finding } from '../../model/finding.ts';
import type { Rooftop } from '../../model/rooftop.ts';
import { placeOf, STEP_LIMIT_MS, wayFinding, type RemoteDelivery, type ServerTimes } from './way-finding.ts';
import { within } from './within.ts';

/** Each destination: its adapter writes a lead, and the way to the CRM is gone up to where it would be handed over. */
export async function destinationFindings(
  config: Config,
  now: number,
  times: ServerTimes,
): Promise<Finding[]> {
  const found = await Promise.all(
    config.leads.destinations.map((destination) =>
      within(`destination:${destination.id}`, `Destination ${destination.id}`, () =>
        tryDestination(destination, config.dealer.rooftops, now, times),
      ),
    ),
  );
  return found.flat();
}

async function tryDestination(
  { id, crm, options, rooftops: ids, secrets = [] }: DestinationConfig,
  rooftops: readonly Rooftop[],
  now: number,
  times: ServerTimes,
): Promise<Finding[]> {
  const key = `destination:${id}`;
  const rooftop = rooftops.find((known) => ids.includes(known.id));
  if (rooftop === undefined) {
    const text = `Destination ${id} serves no rooftop, so no lead ever goes there.`;
    return [{ key, status: 'warn', text, remedy: 'Name rooftops in it, or take it out.' }];
  }
  const lead = testLead(rooftop, formatInstant(now));
  let delivery: Delivery;
  try {
    delivery = crm.build(lead, options);
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    const text = `Destination ${id}: its adapter cannot write a lead: ${withoutSecretWords(reason, secretWords(undefined, secrets, ''))}`;
    return [{ key, status: 'fail', text, remedy: 'See what "dealer-bridge adapter test" says of it.' }];
  }
  if (delivery.kind === 'file') {
    return [{ key, status: 'ok', text: `Destination ${id}: its adapter writes leads as files.` }];
  }
  const clean = (text: string): string =>
    withoutSecretWords(text, secretWords(delivery, secrets, lead.lead_id));
  const tried = await tryWay(inShortTime(delivery));
  return [
    wayFinding(
      { key, name: `Destination ${id} (${placeOf(delivery)})`, clean },
      tried,
      times,
      placeOf(delivery),
    ),
  ];
}

function inShortTime(delivery: RemoteDelivery): RemoteDelivery {
  const shorter = (ms: number): number => Math.min(ms, STEP_LIMIT_MS);
  if (delivery.kind === 'http') return { ...delivery, timeoutMs: shorter(delivery.timeoutMs) };
  if (delivery.kind === 'sftp') {
    return { ...delivery, server: { ...delivery.server, timeoutMs: shorter(delivery.server.timeoutMs) } };
  }
  return { ...delivery, server: { ...delivery.server, timeoutMs: shorter(delivery.server.timeoutMs) } };
}
