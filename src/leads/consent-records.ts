/** The consent ledger, link by link. */

/** One link of the consent ledger: `hash` covers everything else in it, the hash of the link before included. */
export interface ConsentLink {
  /** Counts from 1 without a gap: also the order in which the leads came in. */
  sequence: number;
  lead_id: string;
  recorded_at: number;
  /** `duplicate` when it came with a repeat of the lead. */
  occasion: 'lead' | 'duplicate';
  record_hash: string;
  previous_hash: string;
  hash: string;
}

export interface ConsentRecord extends ConsentLink {
  /** The request's consent, customer and source agent as canonical JSON; absent once it was erased. */
  record?: string;
  /** Hashed with the record. */
  salt?: string;
}

export type LedgerAudit =
  | {
      kind: 'whole';
      records: number;
      /** Of these, without their text. */ erased: number;
      /** The last link's hash. */
      head: string;
    }
  /** The first link at fault. */
  | { kind: 'broken'; sequence: number; lead_id?: string; fault: string };
