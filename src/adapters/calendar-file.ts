import type { AppointmentType, LeadDocument } from '../model/lead.ts';
import type { PostalAddress } from '../model/rooftop.ts';
import type { MailAddress } from './crm-adapter.ts';

const MINUTE_MS = 60_000;
/** Octets of one content line, its line end not counted (RFC 5545 section 3.1). */
const LONGEST_LINE = 75;
/** Of one property's text: a buyer's notes may be long, a calendar shows little. */
const LONGEST_TEXT = 2_000;

const KINDS: Readonly<Record<AppointmentType, string>> = {
  sales: 'Sales appointment',
  service: 'Service appointment',
  test_drive: 'Test drive',
  trade_in: 'Trade-in appraisal',
};

/**
 * The confirmed visit of a lead as an iCalendar file (RFC 5545), for the dealer's own calendar; undefined when no
 * visit is confirmed. Its method is PUBLISH: nobody is invited, so no calendar program answers the buyer or us. The
 * same lead gives the same bytes.
 *
 * @param organizer the sender of the mail; an event that is published must name one (RFC 5546 section 3.2.1)
 */
export function calendarFile(lead: LeadDocument, organizer: MailAddress): string | undefined {
  const { appointment, visit_minutes: minutes, request, rooftop } = lead;
  const asked = request.appointment;
  const start = Date.parse(appointment?.confirmed_at ?? '');
  if (
    appointment?.status !== 'confirmed' ||
    asked === undefined ||
    minutes === undefined ||
    Number.isNaN(start)
  ) {
    return undefined;
  }
  const place = placeText(rooftop.profile.address);
  return contentLines([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//dealer-bridge//leads//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${token(appointment.appointment_id)}@dealer-bridge.invalid`,
    `DTSTAMP:${utc(Date.parse(lead.received_at))}`,
    `DTSTART:${utc(start)}`,
    `DTEND:${utc(start + minutes * MINUTE_MS)}`,
    'SEQUENCE:0',
    'STATUS:CONFIRMED',
    `SUMMARY:${text(summaryOf(lead, KINDS[asked.appointment_type]))}`,
    `DESCRIPTION:${text(descriptionOf(lead))}`,
    ...(place === '' ? [] : [`LOCATION:${text(place)}`]),
    `ORGANIZER;CN="${quotable(rooftop.profile.name)}":mailto:${token(organizer.address)}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]);
}

function summaryOf({ request, listing }: LeadDocument, kind: string): string {
  const { first_name, last_name } = request.customer;
  const { year, make, model } = { ...listing, ...request.vehicle_of_interest };
  const vehicle = [year, make, model].filter((word) => word !== undefined).join(' ');
  return [`${kind}: ${first_name} ${last_name}`, ...(vehicle === '' ? [] : [vehicle])].join(', ');
}

/** How to reach the buyer only by what they allow. */
function descriptionOf({ lead_id, request }: LeadDocument): string {
  const { customer, consent, appointment } = request;
  const allows = consent.allowed_channels;
  return [
    ...(customer.phone !== undefined && (allows.includes('phone') || allows.includes('sms'))
      ? [`Phone: ${customer.phone}`]
      : []),
    ...(customer.email !== undefined && allows.includes('email') ? [`E-mail: ${customer.email}`] : []),
    ...(appointment?.notes === undefined ? [] : [`Notes: ${appointment.notes}`]),
    `Lead: ${lead_id}`,
  ].join('\n');
}

function placeText({ address_line_1, address_line_2, city, state, zip }: PostalAddress = {}): string {
  return [address_line_1, address_line_2, city, state, zip].filter((part) => part !== undefined).join(', ');
}

/** `20261203T180000Z`. */
function utc(epochMs: number): string {
  return `${new Date(epochMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** A TEXT value: what would end it or begin another property is escaped, other controls are left out. */
function text(value: string): string {
  return value
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/gu, '\n')
    .replaceAll(/(?!\n)\p{Cc}/gu, '')
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll('\n', String.raw`\n`);
}

/** Inside double quotes nothing can be escaped: what may not stand there is left out. */
function quotable(value: string): string {
  return value
    .slice(0, LONGEST_TEXT)
    .toWellFormed()
    .replaceAll(/[\p{Cc}"\u2028\u2029]/gu, '');
}

/** An identifier or a mail address: printable ASCII that has no meaning in a content line. */
function token(value: string): string {
  return value.replaceAll(/[^A-Za-z0-9@._+=#$%&'*/?^`{|}~!-]/g, '');
}

/** Ends every line with CRLF and folds the long ones, never inside a character. */
function contentLines(lines: readonly string[]): string {
  return lines.map((line) => `${fold(line)}\r\n`).join('');
}

function fold(line: string): string {
  let folded = '';
  let octets = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (octets + size > LONGEST_LINE) {
      folded += '\r\n ';
      octets = 1;
    }
    folded += character;
    octets += size;
  }
  return folded;
}
