import type { Database } from 'better-sqlite3';
import type { LeadEntry, LeadSettlement, CalendarQuestion } from './lead-store.ts';
import type { TimeSpan } from './opening-hours.ts';

type Settled = Extract<LeadSettlement, { kind: 'settled' }>;

/** The visits that were promised. To be used inside the transaction that stores the lead. */
export function calendarTable(database: Database) {
  const select = database.prepare<[string, string, number, number], TimeSpan>(
    `SELECT starts_at AS "from", ends_at AS "to" FROM appointments
     WHERE rooftop_id = ? AND appointment_type = ? AND freed_at IS NULL AND ends_at > ? AND starts_at < ?`,
  );
  const insert = database.prepare(
    `INSERT INTO appointments (appointment_id, lead_id, rooftop_id, appointment_type, starts_at, ends_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
  );
  return {
    taken({ rooftop_id, appointment_type, within }: CalendarQuestion): TimeSpan[] {
      return select.all(rooftop_id, appointment_type, within.from, within.to);
    },
    book({ lead, calendar }: LeadEntry, { appointment, booking }: Settled): void {
      if (calendar === undefined || appointment === undefined || booking === undefined) return;
      const { rooftop_id, appointment_type } = calendar;
      const { from, to } = booking.slots;
      insert.run(appointment.appointment_id, lead.lead_id, rooftop_id, appointment_type, from, to);
    },
  };
}

/** Gives back what a lead has taken, for others to take. */
export function freeVisit(database: Database): (leadId: string, now: number) => number[] {
  const free = database
    .prepare<[number, string], number>(
      'UPDATE appointments SET freed_at = ? WHERE lead_id = ? AND freed_at IS NULL RETURNING starts_at',
    )
    .pluck();
  return (leadId, now) => free.all(now, leadId);
}
