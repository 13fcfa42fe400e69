import type { Consent, ContactChannel, LeadDocument } from '../model/lead.ts';
import { addressElement, addressText } from './address.ts';
import { appointmentFacts } from './appointment.ts';
import { cutText } from './comments.ts';
import type { AdfSettings } from './options.ts';
import { saysNothing } from './listing.ts';
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
/** Of a message at least so much is told, its mark included, whatever else has to go. */
const ROOM_FOR_MESSAGE = 200;

/**
 * The buyer's message first, character for character; then, one a line, the facts for which ADF has no element;
 * last the buyer's notes on the appointment. When the CRM takes only so much, the buyer's words are cut before the
 * facts are, but never to nothing: what is missing is marked, wherever it is missing.
 */
export function customerComments(lead: LeadDocument, settings: AdfSettings): string {
  const { request, lead_id: leadId } = lead;
  const inWords = settings.trade_in === 'vehicle_and_comment';
  const visit = [
    ...inquiryFacts(lead),
    ...emptyTradeInFacts(lead),
    ...appointmentFacts(lead),
    ...contactFacts(lead),
  ];
  const address = addressFacts(lead, settings);
  const tradeIn = inWords ? tradeInFacts(request.trade_in) : [];
  const agent = agentFacts(lead, settings);
  const consent = consentFacts(request.consent, leadId);
  const facts = [...visit, ...address, ...tradeIn, ...agent, ...consent].join('\n');
  const message = freeText(request.message ?? '');
  const notes = joined(
    notesText('Appointment notes', request.appointment?.notes ?? ''),
    notesText('About the trade-in', inWords ? tradeInRemarks(request.trade_in) : ''),
  );
  const limit = settings.comments_limit;
  const whole = joined(message, facts, notes);
  if (whole.length <= limit) return whole;
  const leastMessage = Math.min(message.length, ROOM_FOR_MESSAGE);
  const leastNotes = Math.min(notes.length, ROOM_FOR_NOTES);
  const room = limit - facts.length - 2;
  if (room < leastMessage + leastNotes) {
    // Not even the facts fit beside it: those go first that a salesperson needs least.
    const needed = [...visit, ...consent, ...tradeIn, ...address, ...agent].join('\n');
    return cutText(joined(cutText(message, leastMessage, leadId), needed, notes), limit, leadId);
  }
  const shortMessage = cutText(message, room - leastNotes, leadId);
  return joined(shortMessage, facts, cutText(notes, room - shortMessage.length, leadId));
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== '').join('\n');
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

/** Agents also send it empty where they know of none, so it is no more than a hint. */
function emptyTradeInFacts({ request: { trade_in: tradeIn } }: LeadDocument): string[] {
  const isEmpty = tradeIn !== undefined && saysNothing(tradeIn);
  return isEmpty ? ['Trade-in sent without details: ask whether there is one.'] : [];
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
