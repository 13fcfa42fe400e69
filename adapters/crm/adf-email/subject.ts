import { fillTemplate } from '../../../src/adapters/index.ts';
import type { LeadDocument } from '../../../src/adapters/index.ts';

export const SUBJECT_PLACES = ['dealership', 'lead_id', 'source', 'kind', 'customer', 'vehicle'] as const;

/** Mail programs show less; a header of many kilobytes is refused by some servers. */
const LONGEST_SUBJECT = 200;

const KINDS = {
  sales: 'sales appointment',
  service: 'service appointment',
  test_drive: 'test drive',
  trade_in: 'trade-in appraisal',
} as const;

/** One logical line, whatever the buyer put into the fields. */
export function subjectLine(template: string, lead: LeadDocument): string {
  const { request, rooftop } = lead;
  const subject = headerText(
    fillTemplate(template, {
      dealership: rooftop.profile.name,
      lead_id: lead.lead_id,
      source: request.source_agent.name,
      kind: kindOf(lead),
      customer: `${request.customer.first_name} ${request.customer.last_name}`,
      vehicle: vehicleText(lead),
    }),
  );
  // A character that is cut in half at the end is none.
  return subject.slice(0, LONGEST_SUBJECT).replace(/[\uD800-\uDBFF]$/, '');
}

/** No control character or line separator of any kind, no half characters, no runs of blanks. */
function headerText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

function kindOf({ request }: LeadDocument): string {
  if (request.appointment !== undefined) return KINDS[request.appointment.appointment_type];
  if (request.vehicle_of_interest !== undefined) return 'vehicle inquiry';
  return request.trade_in === undefined ? 'general inquiry' : KINDS.trade_in;
}

function vehicleText({ request, listing }: LeadDocument): string {
  const vehicle = { ...listing, ...(request.vehicle_of_interest ?? request.trade_in) };
  const words = [vehicle.year, vehicle.make, vehicle.model].filter((word) => word !== undefined);
  return words.length === 0 ? 'no vehicle named' : words.join(' ');
}
