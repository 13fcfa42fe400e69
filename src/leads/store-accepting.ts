import type { Database } from 'better-sqlite3';
import type { AppointmentAnswer } from '../model/lead.ts';
import { asPromise } from './as-promise.ts';
import { sha256 } from './canonical-json.ts';
import type {
  AcceptResult,
  ConsentRecord,
  KeyedReply,
  LeadEntry,
  LeadStore,
  StoredReply,
} from './lead-store.ts';

type Accepting = Pick<LeadStore, 'findReply' | 'accept'>;

/** First link of the consent ledger's chain. */
const NO_PREVIOUS_HASH = '';

/** The write side of a lead's arrival. One transaction an entry; several entries could share one commit. */
export function acceptingOperations(database: Database): Accepting {
  const replies = replyTable(database);
  const duplicates = duplicateTable(database);
  const consents = consentLedger(database);
  const insertLead = database.prepare(
    `INSERT INTO leads (lead_id, received_at, rooftop_id, request, listing, appointment, reply)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertDelivery = database.prepare(
    `INSERT INTO deliveries (lead_id, destination, state, queued_at, next_attempt_at) VALUES (?, ?, 'queued', ?, ?)`,
  );

  function storeLead(entry: LeadEntry): void {
    const { lead, reply, destinations } = entry;
    insertLead.run(
      lead.lead_id,
      lead.received_at,
      lead.rooftop_id,
      JSON.stringify(lead.request),
      lead.listing === undefined ? null : JSON.stringify(lead.listing),
      lead.appointment === undefined ? null : JSON.stringify(lead.appointment),
      JSON.stringify(reply),
    );
    consents.append(entry, lead.lead_id, 'lead');
    duplicates.add(entry);
    replies.keep(entry, lead.lead_id, reply);
    for (const destination of destinations) {
      insertDelivery.run(lead.lead_id, destination, lead.received_at, lead.received_at);
    }
  }

  function accept(entry: LeadEntry): AcceptResult {
    const { idempotency } = entry;
    const earlier = idempotency === undefined ? undefined : replies.find(idempotency.key);
    if (earlier !== undefined) {
      const same = earlier.payloadHash === idempotency?.payloadHash;
      return same ? { kind: 'replayed', reply: earlier.reply } : { kind: 'conflict' };
    }
    // A key of its own says that the lead is meant to be a new one (aap-v1.3 section 5, lead.submit).
    const original = idempotency === undefined ? duplicates.find(entry) : undefined;
    if (original !== undefined) {
      consents.append(entry, original.lead_id, 'duplicate');
      return { kind: 'duplicate', reply: entry.replyToRepeat(original) };
    }
    storeLead(entry);
    return { kind: 'stored' };
  }

  const acceptAtOnce = database.transaction(accept);
  return {
    findReply: (key) => asPromise(() => replies.find(key)),
    accept: (entry) => asPromise(() => acceptAtOnce.immediate(entry)),
  };
}

function replyTable(database: Database) {
  const select = database.prepare<[string], { payload_hash: string; reply: string }>(
    'SELECT payload_hash, reply FROM idempotency WHERE key = ?',
  );
  const insert = database.prepare(
    'INSERT INTO idempotency (key, payload_hash, reply, lead_id, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    find(key: string): KeyedReply | undefined {
      const row = select.get(key);
      return row && { payloadHash: row.payload_hash, reply: JSON.parse(row.reply) as StoredReply };
    },
    keep({ idempotency, lead }: LeadEntry, leadId: string, reply: StoredReply): void {
      if (idempotency === undefined) return;
      insert.run(idempotency.key, idempotency.payloadHash, JSON.stringify(reply), leadId, lead.received_at);
    },
  };
}

function duplicateTable(database: Database) {
  const select = database.prepare<
    [string, number],
    { lead_id: string; received_at: number; appointment: string | null }
  >(
    `SELECT lead_id, leads.received_at, leads.appointment FROM duplicate_keys JOIN leads USING (lead_id)
     WHERE key = ? AND duplicate_keys.received_at > ? ORDER BY duplicate_keys.received_at LIMIT 1`,
  );
  const insert = database.prepare('INSERT INTO duplicate_keys (key, lead_id, received_at) VALUES (?, ?, ?)');
  return {
    /** The earliest lead within the window that shares a key. */
    find({ duplicate }: LeadEntry): { lead_id: string; appointment?: AppointmentAnswer } | undefined {
      const earliest = duplicate.keys
        .flatMap((key) => select.get(key, duplicate.since) ?? [])
        .sort((left, right) => left.received_at - right.received_at)[0];
      if (earliest === undefined) return undefined;
      return earliest.appointment === null
        ? { lead_id: earliest.lead_id }
        : {
            lead_id: earliest.lead_id,
            appointment: JSON.parse(earliest.appointment) as AppointmentAnswer,
          };
    },
    add({ duplicate, lead }: LeadEntry): void {
      for (const key of duplicate.keys) insert.run(key, lead.lead_id, lead.received_at);
    },
  };
}

function consentLedger(database: Database) {
  const last = database.prepare<[], { hash: string }>(
    'SELECT hash FROM consents ORDER BY sequence DESC LIMIT 1',
  );
  const insert = database.prepare(
    `INSERT INTO consents (lead_id, recorded_at, occasion, record, previous_hash, hash) VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return {
    append({ lead }: LeadEntry, leadId: string, occasion: ConsentRecord['occasion']): void {
      const { consent, source_agent } = lead.request;
      const link = {
        lead_id: leadId,
        recorded_at: lead.received_at,
        occasion,
        record: JSON.stringify({ consent, source_agent }),
        previous_hash: last.get()?.hash ?? NO_PREVIOUS_HASH,
      };
      const hash = consentHash(link);
      insert.run(leadId, link.recorded_at, occasion, link.record, link.previous_hash, hash);
    },
  };
}

/** Each link covers the one before it, so that no record can be altered or taken out unnoticed. */
export function consentHash(link: Omit<ConsentRecord, 'sequence' | 'hash'>): string {
  return sha256([link.previous_hash, link.lead_id, link.recorded_at, link.occasion, link.record].join('\n'));
}
