import type {
  AppointmentAnswer,
  AppointmentRequest,
  AppointmentType,
  ContactChannel,
  LeadAnswer,
} from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { StoredReply } from './lead-store.ts';

const E164 = /^\+[1-9]\d{1,14}$/;

const APPOINTMENT_NAMES: Readonly<Record<AppointmentType, string>> = {
  sales: 'sales appointment',
  service: 'service appointment',
  test_drive: 'test drive',
  trade_in: 'trade-in appraisal',
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
}

/** The answer to a new lead, and in one or two sentences what happens next. */
export function replyToLead({ leadId, rooftop, channels, appointment }: ReceivedLead): StoredReply {
  const contact = `will contact you by ${channels.map((channel) => CHANNEL_NAMES[channel]).join(' or ')}`;
  const message =
    appointment === undefined
      ? `${rooftop.profile.name} has received your inquiry and ${contact}.`
      : `${rooftop.profile.name} has received your inquiry. ` +
        `The staff ${contact} to arrange ${appointmentPhrase(appointment.asked, rooftop)}, which is not yet confirmed.`;
  return { answer: answer(leadId, 'received', rooftop, appointment?.answer), message };
}

/** The answer to a repeat: nothing new goes to the dealer, and the buyer must know that. */
export function replyToRepeat(
  original: { lead_id: string; appointment?: AppointmentAnswer },
  rooftop: Rooftop,
  askedForAppointment: boolean,
): StoredReply {
  const phone = phoneOf(rooftop);
  const call = phone === undefined ? 'please contact the dealer' : `please call ${phone}`;
  const message =
    `${rooftop.profile.name} already has this inquiry from an earlier submission and will answer that one. ` +
    `If something has changed, ${call}: nothing new was passed on.`;
  const appointment = askedForAppointment ? original.appointment : undefined;
  return { answer: answer(original.lead_id, 'duplicate', rooftop, appointment), message };
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

function phoneOf({ profile }: Rooftop): string | undefined {
  return profile.phones?.find(({ value }) => E164.test(value))?.value;
}

function appointmentPhrase(
  { appointment_type, appointment_at }: AppointmentRequest,
  rooftop: Rooftop,
): string {
  const name = `your ${APPOINTMENT_NAMES[appointment_type]}`;
  if (appointment_at === undefined) return name;
  return `${name} on ${localTime(appointment_at, rooftop.profile.timezone ?? 'UTC')}`;
}

/** As the dealer's wall clock shows it: `Sunday, May 3 at 11:00 AM PDT`. */
function localTime(instant: string, timeZone: string): string {
  const date = new Date(instant);
  const day = date.toLocaleDateString('en-US', { weekday: 'long', month: 'long', day: 'numeric', timeZone });
  const time = date.toLocaleTimeString('en-US', {
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone,
  });
  // ICU puts a narrow no-break space before AM and PM, which plain-text readers show as a box.
  return `${day} at ${time}`.replace(/\u202F/g, ' ');
}
