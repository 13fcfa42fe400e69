import type { Database } from 'better-sqlite3';
import { auditOperations } from './store-ledger.ts';

/** What must hold in a copy of leads.db beside what SQLite checks. Faults in words; none = good. Writes nothing. */
export async function leadCopyFaults(database: Database): Promise<string[]> {
  const hasLedger = database
    .prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'consent_ledger'")
    .get();
  // The first form had another ledger, which the next start takes over.
  if (hasLedger === undefined) return [];
  const ledger = await auditOperations(database).auditConsents();
  return ledger.kind === 'whole'
    ? []
    : [`the consent ledger is broken at record ${ledger.sequence}: ${ledger.fault}`];
}
