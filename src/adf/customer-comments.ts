import type { Consent, ContactChannel, LeadDocument } from '../model/lead.ts';
import { addressElement, addressText } from './address.ts';
import { appointmentFacts } from './appointment.ts';
import { cutText } from './comments.ts';
import type { AdfSettings } from './options.ts';
import { freeText, singleLine } from './text.ts';
import { tradeInFacts, tradeInRemarks } from './trade-in-words.ts';
import { namesNoVehicle } from './vehicle.ts';

const CHANNEL_WORDS: Readonly<Record<ContactChannel, string>> = {
  email: 'e-mail',
  phone: 'phone',
  sms: 'text message (SMS)',
};

/** Left for a buyer's notes when the message before them is too long for the CRM. */
const ROOM_FOR_NOTES = 200;

/**
 * The buyer's message first, character for character; then, one a line, the facts for which ADF has no element;
 * last the buyer's notes on the appointment. When the CRM takes only so much, the buyer's words are cut before the
 * facts are.
 */
export function customerComments(lead: LeadDocument, settings: AdfSettings): string {
  const { request, lead_id: leadId } = lead;
  const inWords = settings.trade_in === 'vehicle_and_comment';
  const facts = [
    ...inquiryFacts(lead),
    ...appointmentFacts(lead),
    ...contactFacts(lead),
    ...addressFacts(lead, settings),
    ...(inWords ? tradeInFacts(request.trade_in) : []),
    ...agentFacts(lead, settings),
    ...consentFacts(request.consent, leadId),
  ].join('\n');
  const message = freeText(request.message ?? '');
  const notes = [
    notesText('Appointment notes', request.appointment?.notes ?? ''),
    notesText('About the trade-in', inWords ? tradeInRemarks(request.trade_in) : ''),
  ]
    .filter((part) => part !== '')
    .join('\n');

  const room = settings.comments_limit - facts.length - 2;
  const shortMessage = cutText(message, room - Math.min(notes.length, ROOM_FOR_NOTES), leadId);
  const shortNotes = cutText(notes, room - shortMessage.length, leadId);
  const text = [shortMessage, facts, shortNotes].filter((part) => part !== '').join('\n');
  return cutText(text, settings.comments_limit, leadId);
}

function notesText(heading: string, notes: string): string {
  const text = freeText(notes);
  return text.trim() === '' ? '' : `${heading}:\n${text}`;
}

function inquiryFacts(lead: LeadDocument): string[] {
  return namesNoVehicle(lead) && lead.request.appointment === undefined
    ? ['General inquiry: no vehicle named.']
    : [];
}

/** A preference that no attribute of ADF can tell: text messages, or a channel whose address was not given. */
function contactFacts({ request }: LeadDocument): string[] {
  const { preferred_contact: preferred, email, phone } = request.customer;
  if (preferred === undefined || preferred === 'any') return [];
  if (!request.consent.allowed_channels.includes(preferred)) return [];
  const marked = { email: email !== undefined, phone: phone !== undefined, sms: false }[preferred];
  return marked ? [] : [`Preferred contact: ${CHANNEL_WORDS[preferred]}`];
}

function addressFacts({ request }: LeadDocument, settings: AdfSettings): string[] {
  const { address } = request.customer;
  if (address === undefined || addressText(address) === '') return [];
  const hasElement = addressElement(address, settings.street_missing === 'empty_street') !== undefined;
  return hasElement ? [] : [`Address without street: ${addressText(address)}`];
}

/** Where the agent can be looked up, as far as the provider does not tell. */
function agentFacts({ request }: LeadDocument, { provider }: AdfSettings): string[] {
  const { url, agent_card_url: card } = request.source_agent;
  const site = provider.form === 'network' ? url : undefined;
  return [
    ...(site === undefined ? [] : [`Agent: ${singleLine(site)}`]),
    ...(card === undefined ? [] : [`Agent card: ${singleLine(card)}`]),
  ];
}

/** The full record stays with us; the CRM's users learn what they may do and where the record is. */
function consentFacts(consent: Consent, leadId: string): string[] {
  const channels = consent.allowed_channels.map((channel) => CHANNEL_WORDS[channel]);
  const allowed = channels.length === 1 ? `${channels.join('')} only` : channels.join(', ');
  return [
    `The customer allows contact by: ${allowed}`,
    `Consent granted at ${singleLine(consent.granted_at)}`,
    ...(consent.expires_at === undefined ? [] : [`Consent expires at ${singleLine(consent.expires_at)}`]),
    `consent record ${singleLine(leadId)}`,
  ];
}
