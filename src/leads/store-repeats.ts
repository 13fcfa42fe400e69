import type { Database } from 'better-sqlite3';
import type { AppointmentAnswer, LeadSubmitRequest } from '../model/lead.ts';
import type { Listing } from '../model/vehicle.ts';
import { type RepeatKeys, repeatKeys } from './duplicate.ts';
import type { LeadEntry } from './lead-store.ts';
import { readAppointment } from './store-rows.ts';

/** Of an older database, read at once. */
const LEADS_AT_ONCE = 500;

type Known = [leadId: string, receivedAt: number, subjects: string];
type NewRepeat = Pick<LeadEntry, 'duplicate'> & { lead: { lead_id: string; received_at: number } };

/**
 * By which leads are known again. One row for each way to reach a buyer, with all the subjects of the lead: a row for
 * each pair would touch as many pages of the file as there are pairs, since hashes lie in no order.
 */
export function repeatTable(database: Database) {
  const select = database
    .prepare<[string, number, number], Known>(
      `SELECT lead_id, received_at, subjects FROM duplicate_keys
       WHERE key = ? AND received_at > ? AND received_at < ?`,
    )
    .raw();
  const appointmentOf = database
    .prepare<[string], string | null>('SELECT appointment FROM leads WHERE lead_id = ?')
    .pluck();
  const insert = database.prepare<[string, string, number, string]>(
    'INSERT INTO duplicate_keys (key, lead_id, received_at, subjects) VALUES (?, ?, ?, ?)',
  );

  function earliest({ buyers, subjects, since, until }: LeadEntry['duplicate']): Known | undefined {
    let found: Known | undefined;
    for (const buyer of buyers) {
      for (const known of select.all(buyer, since, until)) {
        if (found !== undefined && found[1] <= known[1]) continue;
        const itsSubjects = known[2].split(' ');
        if (subjects.some((subject) => itsSubjects.includes(subject))) found = known;
      }
    }
    return found;
  }

  return {
    /** The earliest lead within the window by the same buyer about the same. */
    find({ duplicate }: LeadEntry): { lead_id: string; appointment?: AppointmentAnswer } | undefined {
      const found = earliest(duplicate);
      if (found === undefined) return undefined;
      const [lead_id] = found;
      const appointment = appointmentOf.get(lead_id) ?? null;
      return appointment === null ? { lead_id } : { lead_id, ...readAppointment(appointment) };
    },
    add({ duplicate, lead }: NewRepeat): void {
      const subjects = duplicate.subjects.join(' ');
      for (const buyer of duplicate.buyers) insert.run(buyer, lead.lead_id, lead.received_at, subjects);
    },
  };
}

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
  // In order of time, so that a look meets the leads of the window alone: some agents give an address of their own.
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
  const repeats = repeatTable(database);
  const some = database.prepare<[number], EarlierLead>(
    `SELECT rowid, lead_id, received_at, rooftop_id, request, listing FROM leads
     WHERE rowid > ? AND erased_at IS NULL ORDER BY rowid LIMIT ${LEADS_AT_ONCE}`,
  );
  for (let leads = some.all(-1); leads.length > 0; leads = some.all(leads.at(-1)?.rowid ?? 0)) {
    for (const lead of leads) repeats.add({ lead, duplicate: { ...keysOf(lead), since: 0, until: 0 } });
  }
}

function keysOf({ request: text, listing, rooftop_id }: EarlierLead): RepeatKeys {
  const request = JSON.parse(text) as LeadSubmitRequest;
  const vehicle = listing === null ? request.vehicle_of_interest : (JSON.parse(listing) as Listing);
  return repeatKeys(request, vehicle, rooftop_id);
}
