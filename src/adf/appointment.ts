import { readInstant } from '../model/instant.ts';
import type { AppointmentAnswer, AppointmentType, LeadDocument } from '../model/lead.ts';
import { localTime } from './dates.ts';
import { singleLine } from './text.ts';

const KINDS: Readonly<Record<AppointmentType, string>> = {
  sales: 'sales appointment',
  service: 'service appointment',
  test_drive: 'test drive',
  trade_in: 'in-person appraisal of the trade-in',
};

/** ADF has no appointment: what was asked for and what we answered, in words and in the dealership's time. */
export function appointmentFacts({
  request,
  rooftop,
  appointment: answer,
  visit_minutes: minutes,
}: LeadDocument): string[] {
  const { appointment } = request;
  if (appointment === undefined) return [];
  const timeZone = rooftop.profile.timezone;
  const when =
    appointment.appointment_at === undefined
      ? 'no time was given'
      : timeText(appointment.appointment_at, timeZone);
  const duration =
    appointment.duration_minutes === undefined ? '' : `, ${appointment.duration_minutes} minutes`;
  return [
    `Requested: ${KINDS[appointment.appointment_type]}`,
    `When: ${when}${duration}`,
    ...(answer === undefined ? [] : answerFacts(answer, timeZone, minutes)),
  ];
}

function answerFacts(
  answer: AppointmentAnswer,
  timeZone: string | undefined,
  minutes: number | undefined,
): string[] {
  switch (answer.status) {
    case 'confirmed':
      return [
        answer.confirmed_at === undefined
          ? 'Our answer: confirmed'
          : `Our answer: confirmed for ${timeText(answer.confirmed_at, timeZone)}` +
            (minutes === undefined ? '' : `, ${minutes} minutes`),
      ];
    case 'proposed':
      return [
        'Our answer: proposed other times',
        ...(answer.proposed_times ?? []).map((time) => `- ${timeText(time, timeZone)}`),
      ];
    case 'requested':
      return ['Our answer: requested, not confirmed yet'];
    case 'rejected':
      return ['Our answer: rejected'];
  }
}

function timeText(time: string, timeZone: string | undefined): string {
  const epochMs = readInstant(time);
  return epochMs === undefined ? singleLine(time) : localTime(epochMs, timeZone);
}
