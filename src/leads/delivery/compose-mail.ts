import MailComposer from 'nodemailer/lib/mail-composer';
import type { EmailDelivery, MailAddress } from '../../adapters/crm-adapter.ts';
import { sha256 } from '../canonical-json.ts';

/** One mailbox and nothing that a mail program could read as a second one or as a new header. */
const MAILBOX = /^[^\s\p{Cc}<>()[\],;:"\\@]+@[^\s\p{Cc}<>()[\],;:"\\@]+$/u;
const MAX_HEADER_CHARACTERS = 200;

export function isMailbox(address: string): boolean {
  return address.length <= 254 && MAILBOX.test(address);
}

/**
 * The whole message, the same bytes for the same delivery. Addresses are only ever objects: a text with a comma in
 * it would be two recipients. Whatever came from a buyer is made a single line before it becomes a header.
 */
export async function composeMail(delivery: EmailDelivery): Promise<Buffer> {
  const { from, to, replyTo } = delivery;
  const mail = new MailComposer({
    from: toHeaderAddress(from),
    to: to.map(toHeaderAddress),
    // A reply address that is none is worth less than the lead itself.
    ...(replyTo !== undefined && isMailbox(replyTo.address) && { replyTo: toHeaderAddress(replyTo) }),
    subject: singleLine(delivery.subject),
    messageId: `<${singleLine(delivery.messageId).replace(/[<>\s]/g, '')}>`,
    date: new Date(delivery.date),
    ...(delivery.text !== undefined && { text: delivery.text }),
    attachments: delivery.attachments.map(({ filename, contentType, content }) => ({
      filename: singleLine(filename),
      contentType: singleLine(contentType),
      content,
    })),
    baseBoundary: sha256(delivery.messageId).slice(0, 32),
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return mail.compile().build();
}

function toHeaderAddress({ name, address }: MailAddress): MailAddress {
  return { name: singleLine(name), address };
}

function singleLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, MAX_HEADER_CHARACTERS)
    .toWellFormed();
}
