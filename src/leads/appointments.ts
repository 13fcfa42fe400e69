import { newAppointmentId } from '../model/identifier.ts';
import type { AppointmentAnswer, AppointmentRequest } from '../model/lead.ts';

/**
 * Every request for an appointment is left to the staff: `confirmed` would be a promise, and nothing here knows
 * the dealer's hours and capacity (aap-v1.3 section 5).
 */
export function answerAppointment(asked: AppointmentRequest | undefined): AppointmentAnswer | undefined {
  return asked === undefined ? undefined : { appointment_id: newAppointmentId(), status: 'requested' };
}
