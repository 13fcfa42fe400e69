import type { Database } from 'better-sqlite3';
import type { GroupCommit } from './group-commit.ts';
import { hashedKey } from './idempotency.ts';
import type { AcceptResult, KeyedReply, LeadEntry, LeadSettlement, LeadStore } from './lead-store.ts';
import type { StoredReply } from './stored-lead.ts';
import { calendarTable } from './store-calendar.ts';
import { ledgerWriter } from './store-ledger.ts';
import { repeatTable } from './store-repeats.ts';
import { writeAppointment } from './store-rows.ts';

type Settled = Extract<LeadSettlement, { kind: 'settled' }>;
type Accepting = Pick<LeadStore, 'findReply' | 'accept'>;

/** The write side of a lead's arrival. Leads that arrive together share one commit (group-commit.ts). */
export function acceptingOperations(database: Database, { commit, onDisk }: GroupCommit): Accepting {
  const replies = replyTable(database);
  const repeats = repeatTable(database);
  const consents = ledgerWriter(database);
  const calendar = calendarTable(database);
  const insertLead = database.prepare(
    `INSERT INTO leads (lead_id, received_at, rooftop_id, request, listing, appointment, reply)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertDelivery = database.prepare(
    `INSERT INTO deliveries (lead_id, destination, state, queued_at, next_attempt_at) VALUES (?, ?, 'queued', ?, ?)`,
  );

  function storeLead(entry: LeadEntry, settled: Settled): void {
    const { lead, destinations } = entry;
    const { appointment, booking, reply } = settled;
    insertLead.run(
      lead.lead_id,
      lead.received_at,
      lead.rooftop_id,
      JSON.stringify(lead.request),
      lead.listing === undefined ? null : JSON.stringify(lead.listing),
      writeAppointment({
        ...(appointment === undefined ? {} : { appointment }),
        ...(booking === undefined ? {} : { visit_minutes: booking.visit_minutes }),
      }),
      JSON.stringify(reply),
    );
    consents.appendFor(entry, lead.lead_id, 'lead');
    calendar.book(entry, settled);
    repeats.add(entry);
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
    const original = idempotency === undefined ? repeats.find(entry) : undefined;
    if (original !== undefined) {
      consents.appendFor(entry, original.lead_id, 'duplicate');
      return { kind: 'duplicate', reply: entry.replyToRepeat(original) };
    }
    const settled = entry.settle(entry.calendar === undefined ? [] : calendar.taken(entry.calendar));
    if (settled.kind === 'unavailable') return settled;
    storeLead(entry, settled);
    return { kind: 'stored', reply: settled.reply };
  }

  return {
    findReply: async (key) => {
      const reply = replies.find(key);
      // Its lead may be on its way to the disk still, and whoever hears the reply relies on it.
      if (reply !== undefined) await onDisk();
      return reply;
    },
    accept: (entry) => commit(() => accept(entry)),
  };
}

function replyTable(database: Database) {
  // By the key itself, or by its hash once the lead was erased.
  const select = database.prepare<[string, string], { payload_hash: string; reply: string }>(
    'SELECT payload_hash, reply FROM idempotency WHERE key IN (?, ?)',
  );
  const insert = database.prepare(
    'INSERT INTO idempotency (key, payload_hash, reply, lead_id, created_at) VALUES (?, ?, ?, ?, ?)',
  );
  return {
    find(key: string): KeyedReply | undefined {
      const row = select.get(key, hashedKey(key));
      return row && { payloadHash: row.payload_hash, reply: JSON.parse(row.reply) as StoredReply };
    },
    keep({ idempotency, lead }: LeadEntry, leadId: string, reply: StoredReply): void {
      if (idempotency === undefined) return;
      insert.run(idempotency.key, idempotency.payloadHash, JSON.stringify(reply), leadId, lead.received_at);
    },
  };
}
