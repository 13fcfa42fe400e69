import type { Delivery } from '../adapters/crm-adapter.ts';
import type { Config, DestinationConfig } from '../config/config.ts';
import { toLeadDocument } from '../leads/document.ts';
import { faultText } from '../leads/fault-text.ts';
import type { AttemptRecord } from '../leads/delivery-records.ts';
import type { LeadTrail } from '../leads/lead-store.ts';
import { formatInstant } from '../model/clock.ts';
import type { LeadDocument } from '../model/lead.ts';

/**
 * One lead for a file: times readable, and beside each delivery what the destination gets. That is built again from
 * the stored lead and today's settings, as every attempt builds it; nothing of a login is in it.
 */
export function auditTrail(trail: LeadTrail, config: Config | undefined): object {
  const { lead, reply, consents, deliveries, operations } = trail;
  const rooftop = config?.dealer.rooftops.find(({ id }) => id === lead.rooftop_id);
  const document = rooftop && toLeadDocument(lead, rooftop, false);
  return {
    lead: { ...lead, received_at: formatInstant(lead.received_at) },
    reply,
    consents: consents.map(({ record, recorded_at, ...consent }) => ({
      ...consent,
      recorded_at: formatInstant(recorded_at),
      record: record === undefined ? null : (JSON.parse(record) as unknown),
    })),
    deliveries: deliveries.map(({ history, nextAttemptAt, ...delivery }) => ({
      ...delivery,
      ...(nextAttemptAt === undefined ? {} : { nextAttemptAt: formatInstant(nextAttemptAt) }),
      built:
        config === undefined
          ? { fault: 'the settings cannot be used' }
          : builtFor(
              config.leads.destinations.find(({ id }) => id === delivery.destination),
              document,
            ),
      attempts: history.map(readableAttempt),
    })),
    operations: operations.map((operation) => ({ ...operation, done_at: formatInstant(operation.done_at) })),
  };
}

function readableAttempt({ startedAt, finishedAt, ...attempt }: AttemptRecord): object {
  return { startedAt: formatInstant(startedAt), finishedAt: formatInstant(finishedAt), ...attempt };
}

function builtFor(destination: DestinationConfig | undefined, lead: LeadDocument | undefined): object {
  if (destination === undefined) return { fault: 'the settings no longer have this destination' };
  if (lead === undefined) return { fault: 'the settings no longer have its rooftop' };
  try {
    return contentOf(destination.crm.build(lead, destination.options));
  } catch (fault) {
    return { fault: `the adapter could not build the lead: ${faultText(fault)}` };
  }
}

/** What a CRM reads; servers, headers and addresses of requests are left out, since they may carry secrets. */
function contentOf(delivery: Delivery): object {
  const { kind } = delivery;
  switch (kind) {
    case 'email': {
      const { to, subject, messageId, date, text, attachments } = delivery;
      return { kind, to, subject, messageId, date, ...(text === undefined ? {} : { text }), attachments };
    }
    case 'http':
      return { kind, body: delivery.body };
    case 'file':
    case 'sftp':
      return { kind, name: delivery.name, content: delivery.content };
  }
}
