import { buffer } from 'node:stream/consumers';
import DKIM from 'nodemailer/lib/dkim';
import MailComposer from 'nodemailer/lib/mail-composer';
import { encodeWord } from 'nodemailer/lib/mime-funcs';
import type { EmailDelivery, MailAddress } from '../../adapters/crm-adapter.ts';
import { sha256 } from '../canonical-json.ts';

/** One mailbox and nothing that a mail program could read as a second one or as a new header. */
const MAILBOX = /^[^\s\p{Cc}<>()[\],;:"\\@]+@[^\s\p{Cc}<>()[\],;:"\\@]+$/u;
const MAX_HEADER_CHARACTERS = 200;
/** As nodemailer's own. */
const LONGEST_ENCODED_WORD = 52;
const DKIM_HEADER = Buffer.from('DKIM-Signature:');

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
    subject: literalHeader(singleLine(delivery.subject)),
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
  return sign(await mail.compile().build(), delivery.dkim);
}

/** RSA over the same bytes is the same signature: a repeated mail stays the same mail. */
async function sign(message: Buffer, dkim: EmailDelivery['dkim']): Promise<Buffer> {
  if (dkim === undefined) return message;
  const { domain, selector, privateKey } = dkim;
  const signer = new DKIM({ domainName: domain, keySelector: selector, privateKey });
  const signed = await buffer(signer.sign(message));
  // Without a usable key it hands the mail on as it was, and the receiver would wonder.
  if (!signed.subarray(0, DKIM_HEADER.length).equals(DKIM_HEADER)) {
    throw new Error('the DKIM key cannot sign: it is no RSA key in PEM');
  }
  return signed;
}

function toHeaderAddress({ name, address }: MailAddress): MailAddress {
  // nodemailer would quote a name that is encoded already; with a blank it is no encoding any more.
  return { name: singleLine(name).replaceAll('=?', '= ?'), address };
}

/**
 * What looks like an encoded word (RFC 2047) would be decoded by whoever reads the mail, and show a text that no check
 * has seen; nodemailer encodes only what is not ASCII. Encoded, it is read as it was written.
 */
function literalHeader(text: string): string {
  return text.includes('=?') ? encodeWord(text, 'B', LONGEST_ENCODED_WORD) : text;
}

function singleLine(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim()
    .slice(0, MAX_HEADER_CHARACTERS)
    .toWellFormed();
}
