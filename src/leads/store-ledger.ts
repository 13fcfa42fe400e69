import type { Database } from 'better-sqlite3';
import { asPromise } from './as-promise.ts';
import {
  consentText,
  faultOfLink,
  linkHash,
  NO_PREVIOUS_HASH,
  recordHash,
  type ConsentText,
} from './consent-ledger.ts';
import type { ConsentLink, ConsentRecord, LedgerAudit } from './consent-records.ts';
import type { LeadEntry, LeadStore } from './lead-store.ts';

const LINK_COLUMNS = 'sequence, lead_id, recorded_at, occasion, record_hash, previous_hash, hash';
/** Before the first link. */
const BEGINNING: Pick<ConsentLink, 'sequence' | 'hash'> = { sequence: 0, hash: NO_PREVIOUS_HASH };

type LinkRow = ConsentLink & { salt: string | null; record: string | null };

/** Adds to the end of the consent ledger; to be called inside the transaction that stores the lead. */
export function ledgerWriter(database: Database) {
  const last = database.prepare<[], Pick<ConsentLink, 'sequence' | 'hash'>>(
    'SELECT sequence, hash FROM consent_ledger ORDER BY sequence DESC LIMIT 1',
  );
  const insertLink = database.prepare<ConsentLink>(
    `INSERT INTO consent_ledger (${LINK_COLUMNS})
     VALUES (@sequence, @lead_id, @recorded_at, @occasion, @record_hash, @previous_hash, @hash)`,
  );
  const insertText = database.prepare(
    'INSERT INTO consent_records (sequence, lead_id, salt, record) VALUES (?, ?, ?, ?)',
  );

  function append(about: Pick<ConsentLink, 'lead_id' | 'recorded_at' | 'occasion'>, text: ConsentText): void {
    const previous = last.get() ?? BEGINNING;
    const link = {
      ...about,
      sequence: previous.sequence + 1,
      record_hash: recordHash(text),
      previous_hash: previous.hash,
    };
    insertLink.run({ ...link, hash: linkHash(link) });
    insertText.run(link.sequence, link.lead_id, text.salt, text.record);
  }

  return {
    append,
    /** `leadId` is the lead that the consent belongs to: of a repeat, the original. */
    appendFor({ lead }: LeadEntry, leadId: string, occasion: ConsentLink['occasion']): void {
      append({ lead_id: leadId, recorded_at: lead.received_at, occasion }, consentText(lead.request));
    },
  };
}

/** The consent records of one lead, in order. */
export function consentsOfLead(database: Database): (leadId: string) => ConsentRecord[] {
  const select = database.prepare<[string], LinkRow>(
    `SELECT ${LINK_COLUMNS.replaceAll(/\w+/g, 'link.$&')}, text.salt, text.record
     FROM consent_ledger AS link LEFT JOIN consent_records AS text ON text.sequence = link.sequence
     WHERE link.lead_id = ? ORDER BY link.sequence`,
  );
  return (leadId) =>
    select.all(leadId).map(({ salt, record, ...link }) => ({
      ...link,
      ...(salt === null || record === null ? {} : { salt, record }),
    }));
}

/** Erases what is customer data in the consents of a lead; the ledger keeps their hashes and stays whole. */
export function eraseConsentTexts(database: Database): (leadId: string) => number {
  const erase = database.prepare<[string]>(
    'DELETE FROM consent_records WHERE sequence IN (SELECT sequence FROM consent_ledger WHERE lead_id = ?)',
  );
  return (leadId) => erase.run(leadId).changes;
}

/** Looks at the whole ledger, link by link. */
export function auditOperations(database: Database): Pick<LeadStore, 'auditConsents'> {
  const select = database.prepare<[], LinkRow>(
    `SELECT ${LINK_COLUMNS.replaceAll(/\w+/g, 'link.$&')}, text.salt, text.record
     FROM consent_ledger AS link LEFT JOIN consent_records AS text ON text.sequence = link.sequence
     ORDER BY link.sequence`,
  );
  // SQLite's own memory of the highest number ever given: it tells of links that were cut off at the end.
  const written = database.prepare<[], { seq: number }>(
    "SELECT seq FROM sqlite_sequence WHERE name = 'consent_ledger'",
  );
  const withoutLink = database.prepare<[], { lead_id: string }>(
    `SELECT lead_id FROM leads WHERE NOT EXISTS
       (SELECT 1 FROM consent_ledger AS link WHERE link.lead_id = leads.lead_id AND link.occasion = 'lead')
     ORDER BY received_at LIMIT 1`,
  );
  const audit = database.transaction((): LedgerAudit => {
    let previous = BEGINNING;
    let erased = 0;
    for (const { salt, record, ...link } of select.iterate()) {
      const text = salt === null || record === null ? undefined : { salt, record };
      const fault = faultOfLink(link, previous, text);
      const { sequence, lead_id } = link;
      if (fault !== undefined) return { kind: 'broken', sequence, lead_id, fault };
      if (text === undefined) erased += 1;
      previous = link;
    }
    const highest = written.get()?.seq ?? 0;
    if (highest > previous.sequence) {
      const fault = 'it was written and is not there any more';
      return { kind: 'broken', sequence: previous.sequence + 1, fault };
    }
    const orphan = withoutLink.get();
    if (orphan !== undefined) {
      const fault = 'the lead is stored without a consent record';
      return { kind: 'broken', sequence: previous.sequence, lead_id: orphan.lead_id, fault };
    }
    return { kind: 'whole', records: previous.sequence, erased, head: previous.hash };
  });
  return { auditConsents: () => asPromise(() => audit()) };
}
