import type { AppointmentType } from '../model/lead.ts';
import { WEEKDAYS, type RooftopProfile } from '../model/rooftop.ts';
import { formatDate, instantAt, weekdayOf, type CalendarDate } from '../model/time-zone.ts';

/** From `from` until before `to`, milliseconds since 1970. */
export interface TimeSpan {
  from: number;
  to: number;
}

export type WeeklyHours = NonNullable<RooftopProfile['schedules']>[number]['value'];

/** The department that receives the buyer, by the name of its schedule. */
export const DEPARTMENTS: Readonly<Record<AppointmentType, string>> = {
  sales: 'sales',
  test_drive: 'sales',
  trade_in: 'sales',
  service: 'service',
};

const MINUTES_A_DAY = 24 * 60;

/** The hours of the department, else those named first; undefined when the rooftop tells none. */
export function hoursFor(
  { schedules = [] }: Pick<RooftopProfile, 'schedules'>,
  type: AppointmentType,
): WeeklyHours | undefined {
  const department = schedules.find(({ name }) => name?.trim().toLowerCase() === DEPARTMENTS[type]);
  return (department ?? schedules[0])?.value;
}

/** When the rooftop is open on that day; undefined when it is closed. */
export function openOn(
  date: CalendarDate,
  hours: WeeklyHours,
  timeZone: string,
  holidays: ReadonlySet<string>,
): TimeSpan | undefined {
  const weekday = WEEKDAYS[weekdayOf(date)];
  const day = weekday === undefined ? undefined : hours[weekday];
  if (day === undefined || day === null || holidays.has(formatDate(date))) return undefined;
  const from = instantAt(date, minutesOf(day.open), timeZone);
  // Closing at 00:00 means midnight.
  const to = instantAt(date, day.close === '00:00' ? MINUTES_A_DAY : minutesOf(day.close), timeZone);
  return from < to ? { from, to } : undefined;
}

function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return hours * 60 + minutes;
}
