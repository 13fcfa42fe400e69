import type { LeadDocument } from 'dealer-bridge/adapter';

const CUT_MARK = ' [cut; the dealership holds the whole text]';

/** A lead as Larkspur's API takes it. What is undefined, JSON leaves out. */
export function larkspurLead(lead: LeadDocument, noteLimit: number): object {
  const {
    customer,
    consent,
    vehicle_of_interest: wanted,
    trade_in,
    appointment,
    source_agent,
  } = lead.request;
  return {
    // Larkspur takes a lead with a known externalId only once, so that a repeated attempt makes no second one.
    externalId: lead.lead_id,
    receivedAt: lead.received_at,
    kind: appointment?.appointment_type === 'service' ? 'service' : 'sales',
    source: text(source_agent.name, 100),
    person: {
      firstName: text(customer.first_name, 60),
      lastName: text(customer.last_name, 60),
      email: customer.email,
      phone: customer.phone,
      mayBeContactedBy: consent.allowed_channels,
    },
    // What the buyer said goes before what our own listing says.
    vehicle: vehicleOf({ ...lead.listing, ...wanted }),
    tradeIn: trade_in === undefined ? undefined : vehicleOf(trade_in),
    note: text(noteOf(lead), noteLimit),
  };
}

function vehicleOf(vehicle: NonNullable<LeadDocument['request']['trade_in']>): object {
  const { vin, stock, year, make, model, mileage } = vehicle;
  return { vin, stockNumber: stock, year, make: text(make, 60), model: text(model, 60), miles: mileage };
}

function noteOf({ request, appointment }: LeadDocument): string {
  const { message, appointment: asked } = request;
  const when = appointment?.confirmed_at ?? asked?.appointment_at;
  const state = appointment?.status ?? 'requested';
  return [
    message,
    asked === undefined
      ? undefined
      : `Appointment (${asked.appointment_type}, ${state}): ${when ?? 'no time given'}. ${asked.notes ?? ''}`,
  ]
    .filter((part) => part !== undefined)
    .join('\n');
}

/** Without control characters and half characters, cut at the limit with a mark that says so. */
function text(value: string | undefined, limit: number): string | undefined {
  if (value === undefined) return undefined;
  const clean = value
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\n\t]/gu, ' ')
    .trim();
  if (clean.length <= limit) return clean;
  const mark = limit > CUT_MARK.length * 2 ? CUT_MARK : '…';
  return `${clean
    .slice(0, limit - mark.length)
    .toWellFormed()
    .replace(/\ufffd$/, '')}${mark}`;
}
