import { describe, expect, it } from 'vitest';
import type { AppointmentRule } from '../../src/config/config.ts';
import { planVisit, type VisitDecision } from '../../src/leads/appointments.ts';
import type { TimeSpan } from '../../src/leads/opening-hours.ts';
import type { AppointmentRequest } from '../../src/model/lead.ts';
import type { Rooftop } from '../../src/model/rooftop.ts';
import { autoRule, HOUR, MINUTE } from './lead-harness.ts';

/** Open on Sundays too, so that the days of the clock changes are ordinary ones. */
const everyDay = (open: string, close: string) =>
  Object.fromEntries(
    ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'].map((day) => [
      day,
      { open, close },
    ]),
  );

function rooftop(changes: Partial<Rooftop['profile']> = {}): Rooftop {
  const schedules = [
    { name: 'Service', value: { monday: { open: '07:00', close: '12:00' } } },
    { name: ' SALES ', value: everyDay('09:00', '17:00') },
  ];
  return {
    id: 'NYC01',
    feed_ids: [],
    profile: { name: 'Empire Motors', timezone: 'America/New_York', schedules, ...changes },
  };
}

interface Case {
  now?: string;
  asked?: Partial<AppointmentRequest>;
  rule?: Partial<AppointmentRule>;
  taken?: TimeSpan[];
  at?: Rooftop;
  holidays?: string[];
}

/** What is answered, with times as UTC texts. */
function answer({
  now = '2026-11-30T12:00:00Z',
  asked,
  rule,
  taken = [],
  at = rooftop(),
  holidays = [],
}: Case) {
  const rules = [autoRule({ rooftops: ['NYC01'], ...rule })];
  const request = { appointment_type: 'test_drive' as const, ...asked };
  const plan = planVisit(request, at, { rules, holidays }, Date.parse(now));
  return readable(plan.kind === 'decided' ? plan.decision : plan.decide(taken));
}

function readable(decision: VisitDecision): string {
  const text = (time: number) => new Date(time).toISOString().slice(0, 16);
  if (decision.status === 'confirmed') {
    const { visit, slots } = decision;
    return `confirmed ${text(visit.from)} to ${text(visit.to)}, taking until ${text(slots.to)}`;
  }
  return decision.status === 'proposed' ? `proposed ${decision.times.map(text).join(' ')}` : decision.status;
}

const span = (from: string, minutes: number): TimeSpan => ({
  from: Date.parse(from),
  to: Date.parse(from) + minutes * MINUTE,
});
const tuesdayAt = (time: string) => ({ appointment_at: `2026-12-01T${time}:00-05:00` });

describe('who decides', () => {
  it('is the staff without a rule, with mode request, and without a time', () => {
    expect(answer({ rule: { rooftops: ['elsewhere'] }, asked: tuesdayAt('10:00') })).toBe('requested');
    expect(answer({ rule: { types: ['service'] }, asked: tuesdayAt('10:00') })).toBe('requested');
    expect(answer({ rule: { mode: 'request' }, asked: tuesdayAt('10:00') })).toBe('requested');
    expect(answer({})).toBe('requested');
  });

  it('is nobody with mode off', () => {
    expect(answer({ rule: { mode: 'off' }, asked: tuesdayAt('10:00') })).toBe('rejected');
  });

  it('is the first rule that fits', () => {
    const rules = [
      autoRule({ rooftops: ['NYC01'], types: ['service'], mode: 'off' }),
      autoRule({ rooftops: ['NYC01'] }),
    ];
    const decide = (appointment_type: 'service' | 'sales') =>
      planVisit({ appointment_type }, rooftop(), { rules, holidays: [] }, 0);
    expect(decide('service')).toEqual({ kind: 'decided', decision: { status: 'rejected' } });
    expect(decide('sales')).toEqual({ kind: 'decided', decision: { status: 'requested' } });
  });
});

describe('a free time', () => {
  it.each(['2026-12-01t15:00:00z', '2026-12-01T10:00:00.000-05:00', '2026-12-01T20:30:00+05:30'])(
    'is the same one, however it is written: %s',
    (appointment_at) => {
      expect(answer({ asked: { appointment_at } })).toBe(
        'confirmed 2026-12-01T15:00 to 2026-12-01T15:30, taking until 2026-12-01T15:30',
      );
    },
  );

  it('may begin in a leap second', () => {
    const at = rooftop({ timezone: 'Asia/Tokyo' });
    const asked = { appointment_at: '2026-12-31T23:59:60Z' };
    expect(answer({ now: '2026-12-30T12:00:00Z', at, asked })).toBe(
      'confirmed 2027-01-01T00:00 to 2027-01-01T00:30, taking until 2027-01-01T00:30',
    );
  });

  it.each([
    [
      'within the hours',
      '10:00',
      'confirmed 2026-12-01T15:00 to 2026-12-01T15:30, taking until 2026-12-01T15:30',
    ],
    [
      'at the opening',
      '09:00',
      'confirmed 2026-12-01T14:00 to 2026-12-01T14:30, taking until 2026-12-01T14:30',
    ],
    [
      'as the last slot',
      '16:30',
      'confirmed 2026-12-01T21:30 to 2026-12-01T22:00, taking until 2026-12-01T22:00',
    ],
    ['that ends after closing', '17:00', 'proposed 2026-12-01T20:30 2026-12-01T21:00 2026-12-01T21:30'],
    ['before opening', '08:30', 'proposed 2026-12-01T14:00 2026-12-01T14:30 2026-12-01T15:00'],
    ['between two slots', '10:10', 'proposed 2026-12-01T14:30 2026-12-01T15:00 2026-12-01T15:30'],
  ])('%s', (_, time, expected) => {
    expect(answer({ asked: tuesdayAt(time) })).toBe(expected);
  });

  it('takes as many slots as the visit touches', () => {
    const asked = { ...tuesdayAt('15:30'), duration_minutes: 75 };
    expect(answer({ asked })).toBe(
      'confirmed 2026-12-01T20:30 to 2026-12-01T21:45, taking until 2026-12-01T22:00',
    );
    expect(answer({ asked: { ...asked, duration_minutes: 120 } })).toBe(
      'proposed 2026-12-01T19:00 2026-12-01T19:30 2026-12-01T20:00',
    );
    expect(answer({ asked, taken: [span('2026-12-01T21:30:00Z', 30)] })).toMatch(/^proposed/);
  });

  it('is refused to a visit that is longer than any day, however long', () => {
    for (const duration_minutes of [481, 1e9, Number.MAX_VALUE]) {
      expect(answer({ asked: { ...tuesdayAt('10:00'), duration_minutes } })).toBe('requested');
    }
  });

  it('has room for as many visits as the rule says', () => {
    const taken = [span('2026-12-01T15:00:00Z', 30)];
    expect(answer({ asked: tuesdayAt('10:00'), taken })).toBe(
      'proposed 2026-12-01T14:00 2026-12-01T14:30 2026-12-01T15:30',
    );
    expect(answer({ asked: tuesdayAt('10:00'), taken, rule: { capacity: 2 } })).toMatch(/^confirmed/);
  });

  it('counts bookings that were made with slots of another length', () => {
    const taken = [span('2026-12-01T14:45:00Z', 20)];
    expect(answer({ asked: tuesdayAt('10:00'), taken })).toMatch(/^proposed/);
    expect(answer({ asked: tuesdayAt('10:30'), taken })).toMatch(/^confirmed/);
  });
});

describe('the time of the lead', () => {
  const noon = '2026-12-01T17:00:00Z';

  it('must leave the lead time', () => {
    const rule = { lead_time_minutes: 120 };
    expect(answer({ now: noon, rule, asked: tuesdayAt('14:00') })).toMatch(/^confirmed/);
    expect(answer({ now: noon, rule, asked: tuesdayAt('13:30') })).toBe(
      'proposed 2026-12-01T19:00 2026-12-01T19:30 2026-12-01T20:00',
    );
  });

  it('never lets the past be confirmed', () => {
    const rule = { lead_time_minutes: 0 };
    expect(answer({ now: noon, rule, asked: tuesdayAt('11:30') })).toMatch(/^proposed 2026-12-01T17:00 /);
    const longAgo = { appointment_at: '0001-01-01T00:00:00Z' };
    expect(answer({ now: noon, rule, asked: longAgo })).toMatch(/^proposed 2026-12-01T17:00 /);
  });

  it('bounds how far ahead a visit may be', () => {
    const rule = { days_ahead: 7 };
    expect(answer({ now: noon, rule, asked: { appointment_at: '2026-12-08T12:00:00-05:00' } })).toMatch(
      /^confirmed/,
    );
    const tooFar = { appointment_at: '2026-12-08T12:30:00-05:00' };
    expect(answer({ now: noon, rule, asked: tooFar })).toBe(
      'proposed 2026-12-08T16:00 2026-12-08T16:30 2026-12-08T17:00',
    );
    expect(answer({ now: noon, rule, asked: { appointment_at: '9999-12-31T23:59:59Z' } })).toMatch(
      /^proposed 2026-12-08T16:00 /,
    );
  });
});

describe('the days', () => {
  it('leave holidays out, those of all and those of the rule', () => {
    const asked = tuesdayAt('13:00');
    const holidays = ['2026-12-01'];
    const around = 'proposed 2026-11-30T21:30 2026-12-02T14:00 2026-12-02T14:30';
    expect(answer({ asked })).toMatch(/^confirmed/);
    expect(answer({ asked, holidays })).toBe(around);
    expect(answer({ asked, rule: { holidays } })).toBe(around);
  });

  it('follow the schedule of the department, else the first', () => {
    const service = { appointment_type: 'service' as const, appointment_at: '2026-12-07T07:00:00-05:00' };
    expect(answer({ asked: service })).toMatch(/^confirmed 2026-12-07T12:00/);
    expect(answer({ asked: { ...service, appointment_type: 'trade_in' } })).toMatch(/^proposed/);
    const oneSchedule = rooftop({ schedules: [{ value: everyDay('06:00', '08:00') }] });
    expect(answer({ asked: { ...service, appointment_type: 'sales' }, at: oneSchedule })).toMatch(
      /^confirmed/,
    );
  });

  it('leave the visit to the staff where hours or zone are not known, or never open', () => {
    const asked = tuesdayAt('10:00');
    const { timezone: _, ...profile } = rooftop().profile;
    expect(answer({ asked, at: { ...rooftop(), profile } })).toBe('requested');
    expect(answer({ asked, at: rooftop({ schedules: [] }) })).toBe('requested');
    const shut = rooftop({ schedules: [{ name: 'sales', value: { monday: null } }] });
    expect(answer({ asked, at: shut })).toBe('requested');
    expect(answer({ asked, at: shut, rule: { when_full: 'refuse' } })).toBe('unavailable');
  });

  it('end at midnight when they close at 00:00', () => {
    const at = rooftop({ schedules: [{ name: 'sales', value: everyDay('12:00', '00:00') }] });
    expect(answer({ at, asked: tuesdayAt('23:30') })).toMatch(/^confirmed 2026-12-02T04:30/);
  });
});

describe('on the days on which the clocks change', () => {
  const night = rooftop({ schedules: [{ name: 'sales', value: everyDay('01:00', '04:00') }] });

  it('the hours follow the wall clock', () => {
    const spring = { now: '2026-03-07T12:00:00Z', asked: { appointment_at: '2026-03-08T09:00:00-04:00' } };
    expect(answer(spring)).toMatch(/^confirmed 2026-03-08T13:00/);
    expect(answer({ ...spring, asked: { appointment_at: '2026-03-08T09:00:00-05:00' } })).toMatch(
      /^confirmed 2026-03-08T14:00/,
    );
    const autumn = { now: '2026-10-31T12:00:00Z', asked: { appointment_at: '2026-11-01T16:30:00-05:00' } };
    expect(answer(autumn)).toMatch(/^confirmed 2026-11-01T21:30/);
    expect(answer({ ...autumn, asked: { appointment_at: '2026-11-01T08:30:00-05:00' } })).toMatch(
      /^proposed/,
    );
  });

  it('a skipped hour has no slots and a repeated one has them twice', () => {
    const slotsOf = (now: string, from: string, to: string) => {
      const free: string[] = [];
      for (let time = Date.parse(from); time < Date.parse(to); time += HOUR) {
        const asked = { appointment_at: new Date(time).toISOString() };
        const rule = { slot_minutes: 60 };
        if (answer({ at: night, now, asked, rule }).startsWith('confirmed')) free.push(asked.appointment_at);
      }
      return free;
    };
    expect(slotsOf('2026-03-07T12:00:00Z', '2026-03-08T04:00:00Z', '2026-03-08T12:00:00Z')).toEqual([
      '2026-03-08T06:00:00.000Z',
      '2026-03-08T07:00:00.000Z',
    ]);
    expect(slotsOf('2026-10-31T12:00:00Z', '2026-11-01T04:00:00Z', '2026-11-01T12:00:00Z')).toEqual([
      '2026-11-01T05:00:00.000Z',
      '2026-11-01T06:00:00.000Z',
      '2026-11-01T07:00:00.000Z',
      '2026-11-01T08:00:00.000Z',
    ]);
  });
});
