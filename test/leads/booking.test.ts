import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { AppointmentRule } from '../../src/config/config.ts';
import type { LeadStore } from '../../src/leads/lead-store.ts';
import type { LeadSubmitRequest } from '../../src/model/lead.ts';
import { schemaFaults } from '../web/live-agent.ts';
import { inTwoProcesses } from './two-processes.ts';
import {
  answered,
  autoRule,
  destination,
  fileCrm,
  HOUR,
  leadOf,
  leadsConfig,
  NOON,
  openDesk,
  openStore,
  setClock,
  temporaryFolder,
} from './lead-harness.ts';

/** Cedar Ridge sells on Thursdays from ten to twelve, Denver time. */
const TEN = '2026-12-03T17:00:00Z';
const HALF_PAST = '2026-12-03T17:30:00Z';
const ELEVEN = '2026-12-03T18:00:00Z';
const LAST = '2026-12-03T18:30:00Z';

function visit(buyer: number, appointment_at: string, changes: Partial<LeadSubmitRequest> = {}) {
  return {
    ...leadOf(buyer),
    appointment: { appointment_type: 'test_drive' as const, appointment_at },
    ...changes,
  };
}

function deskWith(
  store: LeadStore,
  rule: Partial<AppointmentRule> = {},
  clock = setClock(),
  destinationIds = ['folder'],
) {
  const appointments = { holidays: [], rules: [autoRule({ days_ahead: 5, ...rule })] };
  const destinations = destinationIds.map((id) => destination(id, fileCrm('out')));
  return openDesk(store, { leads: leadsConfig({ appointments, destinations }), clock });
}

describe('a free slot', () => {
  it('is confirmed, in words on the dealer’s clock, and kept with the lead', async () => {
    const store = openStore();
    const { answer, message } = answered(await deskWith(store).submit(visit(1, TEN)));
    expect(answer.appointment).toEqual({
      appointment_id: expect.stringMatching(/^appt_/),
      status: 'confirmed',
      confirmed_at: TEN,
    });
    expect(message).toBe(
      'Cedar Ridge Auto Center has received your inquiry and confirms your test drive on Thursday, December 3, 2026 at ' +
        '10:00 AM MST. The staff may contact you by e-mail about it.',
    );
    expect(
      schemaFaults('lead-submit-response', { type: 'lead.submit.response', data: answer, message }),
    ).toBeNull();
    const trail = await store.find(answer.lead_id);
    expect(trail?.lead).toMatchObject({ appointment: answer.appointment, visit_minutes: 30 });
  });

  it('is taken: the next buyer is offered the nearest three that are free, none of them held', async () => {
    const desk = deskWith(openStore());
    await desk.submit(visit(1, HALF_PAST));
    const { answer, message } = answered(await desk.submit(visit(2, HALF_PAST)));
    expect(answer.appointment).toEqual({
      appointment_id: expect.stringMatching(/^appt_/),
      status: 'proposed',
      proposed_times: [TEN, ELEVEN, LAST],
    });
    expect(message).toBe(
      'Cedar Ridge Auto Center has received your inquiry, but cannot confirm your test drive on Thursday, December 3, 2026 ' +
        'at 10:30 AM MST. Free at this moment, though not held for you: Thursday, December 3, 2026 at 10:00 AM MST; ' +
        'Thursday, December 3, 2026 at 11:00 AM MST; Thursday, December 3, 2026 at 11:30 AM MST. The staff will contact you by ' +
        'e-mail to agree on a time.',
    );
    expect(
      schemaFaults('lead-submit-response', { type: 'lead.submit.response', data: answer, message }),
    ).toBeNull();
    expect(answered(await desk.submit(visit(3, TEN))).answer.appointment?.status).toBe('confirmed');
  });

  it('is one of several for a longer visit, and all of them are taken', async () => {
    const desk = deskWith(openStore());
    const long = { appointment_type: 'sales' as const, appointment_at: TEN, duration_minutes: 70 };
    const first = answered(await desk.submit({ ...leadOf(1), appointment: long }));
    expect(first.answer.appointment?.status).toBe('confirmed');
    const second = answered(
      await desk.submit({ ...leadOf(2), appointment: { appointment_type: 'sales', appointment_at: ELEVEN } }),
    );
    expect(second.answer.appointment).toMatchObject({ status: 'proposed', proposed_times: [LAST] });
    // Visits of another kind have a calendar of their own.
    expect(answered(await desk.submit(visit(3, ELEVEN))).answer.appointment?.status).toBe('confirmed');
  });

  it('is free again once the lead is cancelled', async () => {
    const store = openStore();
    const desk = deskWith(store);
    const { answer } = answered(await desk.submit(visit(1, TEN)));
    const act = { who: 'me', reason: 'asked', now: NOON };
    const cancellations = [await store.cancel(answer.lead_id, undefined, act)];
    cancellations.push(await store.cancel(answer.lead_id, undefined, act));
    expect(cancellations.map(({ freedVisits }) => freedVisits)).toEqual([[Date.parse(TEN)], []]);
    expect(answered(await desk.submit(visit(2, TEN))).answer.appointment?.status).toBe('confirmed');
    expect(answered(await desk.submit(visit(3, TEN))).answer.appointment?.status).toBe('proposed');
  });

  it('is free again once the lead is cancelled at its last destination, one by one', async () => {
    const store = openStore();
    const desk = deskWith(store, {}, setClock(), ['one', 'two']);
    const { answer } = answered(await desk.submit(visit(1, TEN)));
    const act = { who: 'me', reason: 'asked', now: NOON };
    const freed = [];
    for (const only of ['nowhere', 'one', 'two']) {
      freed.push((await store.cancel(answer.lead_id, only, act)).freedVisits);
    }
    expect(freed).toEqual([[], [], [Date.parse(TEN)]]);
    // The same buyer, whose first lead is none any more.
    expect(answered(await desk.submit(visit(1, TEN))).answer).toMatchObject({
      status: 'received',
      appointment: { status: 'confirmed' },
    });
  });
});

describe('a repeat', () => {
  it('with its key gets the same answer and takes no second slot', async () => {
    const desk = deskWith(openStore(), { capacity: 2 });
    const keyed = visit(1, TEN, { idempotency_key: 'visit-1' });
    const first = answered(await desk.submit(keyed));
    for (const _ of [1, 2, 3]) expect(await desk.submit(keyed)).toEqual({ ...first, replayed: true });
    expect(answered(await desk.submit(visit(2, TEN))).answer.appointment?.status).toBe('confirmed');
    expect(answered(await desk.submit(visit(3, TEN))).answer.appointment?.status).toBe('proposed');
  });

  it('without a key tells what was answered before and takes no second slot', async () => {
    const desk = deskWith(openStore(), { capacity: 2 });
    const first = answered(await desk.submit(visit(1, TEN)));
    const again = answered(await desk.submit(visit(1, TEN)));
    expect(again.answer).toEqual({ ...first.answer, status: 'duplicate' });
    expect(
      schemaFaults('lead-submit-response', { type: 'lead.submit.response', data: again.answer }),
    ).toBeNull();
    expect(answered(await desk.submit(visit(2, TEN))).answer.appointment?.status).toBe('confirmed');
  });
});

describe('a repeat without a key', () => {
  const act = { who: 'me', reason: 'asked', now: NOON };
  const VISIT = 'your test drive on Thursday, December 3, 2026 at 10:00 AM MST';
  const NOT_BOOKED = 'The visit asked for now is not booked.';

  it('tells of no visit that was called off after the CRM had the lead', async () => {
    const file = join(temporaryFolder(), 'leads.db');
    const store = openStore(file);
    const desk = deskWith(store);
    const { answer } = answered(await desk.submit(visit(1, TEN)));
    const raw = new Database(file);
    raw.exec("UPDATE deliveries SET state = 'delivered', next_attempt_at = NULL");
    raw.close();
    await store.cancel(answer.lead_id, undefined, act);
    expect(answered(await desk.submit(visit(2, TEN))).answer.appointment?.status).toBe('confirmed');
    const again = answered(await desk.submit(visit(1, TEN)));
    expect(again.answer).toMatchObject({ status: 'duplicate', lead_id: answer.lead_id });
    expect(again.answer.appointment).toBeUndefined();
    expect(again.message).toContain(`The visit that was confirmed then, ${VISIT}, was called off since.`);
  });

  it('for another time says which visit stands, and confirms none', async () => {
    const desk = deskWith(openStore());
    await desk.submit(visit(1, TEN));
    const again = answered(await desk.submit(visit(1, ELEVEN)));
    expect(again.answer.status).toBe('duplicate');
    expect(again.answer.appointment).toBeUndefined();
    expect(again.message).toContain(`What stands from then is ${VISIT}, which is confirmed. ${NOT_BOOKED}`);
    expect(answered(await desk.submit(visit(2, ELEVEN))).answer.appointment?.status).toBe('confirmed');
  });

  it('for another kind of visit at the same time confirms none', async () => {
    const desk = deskWith(openStore());
    await desk.submit(visit(1, TEN));
    const appointment = { appointment_type: 'sales' as const, appointment_at: TEN };
    const again = answered(await desk.submit(visit(1, TEN, { appointment })));
    expect(again.answer.appointment).toBeUndefined();
    expect(again.message).toContain(`What stands from then is ${VISIT}, which is confirmed.`);
  });

  it('for another time than one that is not confirmed either says so', async () => {
    const desk = deskWith(openStore(), { mode: 'request' });
    await desk.submit(visit(1, TEN));
    const again = answered(await desk.submit(visit(1, ELEVEN)));
    expect(again.answer.appointment).toBeUndefined();
    expect(again.message).toContain(`What stands from then is ${VISIT}, which is not yet confirmed.`);
  });

  it.each([
    ['written with another offset', '2026-12-03T10:00:00-07:00'],
    ['not named again', undefined],
  ])('for the same time, %s, gets the same visit', async (_, appointment_at) => {
    const desk = deskWith(openStore());
    const first = answered(await desk.submit(visit(1, TEN)));
    const appointment = {
      appointment_type: 'test_drive' as const,
      ...(appointment_at && { appointment_at }),
    };
    const again = answered(await desk.submit(visit(1, TEN, { appointment })));
    expect(again.answer).toEqual({ ...first.answer, status: 'duplicate' });
    expect(again.message).not.toContain(NOT_BOOKED);
  });

  it('that asks for the first visit says that it is not booked', async () => {
    const desk = deskWith(openStore());
    await desk.submit(leadOf(1));
    expect(answered(await desk.submit(visit(1, TEN))).message).toContain(NOT_BOOKED);
    expect(answered(await desk.submit(leadOf(1))).message).not.toContain(NOT_BOOKED);
  });
});

describe('no time at all', () => {
  const fill = async (desk: ReturnType<typeof deskWith>) => {
    for (const [buyer, time] of [TEN, HALF_PAST, ELEVEN, LAST].entries())
      await desk.submit(visit(buyer, time));
  };

  it('leaves the visit to the staff', async () => {
    const desk = deskWith(openStore());
    await fill(desk);
    const { answer, message } = answered(await desk.submit(visit(9, TEN)));
    expect(answer.appointment?.status).toBe('requested');
    expect(message).toContain('which is not yet confirmed');
  });

  it('refuses the lead when the dealer wants that: nothing is stored, the key stays unused', async () => {
    const store = openStore();
    const desk = deskWith(store, { when_full: 'refuse' });
    await fill(desk);
    const late = visit(9, TEN, { idempotency_key: 'late' });
    expect(await desk.submit(late)).toEqual({
      kind: 'refused',
      code: 'APPOINTMENT_TIME_UNAVAILABLE',
      message:
        'Cedar Ridge Auto Center has no free time for your test drive on Thursday, December 3, 2026 at 10:00 AM MST, nor ' +
        'any other that could be booked here. Nothing was passed on: please contact the dealer, or send the inquiry ' +
        'without an appointment.',
    });
    expect(await store.list({ limit: 100 })).toHaveLength(4);
    expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 4 });
    const { appointment: _, ...plain } = late;
    expect(answered(await desk.submit(plain)).answer.status).toBe('received');
  });

  it('is told of a kind of visit that the dealer does not take here', async () => {
    const { answer, message } = answered(await deskWith(openStore(), { mode: 'off' }).submit(visit(1, TEN)));
    expect(answer.appointment?.status).toBe('rejected');
    expect(message).toBe(
      'Cedar Ridge Auto Center has received your inquiry and will contact you by e-mail. It takes no bookings here ' +
        'for test drives: please contact the dealer to arrange yours.',
    );
    expect(
      schemaFaults('lead-submit-response', { type: 'lead.submit.response', data: answer, message }),
    ).toBeNull();
  });

  it('is a past one: it is never confirmed', async () => {
    const desk = deskWith(openStore(), { lead_time_minutes: 0 }, setClock(Date.parse(TEN) + HOUR / 4));
    const { answer } = answered(await desk.submit(visit(1, TEN)));
    expect(answer.appointment).toMatchObject({
      status: 'proposed',
      proposed_times: [HALF_PAST, ELEVEN, LAST],
    });
  });
});

describe('two buyers for the last slot', () => {
  it('get exactly one confirmation on two connections', async () => {
    const file = join(temporaryFolder(), 'leads.db');
    const desks = [deskWith(openStore(file)), deskWith(openStore(file))];
    const outcomes = await Promise.all(
      Array.from({ length: 8 }, (_, buyer) => desks[buyer % 2]!.submit(visit(buyer, TEN))),
    );
    const states = outcomes.map((outcome) => answered(outcome).answer.appointment?.status);
    expect(states.filter((status) => status === 'confirmed')).toHaveLength(1);
    expect(states.filter((status) => status === 'proposed')).toHaveLength(7);
  });

  it('get exactly one confirmation from two processes', async () => {
    const file = join(temporaryFolder(), 'leads.db');
    const lines = await inTwoProcesses(file, 'visits');
    const states = lines.map(
      (line) => (JSON.parse(line) as { appointment: { status: string } }).appointment.status,
    );
    expect(states).toHaveLength(40);
    expect(states.filter((status) => status === 'confirmed')).toHaveLength(1);
  });
});
