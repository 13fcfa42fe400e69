import type { Database } from 'better-sqlite3';
import type { LeadSubmitRequest } from '../model/lead.ts';
import type { Listing } from '../model/vehicle.ts';
import { type RepeatKeys, repeatKeys } from './duplicate.ts';

/** Read at once. */
const LEADS_AT_ONCE = 500;

interface EarlierLead {
  rowid: number;
  lead_id: string;
  received_at: number;
  rooftop_id: string;
  request: string;
  listing: string | null;
}

/** A step of the migration: the keys were hashes of pairs, which tell nothing of either; so they are made anew. */
export function keyRepeatsByBuyer(database: Database): void {
  database.exec(`
    DROP TABLE duplicate_keys;
    CREATE TABLE duplicate_keys (
      key TEXT NOT NULL,
      received_at INTEGER NOT NULL,
      lead_id TEXT NOT NULL REFERENCES leads,
      subjects TEXT NOT NULL,
      PRIMARY KEY (key, received_at, lead_id)
    ) STRICT, WITHOUT ROWID;
  `);
  const insert = database.prepare<[string, string, number, string]>(
    'INSERT INTO duplicate_keys (key, lead_id, received_at, subjects) VALUES (?, ?, ?, ?)',
  );
  const some = database.prepare<[number], EarlierLead>(
    `SELECT rowid, lead_id, received_at, rooftop_id, request, listing FROM leads
     WHERE rowid > ? AND erased_at IS NULL ORDER BY rowid LIMIT ${LEADS_AT_ONCE}`,
  );
  for (let leads = some.all(-1); leads.length > 0; leads = some.all(leads.at(-1)?.rowid ?? 0)) {
    for (const lead of leads) {
      const { buyers, subjects } = keysOf(lead);
      for (const buyer of buyers) insert.run(buyer, lead.lead_id, lead.received_at, subjects.join(' '));
    }
  }
}

/** The step after it: a row a lead, in the order in which leads come in, and an index less for each lead to write to. */
export const KEEP_REPEATS_BY_LEAD = `
  -- The ledger has one by lead, and the same numbers.
  DROP INDEX consent_records_by_lead;
  CREATE TABLE repeat_keys (
    lead_id TEXT PRIMARY KEY REFERENCES leads,
    received_at INTEGER NOT NULL,
    buyers TEXT NOT NULL,
    subjects TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  INSERT INTO repeat_keys SELECT lead_id, received_at, group_concat(key, ' '), subjects
    FROM duplicate_keys GROUP BY lead_id;
  DROP TABLE duplicate_keys;
`;

function keysOf({ request: text, listing, rooftop_id }: EarlierLead): RepeatKeys {
  const request = JSON.parse(text) as LeadSubmitRequest;
  return repeatKeys(request, listing === null ? undefined : (JSON.parse(listing) as Listing), rooftop_id);
}
