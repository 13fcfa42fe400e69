import { calendarFile, isMailAddress, renderAdf } from '../../../src/adapters/index.ts';
import type { CrmAdapter, EmailDelivery, LeadDocument, MailAddress } from '../../../src/adapters/index.ts';
import { tokenRequestOf } from './access-token.ts';
import { check } from './check.ts';
import { isLoopback } from './check-login.ts';
import { classify } from './classify.ts';
import { messageIdOf } from './message-id.ts';
import type { Options } from './options.ts';
import { recipientLists, recipientsOf } from './recipients.ts';
import type { Recipients } from './recipients.ts';
import { subjectLine } from './subject.ts';

/** Each lead as one mail with its ADF as the whole body, as an attachment, or both. */
const adfEmail: CrmAdapter<Options> = {
  check,
  build,
  classify,
  place: ({ to, smtp }) => ({
    address: `${recipientsText(to)} by ${smtp.host}:${smtp.port}`,
    unencrypted: smtp.security === 'none' && !isLoopback(smtp.host),
  }),
};
export default adfEmail;

function build(lead: LeadDocument, options: Options): EmailDelivery {
  const xml = renderAdf(lead, options.adf);
  const replyTo = options.reply_to_customer ? customerAddress(lead) : undefined;
  return {
    kind: 'email',
    server: serverOf(options),
    from: options.from,
    to: recipientsOf(lead, options.to),
    ...(replyTo === undefined ? {} : { replyTo }),
    subject: subjectLine(options.subject, lead),
    text: options.placement === 'attachment' ? coverText(lead, options) : xml,
    attachments: [
      ...(options.placement === 'body'
        ? []
        : [
            {
              filename: options.attachment.name,
              contentType: options.attachment.content_type,
              content: xml,
            },
          ]),
      ...visitAttachments(lead, options),
    ],
    messageId: messageIdOf(lead),
    date: lead.received_at,
    ...dkimOf(options),
  };
}

/** Such as `a@crm.example, b@crm.example`, or with the departments before them. */
function recipientsText(to: Recipients): string {
  const lists = recipientLists(to).map(({ path, addresses }) => {
    const text = addresses.map(({ address }) => address).join(', ');
    return path === 'to' ? text : `${path.slice('to.'.length)}: ${text}`;
  });
  return lists.join('; ');
}

function serverOf({ smtp }: Options): EmailDelivery['server'] {
  const { host, port, security, user, password, ca, timeout_seconds } = smtp;
  const token = tokenRequestOf(smtp);
  return {
    host,
    port,
    security,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    ...(token === undefined ? {} : { token }),
    ...(ca === undefined ? {} : { ca }),
    timeoutMs: timeout_seconds * 1000,
  };
}

function dkimOf({ dkim }: Options): Pick<EmailDelivery, 'dkim'> {
  if (dkim === undefined) return {};
  const { domain, selector, key } = dkim;
  return { dkim: { domain, selector, privateKey: key } };
}

/** Only a plain address, and only if the customer allows e-mail; the name is left out, it may hold anything. */
function customerAddress({ request }: LeadDocument): MailAddress | undefined {
  const { email } = request.customer;
  const allowed = request.consent.allowed_channels.includes('email');
  return email !== undefined && allowed && isMailAddress(email) ? { name: '', address: email } : undefined;
}

function visitAttachments(lead: LeadDocument, { calendar, from }: Options): EmailDelivery['attachments'] {
  const content = calendar ? calendarFile(lead, from) : undefined;
  if (content === undefined) return [];
  return [{ filename: 'visit.ics', contentType: 'text/calendar; charset=utf-8; method=PUBLISH', content }];
}

/** For the person who opens the mail; the CRM reads the attachment. */
function coverText({ rooftop }: LeadDocument, { attachment }: Options): string {
  return `New lead for ${rooftop.profile.name}: see the attached file ${attachment.name}.\n`;
}
