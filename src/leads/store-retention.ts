import type { Database } from 'better-sqlite3';
import type { LeadSubmitRequest } from '../model/lead.ts';
import { asPromise } from './as-promise.ts';
import { sameContact } from './customer-contact.ts';
import { hashedKey } from './idempotency.ts';
import type { LeadStore } from './lead-store.ts';
import type { CustomerLead, OperatorAct } from './operator-acts.ts';
import { eraseConsentTexts } from './store-ledger.ts';
import { operationRecorder } from './store-operations.ts';
import { DELIVERY_COLUMNS, type DeliveryRow, toDelivery } from './store-rows.ts';

type Retention = Pick<
  LeadStore,
  'findByCustomer' | 'findErasable' | 'countUnsettled' | 'erase' | 'clearTraces'
>;

/** Nothing more will happen to such a delivery unless a person wants it. `dead` ones are still to be looked after. */
const SETTLED = `('delivered', 'rejected', 'cancelled')`;
/** How long the taking out of the traces waits for a reader; the thread does nothing else meanwhile. */
const READER_TIMEOUT_MS = 200;
const USUAL_TIMEOUT_MS = 10_000;

const ERASED = '[erased]';
/** What stands in the place of a request that was erased. */
const ERASED_REQUEST: LeadSubmitRequest = {
  type: 'lead.submit.request',
  customer: { first_name: ERASED, last_name: ERASED },
  consent: { granted_at: '', allowed_channels: [], consent_text: '', scope: [] },
  source_agent: { name: ERASED },
};

/** Taking customers out of leads. What remains: ids, times, states, hashes, and the CRM's references. */
export function retentionOperations(database: Database): Retention {
  const settledBefore = database.prepare<[number, number], { lead_id: string }>(
    `SELECT lead_id FROM leads JOIN deliveries USING (lead_id) WHERE erased_at IS NULL
     GROUP BY lead_id HAVING SUM(state NOT IN ${SETTLED}) = 0 AND MAX(settled_at) <= ?
     ORDER BY received_at LIMIT ?`,
  );
  const unsettled = database.prepare<[number], { leads: number }>(
    `SELECT COUNT(*) AS leads FROM leads WHERE erased_at IS NULL AND received_at <= ? AND
       (NOT EXISTS (SELECT 1 FROM deliveries WHERE deliveries.lead_id = leads.lead_id)
        OR EXISTS (SELECT 1 FROM deliveries
                   WHERE deliveries.lead_id = leads.lead_id AND state NOT IN ${SETTLED}))`,
  );
  const erase = eraseTransaction(database);
  return {
    findByCustomer: customerSearch(database),
    findErasable: (before, limit) =>
      asPromise(() => settledBefore.all(before, limit).map(({ lead_id }) => lead_id)),
    countUnsettled: (receivedBefore) => asPromise(() => unsettled.get(receivedBefore)?.leads ?? 0),
    erase: (leadIds, act) => asPromise(() => erase.immediate(leadIds, act)),
    clearTraces: () => asPromise(() => clearTraces(database)),
  };
}

function customerSearch(database: Database): Retention['findByCustomer'] {
  const contacts = database.prepare<
    [],
    { lead_id: string; received_at: number; email: string | null; phone: string | null }
  >(
    `SELECT lead_id, received_at, request ->> '$.customer.email' AS email, request ->> '$.customer.phone' AS phone
     FROM leads WHERE erased_at IS NULL ORDER BY received_at, lead_id`,
  );
  const deliveries = database.prepare<[string], DeliveryRow>(
    `SELECT ${DELIVERY_COLUMNS} FROM deliveries WHERE lead_id = ? ORDER BY delivery_id`,
  );
  return (contact) =>
    asPromise(() => {
      const found: Omit<CustomerLead, 'deliveries'>[] = [];
      for (const { lead_id, received_at, email, phone } of contacts.iterate()) {
        if (sameContact(contact, email, phone)) found.push({ lead_id, received_at });
      }
      return found.map((lead) => ({ ...lead, deliveries: deliveries.all(lead.lead_id).map(toDelivery) }));
    });
}

function eraseTransaction(database: Database) {
  const eraseConsents = eraseConsentTexts(database);
  const record = operationRecorder(database);
  const eraseLead = database.prepare<{ leadId: string; now: number; request: string }>(
    `UPDATE leads SET request = @request, listing = NULL, erased_at = @now
     WHERE lead_id = @leadId AND erased_at IS NULL AND NOT EXISTS
       (SELECT 1 FROM deliveries WHERE lead_id = @leadId AND state NOT IN ${SETTLED})`,
  );
  const keysOf = database.prepare<[string], { key: string }>('SELECT key FROM idempotency WHERE lead_id = ?');
  const hashKey = database.prepare<[string, string]>('UPDATE idempotency SET key = ? WHERE key = ?');
  const others = [
    // A hash of an address can be guessed: it is customer data, too.
    'DELETE FROM repeat_keys WHERE lead_id = ?',
    // Reasons are free of customer data as far as a program can tell. Here it need not be trusted.
    `UPDATE deliveries SET reason = NULL WHERE lead_id = ?`,
    `UPDATE attempts SET reason = '${ERASED}' WHERE delivery_id IN
       (SELECT delivery_id FROM deliveries WHERE lead_id = ?)`,
    `UPDATE operations SET reason = '${ERASED}' WHERE lead_id = ?`,
  ].map((sql) => database.prepare<[string]>(sql));
  const request = JSON.stringify(ERASED_REQUEST);
  return database.transaction((leadIds: readonly string[], act: OperatorAct): string[] =>
    leadIds.filter((leadId) => {
      if (eraseLead.run({ leadId, now: act.now, request }).changes === 0) return false;
      eraseConsents(leadId);
      // A buyer's agent may put anything into its key; the same key must still find its reply.
      for (const { key } of keysOf.all(leadId)) hashKey.run(hashedKey(key), key);
      for (const statement of others) statement.run(leadId);
      record('erase', leadId, null, act);
      return true;
    }),
  );
}

/** SQLite has zeroed what was deleted; the write-ahead log still holds the pages as they were before. */
function clearTraces(database: Database): boolean {
  database.pragma(`busy_timeout = ${READER_TIMEOUT_MS}`);
  try {
    const [outcome] = database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return outcome?.busy === 0;
  } finally {
    database.pragma(`busy_timeout = ${USUAL_TIMEOUT_MS}`);
  }
}
