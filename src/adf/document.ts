import { readInstant } from '../model/instant.ts';
import type { LeadDocument } from '../model/lead.ts';
import { customerElement } from './customer.ts';
import { requestDate } from './dates.ts';
import { leaf, parent } from './element.ts';
import type { AdfElement } from './element.ts';
import { settleOptions } from './options.ts';
import { withShortValues } from './long-values.ts';
import type { AdfOptions, AdfSettings } from './options.ts';
import { providerElement } from './provider.ts';
import { singleLine } from './text.ts';
import { vehicleElements } from './vehicle.ts';
import { vendorElement } from './vendor.ts';
import { writeDocument } from './writer.ts';

/**
 * A lead as one ADF 1.0 document (adf-1.0 section 4): pure ASCII, line ends `\n`, valid against the strictest
 * reading of the DTD unless an option asks for a CRM's own habit. The same lead and options give the same bytes.
 */
export function renderAdf(lead: LeadDocument, options: AdfOptions): string {
  const settings = settleOptions(options);
  const prospect = withShortValues(prospectElement(lead, settings), lead.lead_id);
  return writeDocument(parent('adf', {}, { prospect }), settings.prolog);
}

function prospectElement(lead: LeadDocument, settings: AdfSettings): AdfElement<'prospect'> {
  const { request, rooftop } = lead;
  return parent(
    'prospect',
    { status: lead.resend ? 'resend' : 'new' },
    {
      id: leaf('id', singleLine(lead.lead_id), { sequence: '1', source: singleLine(settings.id_source) }),
      requestdate: leaf('requestdate', requestDateOf(lead, settings)),
      vehicle: vehicleElements(lead, settings),
      customer: customerElement(lead, settings),
      vendor: vendorElement(rooftop, settings),
      provider: providerElement(request.source_agent, settings),
    },
  );
}

/** When the buyer's agent sent it, else when we got it; never the present, so that a retry looks the same. */
function requestDateOf({ request, received_at, rooftop }: LeadDocument, settings: AdfSettings): string {
  const epochMs = readInstant(request.submitted_at ?? '') ?? readInstant(received_at);
  if (epochMs === undefined) throw new Error(`received_at is no time: ${received_at}`);
  return requestDate(epochMs, rooftop.profile.timezone, settings.requestdate);
}
