import type { Database } from 'better-sqlite3';
import { newSalt } from './consent-ledger.ts';
import { ledgerWriter } from './store-ledger.ts';

interface EarlierConsent {
  lead_id: string;
  recorded_at: number;
  occasion: 'lead' | 'duplicate';
  record: string;
}

/**
 * A step of the migration: the consents of the first form, which could not be erased, in their order. Their text is
 * taken over as it is, so it holds no customer.
 */
export function moveConsentsIntoLedger(database: Database): void {
  const earlier = database
    .prepare<[], EarlierConsent>(
      'SELECT lead_id, recorded_at, occasion, record FROM consents ORDER BY sequence',
    )
    .all();
  const { append } = ledgerWriter(database);
  for (const { record, ...about } of earlier) append(about, { salt: newSalt(), record });
  database.exec('DROP TABLE consents');
}
