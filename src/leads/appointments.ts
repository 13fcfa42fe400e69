import type { AppointmentRule, AppointmentsConfig } from '../config/config.ts';
import { readInstant } from '../model/instant.ts';
import type { AppointmentRequest } from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';
import { dateAt } from '../model/time-zone.ts';
import { hoursFor, openOn, type TimeSpan } from './opening-hours.ts';
import { createSlotPlan, type SlotPlan } from './slots.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const MOST_PROPOSALS = 3;

/** What becomes of a buyer's wish for a visit (aap-v1.3 section 5: `confirmed` is a promise). */
export type VisitDecision =
  /** Left to the staff. */
  | { status: 'requested' }
  /** The dealer does not take such visits this way. */
  | { status: 'rejected' }
  | { status: 'confirmed'; visit: TimeSpan; slots: TimeSpan }
  /** Start times that are free at this moment, in their order; none is held. */
  | { status: 'proposed'; times: number[] }
  /** Nothing is free, and the dealer wants such a lead refused. */
  | { status: 'unavailable' };

export type VisitPlan =
  | { kind: 'decided'; decision: VisitDecision }
  /** It depends on what is taken within this time: to be decided where nothing else can be taken meanwhile. */
  | { kind: 'open'; within: TimeSpan; decide(taken: readonly TimeSpan[]): VisitDecision };

/** The first rule that is about this rooftop and kind of visit; without one the staff decide. */
export function planVisit(
  asked: AppointmentRequest,
  rooftop: Rooftop,
  { rules, holidays }: AppointmentsConfig,
  now: number,
): VisitPlan {
  const rule = rules.find(
    ({ rooftops, types }) => rooftops.includes(rooftop.id) && types.includes(asked.appointment_type),
  );
  if (rule === undefined || rule.mode === 'request') return decided({ status: 'requested' });
  if (rule.mode === 'off') return decided({ status: 'rejected' });
  const wanted = readInstant(asked.appointment_at ?? '');
  const days = openingDays(asked, rooftop, new Set([...holidays, ...rule.holidays]));
  if (wanted === undefined || days === undefined) return decided({ status: 'requested' });

  const within = {
    from: now + rule.lead_time_minutes * MINUTE_MS,
    to: now + rule.days_ahead * DAY_MS,
  };
  const minutes = asked.duration_minutes ?? rule.slot_minutes;
  return {
    kind: 'open',
    // Visits that began earlier may still be going on, and the last one may end after the last start.
    within: { from: within.from, to: within.to + DAY_MS },
    decide: (taken) => decide({ wanted, minutes, within, rule, days }, taken),
  };
}

function decided(decision: VisitDecision): VisitPlan {
  return { kind: 'decided', decision };
}

/** Gives the rooftop's opening time around an instant and over a span; undefined when its hours are not known. */
interface OpeningDays {
  around(instant: number): TimeSpan | undefined;
  over(span: TimeSpan): TimeSpan[];
}

function openingDays(
  { appointment_type }: AppointmentRequest,
  { profile }: Rooftop,
  holidays: ReadonlySet<string>,
): OpeningDays | undefined {
  const { timezone } = profile;
  const hours = hoursFor(profile, appointment_type);
  if (timezone === undefined || hours === undefined) return undefined;
  const around = (instant: number): TimeSpan | undefined =>
    openOn(dateAt(instant, timezone), hours, timezone, holidays);
  return {
    around,
    over: ({ from, to }) => {
      const days = new Map<number, TimeSpan>();
      // Half a day is shorter than any day, also than one of 23 hours: none is left out, most are met twice.
      for (let instant = from; instant <= to + DAY_MS / 2; instant += DAY_MS / 2) {
        const day = around(instant);
        if (day !== undefined) days.set(day.from, day);
      }
      return [...days.values()];
    },
  };
}

interface Wish {
  wanted: number;
  minutes: number;
  /** Of the start. */
  within: TimeSpan;
  rule: AppointmentRule;
  days: OpeningDays;
}

function decide(wish: Wish, taken: readonly TimeSpan[]): VisitDecision {
  const { wanted, minutes, within, rule, days } = wish;
  const plan = createSlotPlan({ slotMs: rule.slot_minutes * MINUTE_MS, capacity: rule.capacity });
  const lengthMs = minutes * MINUTE_MS;
  // Outside of the span nothing is asked of the calendar: it may be any year.
  const day = isWithin(wanted, within) ? days.around(wanted) : undefined;
  const slots = day && plan.slotsFrom(wanted, lengthMs, day, taken);
  if (slots !== undefined) {
    return { status: 'confirmed', visit: { from: wanted, to: wanted + lengthMs }, slots };
  }
  const times = nearestFree(wish, plan, taken);
  if (times.length > 0) return { status: 'proposed', times };
  return { status: rule.when_full === 'refuse' ? 'unavailable' : 'requested' };
}

function nearestFree(
  { wanted, minutes, within, days }: Wish,
  plan: SlotPlan,
  taken: readonly TimeSpan[],
): number[] {
  return days
    .over(within)
    .flatMap((day) => plan.freeStarts(minutes * MINUTE_MS, day, taken))
    .filter((start) => isWithin(start, within))
    .sort((left, right) => Math.abs(left - wanted) - Math.abs(right - wanted) || left - right)
    .slice(0, MOST_PROPOSALS)
    .sort((left, right) => left - right);
}

function isWithin(instant: number, { from, to }: TimeSpan): boolean {
  return instant >= from && instant <= to;
}
