import { fileURLToPath } from 'node:url';
import { loadCrmAdapter } from '../adapters/loader.ts';
import type { Delivery, EmailDelivery } from '../adapters/crm-adapter.ts';
import type { DestinationConfig } from '../config/config.ts';
import { composeMail } from '../leads/delivery/compose-mail.ts';
import type { LeadDocument } from '../model/lead.ts';
import { describeProblem } from '../model/problem.ts';

const MAIL_ADAPTER = fileURLToPath(new URL('../../adapters/crm/adf-email', import.meta.url));

/** What the CRM would read: the file, the request's body, or the mail's text or attachment. */
export function previewDocument(lead: LeadDocument, { crm, options }: DestinationConfig): string {
  return documentOf(crm.build(lead, options));
}

/**
 * The whole mail (RFC 822, CRLF line ends) as the mail server would get it; for a destination that is not one by
 * mail, as adf-email would write it with its default settings.
 */
export async function previewMail(
  lead: LeadDocument,
  { crm, options }: DestinationConfig,
): Promise<{ text: string; isByMail: boolean }> {
  const delivery = crm.build(lead, options);
  const isByMail = delivery.kind === 'email';
  const message = await composeMail(isByMail ? delivery : await defaultMail(lead, options));
  // Every part is encoded as ASCII.
  return { text: message.toString('latin1').replaceAll(/\r?\n/g, '\r\n'), isByMail };
}

function documentOf(delivery: Delivery): string {
  switch (delivery.kind) {
    case 'email':
      return delivery.attachments.find(isLead)?.content ?? delivery.text ?? '';
    case 'http':
      return delivery.body;
    case 'file':
    case 'sftp':
      return delivery.content;
  }
}

/** A calendar file may lie beside it. */
function isLead({ contentType }: EmailDelivery['attachments'][number]): boolean {
  return !contentType.startsWith('text/calendar');
}

async function defaultMail(lead: LeadDocument, options: unknown): Promise<EmailDelivery> {
  const loaded = await loadCrmAdapter(MAIL_ADAPTER);
  if (!loaded.ok) throw new Error(loaded.problems.map(describeProblem).join('\n'));
  const { name, emails } = lead.rooftop.profile;
  const mailOptions = {
    smtp: { host: 'smtp.example.com' },
    from: { name, address: emails?.[0]?.value ?? 'leads@dealership.example' },
    to: [{ address: 'leads@crm.example' }],
    ...adfOptionsOf(options),
  };
  loaded.value.checkOptions(mailOptions);
  const delivery = loaded.value.crm.build(lead, mailOptions);
  if (delivery.kind !== 'email') throw new Error('adf-email built no mail');
  return delivery;
}

/** The three ADF adapters keep the same settings under the same name. */
function adfOptionsOf(options: unknown): { adf?: unknown } {
  const isAdf = typeof options === 'object' && options !== null && 'adf' in options;
  return isAdf ? { adf: structuredClone(options.adf) } : {};
}
