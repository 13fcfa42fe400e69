import type { Database } from 'better-sqlite3';
import { foreignCommits } from '../model/foreign-commits.ts';
import { KnownRepeats } from './known-repeats.ts';
import type { LeadEntry, OriginalLead } from './lead-store.ts';
import { originalLead } from './store-original.ts';

/** Made anew when it has become twice as large and so many more: then most of it is older than the window. */
const ROOM_TO_GROW = 10_000;

type Row = [leadId: string, receivedAt: number, buyers: string, subjects: string];

interface Memory {
  known: KnownRepeats;
  /** Of what other connections have committed. */
  version: number;
  mostLeads: number;
}

/**
 * By which leads are known again: a row a lead, and an index of the window's rows in memory. An index in the file would
 * touch a page a key, since hashes lie in no order, and pages are what a commit costs. The table is the truth: the index is
 * read from it before the first use, after another process has written and for a longer window, and what it finds
 * counts only as long as the lead is there. To be used inside the transaction that stores the lead.
 */
export function repeatTable(database: Database) {
  const select = database
    .prepare<[number], Row>(
      'SELECT lead_id, received_at, buyers, subjects FROM repeat_keys WHERE received_at > ?',
    )
    .raw();
  const commitsElsewhere = foreignCommits(database);
  const originalOf = originalLead(database);
  const insert = database.prepare<[string, number, string, string]>(
    'INSERT INTO repeat_keys (lead_id, received_at, buyers, subjects) VALUES (?, ?, ?, ?)',
  );
  let memory: Memory | undefined;

  function knownSince(since: number): KnownRepeats {
    const version = commitsElsewhere();
    if (memory === undefined || !isUsable(memory, since, version)) memory = readMemory(since, version);
    return memory.known;
  }

  function isUsable({ known, version, mostLeads }: Memory, since: number, present: number): boolean {
    return version === present && known.since <= since && known.count < mostLeads;
  }

  function readMemory(since: number, version: number): Memory {
    const known = new KnownRepeats(since);
    for (const [lead_id, received_at, buyers, subjects] of select.iterate(since))
      known.add({ lead_id, received_at, subjects: subjects.split(' ') }, buyers.split(' '));
    return { known, version, mostLeads: 2 * known.count + ROOM_TO_GROW };
  }

  return {
    /** The earliest lead within the window by the same buyer about the same. */
    find({ duplicate }: LeadEntry): OriginalLead | undefined {
      for (const { lead_id } of knownSince(duplicate.since).matching(duplicate)) {
        const original = originalOf(lead_id);
        // Erased or called off since, or of a transaction that was undone.
        if (original !== undefined) return original;
      }
      return undefined;
    },
    add({ duplicate: { buyers, subjects }, lead: { lead_id, received_at } }: LeadEntry): void {
      insert.run(lead_id, received_at, buyers.join(' '), subjects.join(' '));
      memory?.known.add({ lead_id, received_at, subjects }, buyers);
    },
  };
}
