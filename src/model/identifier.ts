import { randomUUID } from 'node:crypto';

/** Ids grow with time, so that files and rows named by them sort by age. */
export function newLeadId(): string {
  return `lead_${orderedUuid()}`;
}

export function newRunId(): string {
  return `run_${orderedUuid()}`;
}

export function newErrorId(): string {
  return `err_${orderedUuid()}`;
}

/** In no order, as the ids below. */
export function newAppointmentId(): string {
  return `appt_${randomUUID()}`;
}

/** A2A messageId and contextId: in no order, as nothing is named or sorted by them. */
export function newMessageId(): string {
  return randomUUID();
}

/** Of one call, for the log, which has the time beside it. */
export function newRequestId(): string {
  return randomUUID();
}

const IDS_A_MILLISECOND = 0x1000;
let latest = { epochMs: 0, count: 0 };

/**
 * A UUID v7 that counts within a millisecond (RFC 9562 section 6.2, method 1), and goes on where it was when the clock
 * is set back. Its random end is that of a v4, for which Node keeps random bytes ready. The package that makes such ids
 * asks the system for them each time, which was 4 % of a lead.
 */
function orderedUuid(): string {
  const now = Date.now();
  const { epochMs, count } = latest;
  if (now > epochMs) latest = { epochMs: now, count: 0 };
  else if (count + 1 < IDS_A_MILLISECOND) latest = { epochMs, count: count + 1 };
  else latest = { epochMs: epochMs + 1, count: 0 };
  const time = latest.epochMs.toString(16).padStart(12, '0');
  const counted = latest.count.toString(16).padStart(3, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counted}${randomUUID().slice('xxxxxxxx-xxxx-xxxx'.length)}`;
}
