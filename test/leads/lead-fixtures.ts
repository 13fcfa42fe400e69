import type { CrmAdapter, Delivery, SmtpServer, Verdict } from '../../src/adapters/crm-adapter.ts';
import type {
  AppointmentRule,
  DealerConfig,
  DestinationConfig,
  LeadsConfig,
} from '../../src/config/config.ts';
import { createLeadDesk, type LeadDeskParts } from '../../src/leads/accept.ts';
import type { LeadDesk, LeadOutcome, VehicleLookup } from '../../src/leads/lead-desk.ts';
import type { LeadStore } from '../../src/leads/lead-store.ts';
import type { LeadSubmitRequest } from '../../src/model/lead.ts';
import { silentLog } from '../../src/model/log.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';
import type { Listing } from '../../src/model/vehicle.ts';

/** Monday, November 30, 2026, noon UTC. */
export const NOON = Date.UTC(2026, 10, 30, 12);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export interface SetClock {
  time: number;
  now(): number;
}

export function setClock(time = NOON): SetClock {
  return {
    time,
    now() {
      return this.time;
    },
  };
}

export const HARBOR: Rooftop = {
  id: 'HPM01',
  feed_ids: [],
  profile: {
    name: 'Harbor Point Motors',
    phones: [{ value: '555-0100' }, { value: '+16195550100' }],
    timezone: 'America/Los_Angeles',
  },
};
export const CEDAR: Rooftop = {
  id: 'CRA02',
  feed_ids: [],
  profile: {
    name: 'Cedar Ridge Auto Center',
    timezone: 'America/Denver',
    address: { address_line_1: '12 Ridge Rd', city: 'Cedar Ridge', state: 'CO', zip: '80002' },
    schedules: [{ name: 'sales', value: { thursday: { open: '10:00', close: '12:00' } } }],
  },
};
const DEALER: DealerConfig = { id: 'group', name: 'Coastal Auto Group', rooftops: [HARBOR, CEDAR] };

export const LISTING: Listing = {
  vin: '1HGCY2F57RA000001',
  stock: 'T12345',
  year: 2024,
  make: 'Honda',
  model: 'CR-V',
  condition: 'used',
  status: 'available',
  updated_at: '2026-11-30T08:00:00Z',
};

/** One listing at Cedar Ridge and one vehicle that has left it. */
const lookup: VehicleLookup = {
  find: ({ vin, stock, vehicle_id }) => {
    const key = vin ?? stock ?? vehicle_id;
    if (key === LISTING.vin || key === LISTING.stock) {
      return { kind: 'listed', listing: LISTING, rooftopId: CEDAR.id };
    }
    if (key === '1HGCY2F57RA000002') {
      return { kind: 'gone', leftAt: '2026-11-29T10:00:00Z', rooftopId: CEDAR.id };
    }
    return { kind: 'unknown' };
  },
};

export function leadRequest(changes: Partial<LeadSubmitRequest> = {}): LeadSubmitRequest {
  return {
    type: 'lead.submit.request',
    customer: {
      first_name: 'Ada',
      last_name: 'Lovelace',
      email: 'ada@example.com',
      phone: '+14155550123',
    },
    consent: {
      granted_at: '2026-11-30T11:59:00Z',
      allowed_channels: ['email', 'phone'],
      consent_text: 'The dealer may contact me about this car.',
      scope: ['lead_submission'],
    },
    source_agent: { name: 'shopping-agent' },
    vehicle_of_interest: { vin: '1HGCY2F57RA000001' },
    message: 'Is it still there?',
    ...changes,
  };
}

/** A lead of another buyer each time: never a duplicate. */
export function leadOf(buyer: number): LeadSubmitRequest {
  return leadRequest({
    customer: { first_name: 'Buyer', last_name: `Number${buyer}`, email: `buyer${buyer}@example.com` },
  });
}

export function leadsConfig(changes: Partial<LeadsConfig> = {}): LeadsConfig {
  return {
    default_rooftop: HARBOR.id,
    duplicate_window_hours: 24,
    retention_days: 90,
    follow_up_channels: ['email', 'phone'],
    appointments: { holidays: [], rules: [] },
    destinations: [],
    ...changes,
  };
}

/** Both rooftops, every kind of visit, one at a time, half an hour each. */
export function autoRule(changes: Partial<AppointmentRule> = {}): AppointmentRule {
  return {
    rooftops: [HARBOR.id, CEDAR.id],
    types: ['sales', 'service', 'test_drive', 'trade_in'],
    mode: 'auto',
    slot_minutes: 30,
    capacity: 1,
    lead_time_minutes: 120,
    days_ahead: 30,
    when_full: 'request',
    holidays: [],
    ...changes,
  };
}

export function destination(
  id: string,
  crm: CrmAdapter,
  changes: Partial<DestinationConfig> = {},
): DestinationConfig {
  return {
    id,
    adapter: 'of-the-test',
    options: {},
    rooftops: [HARBOR.id, CEDAR.id],
    crm,
    retry: { first_ms: 1000, max_ms: 60_000, give_up_ms: 72 * HOUR },
    on_uncertain: 'retry',
    max_at_once: 1,
    ...changes,
  };
}

export function openDesk(store: LeadStore, changes: Partial<Omit<LeadDeskParts, 'store'>> = {}): LeadDesk {
  return createLeadDesk({
    store,
    lookup,
    leads: leadsConfig(),
    dealer: DEALER,
    clock: setClock(),
    log: silentLog,
    onQueued: () => undefined,
    ...changes,
  });
}

export function answered(outcome: LeadOutcome): Extract<LeadOutcome, { kind: 'answered' }> {
  if (outcome.kind !== 'answered') throw new Error(`refused with ${outcome.code}: ${outcome.message}`);
  return outcome;
}

export function refusalCode(outcome: LeadOutcome): string {
  return outcome.kind === 'refused' ? outcome.code : outcome.answer.status;
}

/** A CRM that takes plain mail and judges the answer by the book. */
export function mailCrm(server: SmtpServer): CrmAdapter {
  return {
    check: () => [],
    build: (lead) => ({
      kind: 'email',
      server,
      from: { name: 'dealer-bridge', address: 'bridge@dealer.example' },
      to: [{ name: '', address: 'leads@crm.example' }],
      subject: `Lead for ${lead.rooftop.profile.name}`,
      text: `${lead.lead_id}\nresend: ${lead.resend}\n`,
      attachments: [],
      messageId: `${lead.lead_id}@dealer.example`,
      date: lead.received_at,
    }),
    classify: (outcome): Verdict => {
      if (outcome.kind !== 'email') throw new Error('not a mail');
      const reason = outcome.response ?? outcome.error ?? '';
      if (outcome.stage === 'done') return { state: 'delivered', reason, reference: 'mail-1' };
      if (outcome.stage === 'auth') return { state: 'retry', reason, pauseDestination: true };
      if (outcome.sent === 'maybe') return { state: 'uncertain', reason };
      return { state: (outcome.code ?? 0) >= 500 ? 'rejected' : 'retry', reason };
    },
  };
}

export function smtpServerAt(port: number, changes: Partial<SmtpServer> = {}): SmtpServer {
  return { host: '127.0.0.1', port, security: 'none', timeoutMs: 10_000, ...changes };
}

/** A CRM that takes a POST. */
export function httpCrm(url: string): CrmAdapter {
  return {
    check: () => [],
    build: (lead) => ({
      kind: 'http',
      method: 'POST',
      url,
      headers: { 'content-type': 'application/xml', 'idempotency-key': lead.lead_id },
      body: `<lead id="${lead.lead_id}" resend="${lead.resend}"/>`,
      timeoutMs: 10_000,
    }),
    classify: (outcome): Verdict => {
      if (outcome.kind !== 'http') throw new Error('not HTTP');
      if (outcome.sent === 'maybe') return { state: 'uncertain', reason: outcome.error ?? '' };
      const { status = 0, body = '' } = outcome;
      if (status === 200) return { state: 'delivered', reason: 'taken', reference: body };
      if (status === 401) return { state: 'retry', reason: 'bad password', pauseDestination: true };
      if (status === 422) return { state: 'rejected', reason: body };
      return { state: 'retry', reason: outcome.error ?? `status ${status}` };
    },
  };
}

/** A CRM with a pick-up folder. */
export function fileCrm(folder: string): CrmAdapter {
  return {
    check: () => [],
    build: (lead) => ({ kind: 'file', folder, name: `${lead.lead_id}.txt`, content: lead.lead_id }),
    classify: (outcome): Verdict =>
      outcome.sent === 'yes'
        ? { state: 'delivered', reason: 'written' }
        : { state: 'retry', reason: outcome.kind === 'file' ? (outcome.error ?? '') : '' },
  };
}

/** A mail and an HTTP destination that give up on an answer soon and try again at once, three at a time. */
export function impatient(smtpPort: number, httpUrl: string, timeoutMs: number): DestinationConfig[] {
  const often = { retry: { first_ms: 20, max_ms: 100, give_up_ms: 72 * HOUR }, max_at_once: 3 };
  const http = httpCrm(httpUrl);
  const quick: CrmAdapter = {
    ...http,
    build: (lead, options) => ({ ...http.build(lead, options), timeoutMs }) as Delivery,
  };
  return [
    destination('mail', mailCrm(smtpServerAt(smtpPort, { timeoutMs })), often),
    destination('http', quick, often),
  ];
}
