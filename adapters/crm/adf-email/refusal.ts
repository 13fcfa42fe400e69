import type { AttemptOutcome } from '../../../src/adapters/index.ts';

type MailOutcome = Extract<AttemptOutcome, { kind: 'email' }>;

/** Who or what is refused for good. All but `lead` are the same for every lead. */
export type Refused = 'lead' | 'us' | 'addresses' | 'sender' | 'mailbox';

/** Reply codes that speak of the login, not of the mail (RFC 4954). */
const LOGIN_CODES = new Set([530, 534, 535, 538]);

const ENHANCED_CODE = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/;

/** Of the mail itself, in the mailbox and on the way there (RFC 3463, X.2.3 and X.3.4). */
const TOO_LARGE = /^5\.(?:2\.3|3\.4)$/;
/** A mailbox that is full or out of use, a disk that is full. */
const NO_ROOM = /^5\.(?:2\.[12]|3\.1)$/;
/** Addresses and the way to them, which stand in the settings (RFC 3463, X.1 and X.4). */
const ADDRESS = /^5\.[14]\.\d+$/;
/**
 * By which a server that has read the mail speaks of its sender: not allowed to send as this address, SPF, DKIM or
 * DMARC that do not hold, an organisation that may not send (RFC 7372, and Microsoft's and Google's own).
 */
const SENDER = /^5\.(?:2\.252|7\.(?:2\d|3\d|5\d|60|64|13[3469]|5\d\d|7\d\d))$/;

/** Many servers have 5.7.1 or no code at all for all of this, and say it in words. */
const SENDER_WORDS = [
  // Not the names of tests that were passed, which a content filter likes to list.
  /\b(?:SPF|DKIM|DMARC)\b(?!\s*[=:]?\s*(?:pass|none|neutral|ok)\b)/i,
  /\bsender policy framework\b|\bSendAsDenied/i,
  /\b(?:not (?:allowed|authori[sz]ed|permitted)|unauthori[sz]ed|no permissions?|does not have permissions?) to (?:send|relay)\b/i,
  /\bunable to relay\b|\brelay(?:ing)? (?:access )?(?:is )?(?:denied|not (?:allowed|permitted))/i,
  /\bauthentication (?:is )?required\b/i,
  /\b(?:client host|IP|your (?:server|host|network))\b.{0,80}\b(?:blocked|block ?list(?:ed)?|blacklist(?:ed)?|listed|reputation)\b/i,
  /\bunauthenticated (?:e-?mail|mail|sender)\b|\bsender (?:address|domain) (?:is )?(?:rejected|not (?:allowed|verified))/i,
];
const ROOM_WORDS =
  /\bmailbox\b.{0,40}\bfull\b|\bquota\b|\b(?:insufficient|not enough|out of) .{0,20}(?:storage|space)\b/i;
const SIZE_WORDS = /\b(?:size|too (?:large|big|long)|length)\b/i;

/**
 * What a refusal for good (5xx) is about. Nothing before the content is the lead's own but its announced size: a lead
 * that is rejected for an unknown or full mailbox would be one of many. Of what comes after the content the server's
 * code decides, and where that is general, its words.
 */
export function refusedBy({ code = 0, stage, response = '' }: MailOutcome): Refused {
  if (LOGIN_CODES.has(code)) return 'us';
  const enhanced = ENHANCED_CODE.exec(response)?.[1] ?? '';
  if (isTooLarge(code, enhanced, response)) return 'lead';
  if (hasNoRoom(code, enhanced, response)) return 'mailbox';
  if (stage !== 'data') return stage === 'envelope' ? 'addresses' : 'us';
  if (SENDER.test(enhanced)) return 'sender';
  if (ADDRESS.test(enhanced)) return 'addresses';
  return isGeneral(enhanced) && SENDER_WORDS.some((words) => words.test(response)) ? 'sender' : 'lead';
}

function hasNoRoom(code: number, enhanced: string, response: string): boolean {
  if (NO_ROOM.test(enhanced)) return true;
  // Google also refuses contents with 552, and 5.7.0.
  if (code === 552 && /^(?:|5\.[23]\.0)$/.test(enhanced)) return true;
  return isGeneral(enhanced) && ROOM_WORDS.test(response);
}

/** 552 is a mailbox without room as well as a mail that is too large for it. */
function isTooLarge(code: number, enhanced: string, response: string): boolean {
  if (TOO_LARGE.test(enhanced)) return true;
  return code === 552 && isGeneral(enhanced) && SIZE_WORDS.test(response) && !ROOM_WORDS.test(response);
}

/** No code, X.0.0, X.2.0, X.7.0, X.7.1 and the like, under which servers put everything. */
function isGeneral(enhanced: string): boolean {
  return enhanced === '' || /^5\.(?:\d\.0|7\.1)$/.test(enhanced);
}
