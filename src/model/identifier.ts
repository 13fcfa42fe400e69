import { v7 as uuidv7 } from 'uuid';

/** Ids grow with time, so that files and rows named by them sort by age. */
export function newLeadId(): string {
  return `lead_${uuidv7()}`;
}

export function newAppointmentId(): string {
  return `appt_${uuidv7()}`;
}

export function newRunId(): string {
  return `run_${uuidv7()}`;
}

export function newErrorId(): string {
  return `err_${uuidv7()}`;
}

/** A2A messageId and contextId. Within one millisecond in no order. */
export function newMessageId(): string {
  return uuidv7({ random: nextRandomBytes() });
}

/** Of one call, for the log. Within one millisecond in no order. */
export function newRequestId(): string {
  return uuidv7({ random: nextRandomBytes() });
}

const RANDOM_BYTES = 16;

/** Asking the system for randomness is most of the work of an id, so calls share one answer of it. */
const pool = new Uint8Array(RANDOM_BYTES * 256);
let poolUsed = pool.length;

function nextRandomBytes(): Uint8Array {
  if (poolUsed === pool.length) {
    crypto.getRandomValues(pool);
    poolUsed = 0;
  }
  poolUsed += RANDOM_BYTES;
  return pool.subarray(poolUsed - RANDOM_BYTES, poolUsed);
}
