import { describe, expect, it } from 'vitest';
import {
  answered,
  autoRule,
  destination,
  fileCrm,
  HOUR,
  leadRequest,
  leadsConfig,
  NOON,
  openDesk,
  openStore,
  setClock,
} from './lead-harness.ts';

const YEAR = 365 * 24 * HOUR;
const leads = leadsConfig({
  destinations: [destination('folder', fileCrm('out'))],
  appointments: { holidays: [], rules: [autoRule()] },
});

function deskWithClock() {
  const store = openStore();
  const clock = setClock();
  const desk = openDesk(store, { leads, clock });
  return { store, clock, desk };
}

describe('a clock that is set back', () => {
  it.each([
    ['an hour', HOUR, 'duplicate'],
    ['just less than the window', 24 * HOUR - 1, 'duplicate'],
    ['a year: the first lead may be of any age, and none must be lost', YEAR, 'received'],
  ])('by %s', async (_, jump, status) => {
    const { clock, desk, store } = deskWithClock();
    clock.time += jump;
    await desk.submit(leadRequest());
    clock.time -= jump;
    expect(answered(await desk.submit(leadRequest())).answer.status).toBe(status);
    expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 2 });
  });

  it('finds the true original again, and not the one from the future', async () => {
    const { clock, desk } = deskWithClock();
    clock.time += YEAR;
    await desk.submit(leadRequest());
    clock.time = NOON;
    const second = answered(await desk.submit(leadRequest()));
    clock.time += HOUR;
    expect(answered(await desk.submit(leadRequest())).answer).toEqual({
      ...second.answer,
      status: 'duplicate',
    });
  });

  it('brings the stored reply to a known key, however far it is set', async () => {
    const { clock, desk } = deskWithClock();
    const keyed = leadRequest({ idempotency_key: 'key' });
    const first = answered(await desk.submit(keyed));
    for (const time of [NOON - YEAR, NOON + 5 * YEAR, 0]) {
      clock.time = time;
      expect(await desk.submit(keyed)).toEqual({ ...first, replayed: true });
    }
  });

  it('hands the leads out in the order in which they came', async () => {
    const { clock, desk, store } = deskWithClock();
    const ids: string[] = [];
    for (const jump of [2 * HOUR, 0, HOUR]) {
      clock.time = NOON + jump;
      const { answer } = answered(await desk.submit(leadRequest({ idempotency_key: String(jump) })));
      ids.push(answer.lead_id);
    }
    const claims = [];
    for (const _ of ids) {
      const claim = { destination: 'folder', now: NOON + 3 * HOUR, owner: 'me', probing: false };
      claims.push(await store.claimNext({ ...claim, leaseUntil: NOON + 4 * HOUR }));
    }
    expect(claims.map((claim) => claim?.lead.lead_id)).toEqual(ids);
  });

  it('leaves the slots that were promised taken', async () => {
    const { clock, desk } = deskWithClock();
    const visit = (key: string) =>
      leadRequest({
        idempotency_key: key,
        appointment: { appointment_type: 'sales', appointment_at: '2026-12-03T17:00:00Z' },
      });
    expect(answered(await desk.submit(visit('one'))).answer.appointment?.status).toBe('confirmed');
    clock.time -= 4 * 60_000;
    expect(answered(await desk.submit(visit('two'))).answer.appointment?.status).toBe('proposed');
  });
});
