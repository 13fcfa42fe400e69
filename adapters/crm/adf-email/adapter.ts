import { isMailAddress, renderAdf } from '../../../src/adapters/index.ts';
import type { CrmAdapter, EmailDelivery, LeadDocument, MailAddress } from '../../../src/adapters/index.ts';
import { check } from './check.ts';
import { classify } from './classify.ts';
import { messageIdOf } from './message-id.ts';
import type { Options } from './options.ts';
import { subjectLine } from './subject.ts';

/** Each lead as one mail with its ADF as the whole body, as an attachment, or both. */
const adfEmail: CrmAdapter<Options> = {
  check,
  build,
  classify,
  place: ({ to, smtp }) => ({
    address: `${to.map(({ address }) => address).join(', ')} by ${smtp.host}:${smtp.port}`,
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
    to: options.to,
    ...(replyTo === undefined ? {} : { replyTo }),
    subject: subjectLine(options.subject, lead),
    text: options.placement === 'attachment' ? coverText(lead, options) : xml,
    attachments:
      options.placement === 'body'
        ? []
        : [
            {
              filename: options.attachment.name,
              contentType: options.attachment.content_type,
              content: xml,
            },
          ],
    messageId: messageIdOf(lead),
    date: lead.received_at,
  };
}

function serverOf({ smtp }: Options): EmailDelivery['server'] {
  const { host, port, security, user, password, timeout_seconds } = smtp;
  return {
    host,
    port,
    security,
    ...(user === undefined ? {} : { user }),
    ...(password === undefined ? {} : { password }),
    timeoutMs: timeout_seconds * 1000,
  };
}

/** Only a plain address, and only if the customer allows e-mail; the name is left out, it may hold anything. */
function customerAddress({ request }: LeadDocument): MailAddress | undefined {
  const { email } = request.customer;
  const allowed = request.consent.allowed_channels.includes('email');
  return email !== undefined && allowed && isMailAddress(email) ? { name: '', address: email } : undefined;
}

/** For the person who opens the mail; the CRM reads the attachment. */
function coverText({ rooftop }: LeadDocument, { attachment }: Options): string {
  return `New lead for ${rooftop.profile.name}: see the attached file ${attachment.name}.\n`;
}
