import type {
  AppointmentAnswer,
  AppointmentRequest,
  AppointmentType,
  ContactChannel,
  LeadAnswer,
} from '../model/lead.ts';
import { readInstant } from '../model/instant.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { OriginalLead } from './lead-store.ts';
import type { StoredReply } from './stored-lead.ts';
import { localTime } from './local-time.ts';
import { DEPARTMENTS } from './opening-hours.ts';

const E164 = /^\+[1-9]\d{1,14}$/;

const APPOINTMENT_NAMES: Readonly<Record<AppointmentType, string>> = {
  sales: 'sales appointment',
  service: 'service appointment',
  test_drive: 'test drive',
  trade_in: 'trade-in appraisal',
};

const VISITS_IN_GENERAL: Readonly<Record<AppointmentType, string>> = {
  sales: 'sales appointments',
  service: 'service appointments',
  test_drive: 'test drives',
  trade_in: 'trade-in appraisals',
};

const CHANNEL_NAMES: Readonly<Record<ContactChannel, string>> = {
  email: 'e-mail',
  phone: 'phone',
  sms: 'text message',
};

export interface ReceivedLead {
  leadId: string;
  rooftop: Rooftop;
  /** Channels on which the dealer may and can answer, the preferred one first. */
  channels: readonly ContactChannel[];
  appointment?: { asked: AppointmentRequest; answer: AppointmentAnswer };
  /** What the buyer must know of the vehicle. */
  note?: string;
}

/** The answer to a new lead, and in one or two sentences what happens next. */
export function replyToLead({ leadId, rooftop, channels, appointment, note }: ReceivedLead): StoredReply {
  const contact = `contact you by ${channels.map((channel) => CHANNEL_NAMES[channel]).join(' or ')}`;
  const message =
    appointment === undefined
      ? `${rooftop.profile.name} has received your inquiry and will ${contact}.`
      : visitMessage(appointment.asked, appointment.answer, rooftop, contact);
  return {
    answer: answer(leadId, 'received', rooftop, appointment?.answer),
    message: note === undefined ? message : `${message} ${note}`,
  };
}

/** Says of a visit exactly what is certain. */
function visitMessage(
  asked: AppointmentRequest,
  { status, proposed_times = [] }: AppointmentAnswer,
  rooftop: Rooftop,
  contact: string,
): string {
  const { name } = rooftop.profile;
  const visit = visitPhrase(asked, rooftop);
  switch (status) {
    case 'confirmed':
      return `${name} has received your inquiry and confirms ${visit}. The staff may ${contact} about it.`;
    case 'proposed': {
      const times = proposed_times.map((time) => localTime(Date.parse(time), zoneOf(rooftop)));
      return (
        `${name} has received your inquiry, but cannot confirm ${visit}. Free at this moment, though not held for ` +
        `you: ${times.join('; ')}. The staff will ${contact} to agree on a time.`
      );
    }
    case 'requested':
      return (
        `${name} has received your inquiry. The staff will ${contact} to arrange ${visit}, ` +
        'which is not yet confirmed.'
      );
    case 'rejected':
      return (
        `${name} has received your inquiry and will ${contact}. It takes no bookings here for ` +
        `${VISITS_IN_GENERAL[asked.appointment_type]}: ${callPhrase(rooftop, asked)} to arrange yours.`
      );
  }
}

/** Why a lead was refused for its visit alone, and what the buyer can do. */
export function noTimeMessage(asked: AppointmentRequest, rooftop: Rooftop): string {
  return (
    `${rooftop.profile.name} has no free time for ${visitPhrase(asked, rooftop)}, nor any other that could be ` +
    `booked here. Nothing was passed on: ${callPhrase(rooftop, asked)}, or send the inquiry without an appointment.`
  );
}

const NOT_BOOKED = 'The visit asked for now is not booked.';

/** The answer to a repeat: nothing new goes to the dealer, and the buyer must know that. */
export function replyToRepeat(
  { lead_id, visit }: OriginalLead,
  rooftop: Rooftop,
  asked: AppointmentRequest | undefined,
): StoredReply {
  const message =
    `${rooftop.profile.name} already has this inquiry from an earlier submission and will answer that one. ` +
    `If something has changed, ${callPhrase(rooftop, asked)}: nothing new was passed on.`;
  if (asked === undefined) return { answer: answer(lead_id, 'duplicate', rooftop, undefined), message };
  if (visit === undefined) {
    return { answer: answer(lead_id, 'duplicate', rooftop, undefined), message: `${message} ${NOT_BOOKED}` };
  }
  const { isSame, words } = standingVisit(visit, asked, rooftop);
  return {
    answer: answer(lead_id, 'duplicate', rooftop, isSame ? visit.answer : undefined),
    message: words === '' ? message : `${message} ${words}`,
  };
}

/**
 * Whether the visit of the first lead is the one that is asked for now, so that its answer holds for both; and what
 * must be said when it is not, or when nothing is promised any more.
 */
function standingVisit(
  { asked: first, answer: { status, confirmed_at }, isHeld }: OriginalLead['visit'] & object,
  asked: AppointmentRequest,
  rooftop: Rooftop,
): { isSame: boolean; words: string } {
  const isPromise = status === 'confirmed';
  const stands = visitPhrase({ ...first, ...(isPromise && { appointment_at: confirmed_at }) }, rooftop);
  if (isPromise && !isHeld) {
    return { isSame: false, words: `The visit that was confirmed then, ${stands}, was called off since.` };
  }
  if (isSameVisit(first, asked)) return { isSame: true, words: '' };
  if (status === 'rejected') return { isSame: false, words: NOT_BOOKED };
  const state = isPromise ? 'is confirmed' : 'is not yet confirmed';
  return { isSame: false, words: `What stands from then is ${stands}, which ${state}. ${NOT_BOOKED}` };
}

/** Who names no time now asks for the one that was named before. */
function isSameVisit(first: AppointmentRequest, asked: AppointmentRequest): boolean {
  const [before, now] = [first, asked].map(({ appointment_at }) => readInstant(appointment_at ?? ''));
  return first.appointment_type === asked.appointment_type && (now === undefined || now === before);
}

function answer(
  leadId: string,
  status: LeadAnswer['status'],
  rooftop: Rooftop,
  appointment: AppointmentAnswer | undefined,
): LeadAnswer {
  const phone = phoneOf(rooftop);
  return {
    lead_id: leadId,
    status,
    ...(appointment === undefined ? {} : { appointment }),
    dealer: { name: rooftop.profile.name, ...(phone === undefined ? {} : { phone }) },
  };
}

function phoneOf({ profile }: Rooftop, asked?: AppointmentRequest): string | undefined {
  const phones = profile.phones?.filter(({ value }) => E164.test(value)) ?? [];
  const department = asked && DEPARTMENTS[asked.appointment_type];
  const own = phones.find(
    ({ name }) => department !== undefined && name?.trim().toLowerCase() === department,
  );
  return (own ?? phones[0])?.value;
}

/** The number of the department that receives the buyer, where it has one. */
function callPhrase(rooftop: Rooftop, asked: AppointmentRequest | undefined): string {
  const phone = phoneOf(rooftop, asked);
  return phone === undefined ? 'please contact the dealer' : `please call ${phone}`;
}

function visitPhrase({ appointment_type, appointment_at }: AppointmentRequest, rooftop: Rooftop): string {
  const name = `your ${APPOINTMENT_NAMES[appointment_type]}`;
  const time = appointment_at === undefined ? undefined : readInstant(appointment_at);
  return time === undefined ? name : `${name} on ${localTime(time, zoneOf(rooftop))}`;
}

function zoneOf({ profile }: Rooftop): string {
  return profile.timezone ?? 'UTC';
}
