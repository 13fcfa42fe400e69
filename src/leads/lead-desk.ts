import type { LeadAnswer, LeadSubmitRequest } from '../model/lead.ts';
import type { Listing } from '../model/vehicle.ts';

/** The leads' public face: what lead.submit asks. */
export interface LeadDesk {
  /**
   * Takes a request that has passed its schema. Resolves only after the lead, its consent record and one delivery
   * per destination are on disk for good; rejects only on broken I/O.
   */
  submit(request: LeadSubmitRequest): Promise<LeadOutcome>;
}

export type LeadOutcome =
  | {
      kind: 'answered';
      answer: LeadAnswer;
      message: string;
      /** True when the stored reply was given again. */ replayed: boolean;
    }
  | { kind: 'refused'; code: LeadRefusalCode; message: string; details?: Record<string, unknown> };

/** Codes of aap-v1.3 section 3 that a lead can be refused with. */
type LeadRefusalCode =
  | 'MISSING_REQUIRED_FIELD'
  | 'VEHICLE_NOT_FOUND'
  | 'VEHICLE_UNAVAILABLE'
  | 'CONTACT_CONSENT_REQUIRED'
  | 'INVALID_CONSENT'
  | 'APPOINTMENT_TIME_UNAVAILABLE'
  | 'IDEMPOTENCY_CONFLICT';

/** What the leads need from the inventory; src/inventory fits this shape. */
export interface VehicleLookup {
  find(
    reference: { vin?: string; stock?: string; vehicle_id?: string },
    isMeant?: (candidate: { rooftopId: string; listing: Listing }) => boolean,
  ):
    | { kind: 'listed'; listing: Listing; rooftopId: string }
    | { kind: 'gone'; leftAt: string; rooftopId: string }
    | { kind: 'unknown' };
}
