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

/** A2A messageId and contextId. */
export function newMessageId(): string {
  return uuidv7();
}
