import type { LeadDesk, LeadOutcome } from '../leads/lead-desk.ts';
import type { LeadStore } from '../leads/lead-store.ts';
import type { RunRecord } from '../model/intake.ts';
import type { LeadSubmitRequest } from '../model/lead.ts';
import { Tally } from '../runtime/tally.ts';
import { CallCounts } from '../web/call-counts.ts';

/** What counts of a run. */
export type FinishedRun = Pick<RunRecord, 'feedId' | 'status' | 'accepted' | 'rejected'>;

const VERDICTS = ['delivered', 'rejected', 'retry', 'uncertain'];

/** What the bridge has done since its start, for the metrics. It holds numbers, and names from the settings. */
export class Activity {
  readonly calls = { a2a: new CallCounts(), mcp: new CallCounts() };
  /** By what the lead asks for, and what became of it. */
  readonly leads = new Tally();
  /** By destination and verdict. */
  readonly attempts = new Tally();
  /** By feed and result. */
  readonly runs = new Tally();
  /** By feed and `accepted` or `refused`. */
  readonly rows = new Tally();
  /** By destination, why its adapter could not write the last lead; gone with the next one that it can. */
  readonly adapterFaults = new Map<string, string>();

  noteRun({ feedId, status, accepted, rejected }: FinishedRun): void {
    this.runs.add([feedId, status]);
    this.rows.add([feedId, 'accepted'], accepted);
    this.rows.add([feedId, 'refused'], rejected);
  }

  /** The desk, counted. */
  countLeads(desk: LeadDesk): LeadDesk {
    return {
      submit: async (request) => {
        const outcome = await desk.submit(request);
        this.leads.add([leadType(request), resultOf(outcome)]);
        return outcome;
      },
    };
  }

  /** The store as the dispatcher uses it, counted. */
  countAttempts(store: LeadStore): LeadStore {
    const destinationOf = new Map<number, string>();
    return {
      ...store,
      claimNext: async (claim) => {
        const delivery = await store.claimNext(claim);
        if (delivery !== undefined) destinationOf.set(delivery.deliveryId, delivery.destination);
        return delivery;
      },
      finishAttempt: async (report) => {
        const destination = destinationOf.get(report.deliveryId);
        destinationOf.delete(report.deliveryId);
        if (destination !== undefined) this.#noteAttempt(destination, report.attempt);
        return store.finishAttempt(report);
      },
    };
  }

  #noteAttempt(
    destination: string,
    { stage, verdict, reason }: { stage: string; verdict: string; reason: string },
  ): void {
    this.attempts.add([destination, VERDICTS.includes(verdict) ? verdict : 'other']);
    if (stage === 'build') this.adapterFaults.set(destination, reason);
    else this.adapterFaults.delete(destination);
  }
}

/** What the buyer wants, as far as it decides who at the dealer's answers. */
function leadType({ appointment, trade_in, vehicle_of_interest }: LeadSubmitRequest): string {
  if (appointment !== undefined) return `visit_${appointment.appointment_type}`;
  if (trade_in !== undefined) return 'trade_in';
  return vehicle_of_interest === undefined ? 'general' : 'vehicle';
}

function resultOf(outcome: LeadOutcome): string {
  if (outcome.kind === 'refused') return outcome.code;
  return outcome.replayed || outcome.answer.status === 'duplicate' ? 'repeated' : 'accepted';
}
