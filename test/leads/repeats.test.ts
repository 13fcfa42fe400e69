import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openLeadStore } from '../../src/leads/store.ts';
import type { LeadSubmitRequest } from '../../src/model/lead.ts';
import {
  answered,
  destination,
  fileCrm,
  HOUR,
  leadOf,
  leadRequest,
  leadsConfig,
  MINUTE,
  NOON,
  openDesk,
  openStore,
  refusalCode,
  setClock,
  temporaryFolder,
} from './lead-harness.ts';
import { inTwoProcesses } from './two-processes.ts';

const destinations = [destination('folder', fileCrm('outgoing'))];
const leads = leadsConfig({ destinations });

describe('an idempotency key', () => {
  const keyed = leadRequest({ idempotency_key: 'key-1' });

  it('brings the stored reply again, word for word, after a restart and an expired consent', async () => {
    const file = join(temporaryFolder(), 'leads.db');
    const request = { ...keyed, consent: { ...keyed.consent, expires_at: '2026-12-01T00:00:00Z' } };
    const before = openLeadStore(file);
    const first = answered(await openDesk(before, { leads }).submit(request));
    await before.close();

    const desk = openDesk(openStore(file), { leads, clock: setClock(NOON + 30 * 24 * HOUR) });
    expect(await desk.submit(request)).toEqual({ ...first, replayed: true });
  });

  it('counts payloads as equal whatever the order of their members', async () => {
    const desk = openDesk(openStore(), { leads });
    const first = answered(await desk.submit(keyed));
    const turned = Object.fromEntries(Object.entries(keyed).reverse()) as unknown as LeadSubmitRequest;
    expect(await desk.submit(turned)).toEqual({ ...first, replayed: true });
  });

  it('refuses another payload', async () => {
    const desk = openDesk(openStore(), { leads });
    await desk.submit(keyed);
    expect(refusalCode(await desk.submit({ ...keyed, message: 'Something else' }))).toBe(
      'IDEMPOTENCY_CONFLICT',
    );
  });

  it('stores one lead and one delivery for equal requests at the same instant on two connections', async () => {
    const file = join(temporaryFolder(), 'leads.db');
    const [one, two] = [openStore(file), openStore(file)];
    const desks = [openDesk(one, { leads }), openDesk(two, { leads })];
    const outcomes = await Promise.all(
      Array.from({ length: 10 }, (_, index) => desks[index % 2]!.submit(keyed)),
    );
    const answers = outcomes.map(answered);
    expect(new Set(answers.map(({ answer }) => answer.lead_id)).size).toBe(1);
    expect(new Set(answers.map(({ message }) => message)).size).toBe(1);
    expect(answers.filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(answers.map(({ answer }) => answer.status)).toEqual(Array(10).fill('received'));
    const stored = await one.list({ limit: 100 });
    expect(stored.map(({ deliveries }) => deliveries.length)).toEqual([1]);
  });

  it('is not used up by a refusal', async () => {
    const desk = openDesk(openStore(), { leads });
    const wrong = { ...keyed, consent: { ...keyed.consent, scope: [] } };
    expect(refusalCode(await desk.submit(wrong))).toBe('INVALID_CONSENT');
    expect(refusalCode(await desk.submit(keyed))).toBe('received');
  });
});

describe('the duplicate window', () => {
  async function submitTwice(first: LeadSubmitRequest, second: LeadSubmitRequest, later = HOUR) {
    const store = openStore();
    const clock = setClock();
    const desk = openDesk(store, { leads, clock });
    const original = answered(await desk.submit(first));
    clock.time += later;
    const repeat = answered(await desk.submit(second));
    return { store, original, repeat };
  }

  it('answers a repeat with the original lead, keeps its consent and delivers nothing', async () => {
    const { store, original, repeat } = await submitTwice(leadRequest(), leadRequest({ message: 'Well?' }));
    expect(repeat.answer).toEqual({ ...original.answer, status: 'duplicate' });
    const stored = await store.list({ limit: 10 });
    expect(stored.map(({ deliveries }) => deliveries.length)).toEqual([1]);
    const trail = await store.find(original.answer.lead_id);
    expect(trail?.consents.map(({ occasion }) => occasion)).toEqual(['lead', 'duplicate']);
  });

  it.each([
    ['one millisecond before its end', 24 * HOUR - 1, 'duplicate'],
    ['at its end', 24 * HOUR, 'received'],
  ])('%s', async (_, later, status) => {
    const { repeat } = await submitTwice(leadRequest(), leadRequest(), later);
    expect(repeat.answer.status).toBe(status);
  });

  const { customer } = leadRequest();
  const byMail = { first_name: 'A.', last_name: 'L.', email: ' ADA@Example.com ' };
  const byPhone = { first_name: 'A.', last_name: 'L.', phone: '+14155550123' };
  const stranger = { ...customer, email: 'other@example.com', phone: '+14155550999' };
  it.each<[string, Partial<LeadSubmitRequest>, Partial<LeadSubmitRequest>, string]>([
    ['the same e-mail written otherwise', {}, { customer: byMail }, 'duplicate'],
    ['the same phone alone', {}, { customer: byPhone }, 'duplicate'],
    ['another buyer', {}, { customer: stranger }, 'received'],
    ['the listing by its stock number', {}, { vehicle_of_interest: { stock: 'T12345' } }, 'duplicate'],
    ['another vehicle', {}, { vehicle_of_interest: { vin: '1HGCY2F57RA000009' } }, 'received'],
    [
      'a vehicle we do not know, by its VIN',
      { vehicle_of_interest: { vin: '1HGCY2F57RA000009' } },
      { vehicle_of_interest: { vin: '1hgcy2f57ra000009', year: 2020 } },
      'duplicate',
    ],
    [
      'a vehicle by year, make and model',
      { vehicle_of_interest: { year: 2024, make: 'Honda', model: 'CR-V' } },
      { vehicle_of_interest: { year: 2024, make: ' honda', model: 'CRV', trim: 'N/A' } },
      'duplicate',
    ],
    [
      'a model at another rooftop',
      { vehicle_of_interest: { make: 'Honda', model: 'CR-V', rooftop: 'Harbor Point Motors' } },
      { vehicle_of_interest: { make: 'Honda', model: 'CR-V', rooftop: 'Cedar Ridge Auto Center' } },
      'received',
    ],
    [
      'a model at the rooftop that gets it anyhow',
      { vehicle_of_interest: { make: 'Honda', model: 'CR-V' } },
      { vehicle_of_interest: { make: 'Honda', model: 'CR-V', dealer_id: 'HPM01' } },
      'duplicate',
    ],
    [
      'another trim of the model',
      { vehicle_of_interest: { make: 'Honda', model: 'Civic', trim: 'EX' } },
      { vehicle_of_interest: { make: 'Honda', model: 'Civic', trim: 'Type R' } },
      'received',
    ],
    [
      'a used one in place of a new one',
      { vehicle_of_interest: { make: 'Honda', model: 'Civic', condition: 'new' } },
      { vehicle_of_interest: { make: 'Honda', model: 'Civic', condition: 'used' } },
      'received',
    ],
    [
      'the workshop visit of a car like the one asked about',
      { vehicle_of_interest: { make: 'Honda', model: 'Civic' } },
      {
        vehicle_of_interest: { make: 'Honda', model: 'Civic' },
        appointment: { appointment_type: 'service' },
      },
      'received',
    ],
    [
      'a question about a car like the one in the workshop',
      {
        vehicle_of_interest: { vin: '1HGCY2F57RA000009' },
        appointment: { appointment_type: 'service' },
      },
      { vehicle_of_interest: { vin: '1HGCY2F57RA000009' } },
      'received',
    ],
    [
      'the same workshop visit',
      { vehicle_of_interest: { make: 'Honda' }, appointment: { appointment_type: 'service' } },
      { vehicle_of_interest: { make: 'HONDA' }, appointment: { appointment_type: 'service' } },
      'duplicate',
    ],
    [
      'a test drive of our car after a question about it',
      {},
      { appointment: { appointment_type: 'test_drive' } },
      'duplicate',
    ],
    [
      'a sales visit after a question about a model',
      { vehicle_of_interest: { make: 'Honda' } },
      { vehicle_of_interest: { make: 'Honda' }, appointment: { appointment_type: 'sales' } },
      'duplicate',
    ],
    [
      'another year of the model',
      { vehicle_of_interest: { year: 2024, make: 'Honda', model: 'CR-V' } },
      { vehicle_of_interest: { year: 2023, make: 'Honda', model: 'CR-V' } },
      'received',
    ],
    [
      'a stock number that another rooftop uses too',
      { vehicle_of_interest: { stock: 'S1' } },
      { vehicle_of_interest: { stock: 'S1', rooftop: 'Cedar Ridge Auto Center' } },
      'received',
    ],
    ['with a key of its own', {}, { idempotency_key: 'another' }, 'received'],
    ['without a key, after one with a key', { idempotency_key: 'first' }, {}, 'duplicate'],
  ])('%s', async (_, first, second, status) => {
    const { repeat } = await submitTwice(leadRequest(first), leadRequest(second));
    expect(repeat.answer.status).toBe(status);
  });

  it('sees a general inquiry as the same when it asks the same', async () => {
    const { vehicle_of_interest: _, ...general } = leadRequest();
    const same = await submitTwice(general, { ...general, message: ' is it  still THERE?' });
    expect(same.repeat.answer.status).toBe('duplicate');
    const other = await submitTwice(general, { ...general, message: 'Do you sell tyres?' });
    expect(other.repeat.answer.status).toBe('received');
  });
});

describe('which leads are the same is known', () => {
  const repeat = leadRequest;

  it('after a restart', async () => {
    const file = join(temporaryFolder(), 'leads.db');
    const before = openLeadStore(file);
    const { answer } = answered(await openDesk(before, { leads }).submit(repeat()));
    await before.close();
    const desk = openDesk(openStore(file), { leads });
    expect(answered(await desk.submit(repeat())).answer).toEqual({ ...answer, status: 'duplicate' });
  });

  it('of leads that another process has stored meanwhile', async () => {
    const file = join(temporaryFolder(), 'leads.db');
    const [one, other] = [openStore(file), openStore(file)].map((store) => openDesk(store, { leads }));
    expect(answered(await one!.submit(leadOf(1))).answer.status).toBe('received');
    const { answer } = answered(await other!.submit(repeat()));
    expect(answered(await one!.submit(repeat())).answer).toEqual({ ...answer, status: 'duplicate' });
  });

  it('for a window that is made longer', async () => {
    const store = openStore();
    const clock = setClock();
    const { answer } = answered(await openDesk(store, { leads, clock }).submit(repeat()));
    clock.time += 30 * HOUR;
    expect(answered(await openDesk(store, { leads, clock }).submit(leadOf(1))).answer.status).toBe(
      'received',
    );
    const patient = openDesk(store, { leads: { ...leads, duplicate_window_hours: 48 }, clock });
    expect(answered(await patient.submit(repeat())).answer).toEqual({ ...answer, status: 'duplicate' });
  });

  it('when the clock is set back behind what was looked at before', async () => {
    const store = openStore();
    const clock = setClock();
    const desk = openDesk(store, { leads, clock });
    const { answer } = answered(await desk.submit(repeat()));
    clock.time += 365 * 24 * HOUR;
    expect(answered(await desk.submit(leadOf(1))).answer.status).toBe('received');
    clock.time = NOON + HOUR;
    expect(answered(await desk.submit(repeat())).answer).toEqual({ ...answer, status: 'duplicate' });
  });

  it.each(['the same process', 'another one'])('but of none that %s has erased', async (who) => {
    const file = join(temporaryFolder(), 'leads.db');
    const store = openStore(file);
    const desk = openDesk(store, { leads });
    const { answer } = answered(await desk.submit(repeat()));
    const act = { who: 'the test', reason: 'because', now: NOON };
    await store.cancel(answer.lead_id, undefined, act);
    const eraser = who === 'another one' ? openStore(file) : store;
    expect(await eraser.erase([answer.lead_id], act)).toEqual([answer.lead_id]);
    expect(answered(await desk.submit(repeat())).answer.status).toBe('received');
  });

  it('but of none that a person has called off at every destination', async () => {
    const both = leadsConfig({
      destinations: ['one', 'two'].map((id) => destination(id, fileCrm('outgoing'))),
    });
    const store = openStore();
    const desk = openDesk(store, { leads: both });
    const act = { who: 'the test', reason: 'because', now: NOON };
    const first = answered(await desk.submit(repeat())).answer;
    await store.cancel(first.lead_id, 'one', act);
    expect(answered(await desk.submit(repeat())).answer).toEqual({ ...first, status: 'duplicate' });
    await store.cancel(first.lead_id, 'two', act);
    const second = answered(await desk.submit(repeat())).answer;
    expect(second.status).toBe('received');
    expect(answered(await desk.submit(repeat())).answer).toEqual({ ...second, status: 'duplicate' });
    await store.resend(first.lead_id, ['one'], act);
    expect(answered(await desk.submit(repeat())).answer).toEqual({ ...first, status: 'duplicate' });
  });

  it.each(['dead', 'rejected', 'delivered', 'uncertain', 'sending'])(
    'also of one that is %s',
    async (state) => {
      const file = join(temporaryFolder(), 'leads.db');
      const desk = openDesk(openStore(file), { leads });
      const { answer } = answered(await desk.submit(repeat()));
      const raw = new Database(file);
      raw.prepare('UPDATE deliveries SET state = ?').run(state);
      raw.close();
      expect(answered(await desk.submit(repeat())).answer).toEqual({ ...answer, status: 'duplicate' });
    },
  );

  it('also of one that no destination serves', async () => {
    const desk = openDesk(openStore());
    const { answer } = answered(await desk.submit(repeat()));
    expect(answered(await desk.submit(repeat())).answer).toEqual({ ...answer, status: 'duplicate' });
  });

  it('but of none whose storing was undone', async () => {
    const file = join(temporaryFolder(), 'leads.db');
    const desk = openDesk(openStore(file), { leads });
    await desk.submit(leadOf(1));
    const raw = new Database(file);
    raw.exec("CREATE TRIGGER full BEFORE INSERT ON deliveries BEGIN SELECT RAISE(ABORT, 'disk full'); END");
    await expect(desk.submit(repeat())).rejects.toThrow('disk full');
    raw.exec('DROP TRIGGER full');
    raw.close();
    expect(answered(await desk.submit(repeat())).answer.status).toBe('received');
  });
});

it('of several leads that are the same the earliest counts', async () => {
  const clock = setClock();
  const desk = openDesk(openStore(), { leads, clock });
  const submit = async (changes: Partial<LeadSubmitRequest>) => {
    clock.time += MINUTE;
    return answered(await desk.submit(leadRequest(changes))).answer;
  };
  const { email, phone, ...name } = leadRequest().customer;
  const first = await submit({ customer: { ...name, phone: phone! }, idempotency_key: 'one' });
  await submit({ customer: { ...name, email: email! }, idempotency_key: 'two' });
  await submit({ vehicle_of_interest: { vin: '1HGCY2F57RA000009' }, idempotency_key: 'three' });
  expect(await submit({})).toMatchObject({ status: 'duplicate', lead_id: first.lead_id });
});

it.each([
  ['', 'a blank'],
  ['N/A', 'a word for nothing'],
  [' none ', 'another'],
  ['--', 'a dash'],
  ['0', 'a zero'],
])('takes %j in place of an identifier for %s: two wishes stay two', async (nothing) => {
  const desk = openDesk(openStore(), { leads });
  const submit = async (vehicle_of_interest: LeadSubmitRequest['vehicle_of_interest'] & object) =>
    answered(await desk.submit(leadRequest({ vehicle_of_interest }))).answer.status;
  const civic = { stock: nothing, vehicle_id: nothing, make: 'Honda', model: 'Civic' };
  expect(await submit(civic)).toBe('received');
  expect(await submit({ ...civic, make: 'Ford', model: 'F-150' })).toBe('received');
  expect(await submit({ ...civic, stock: 'A7' })).toBe('received');
  expect(await submit({ stock: nothing, make: nothing, model: nothing, body: 'suv' })).toBe('received');
  expect(await submit({ stock: nothing, make: nothing, model: nothing, body: 'truck' })).toBe('received');
  expect(await submit(civic)).toBe('duplicate');
});

it('knows a lead again that was stored by a program that kept other keys', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const before = openLeadStore(file);
  const desk = openDesk(before, { leads });
  const listed = answered(await desk.submit(leadRequest()));
  const stranger = { customer: leadOf(9).customer, vehicle_of_interest: { vin: '1HGCY2F57RA000009' } };
  const unlisted = answered(await desk.submit(leadRequest(stranger)));
  await before.close();

  const raw = new Database(file);
  raw.exec(`CREATE TABLE earlier (key TEXT NOT NULL, lead_id TEXT NOT NULL REFERENCES leads,
      received_at INTEGER NOT NULL, PRIMARY KEY (key, lead_id)) STRICT, WITHOUT ROWID;
    INSERT INTO earlier SELECT 'of a pair ' || subjects, lead_id, received_at FROM repeat_keys;
    DROP TABLE repeat_keys; ALTER TABLE earlier RENAME TO duplicate_keys;
    CREATE INDEX consent_records_by_lead ON consent_records (lead_id);
    ALTER TABLE deliveries DROP COLUMN waits_for_pause;
    DELETE FROM migration_log WHERE number > 6; PRAGMA user_version = 6`);
  raw.close();

  const later = openDesk(openStore(file), { leads, clock: setClock(NOON + HOUR) });
  for (const [request, original] of [
    [leadRequest(), listed],
    [leadRequest(stranger), unlisted],
  ] as const) {
    const { lead_id } = original.answer;
    expect(answered(await later.submit(request)).answer).toMatchObject({ status: 'duplicate', lead_id });
  }
  expect(answered(await later.submit(leadOf(1))).answer.status).toBe('received');
});

it('gives one answer, word for word, to equal requests of one key from two processes', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const answers = await inTwoProcesses(file, 'one-key');
  expect(answers).toHaveLength(40);
  expect(new Set(answers).size).toBe(1);
  expect(JSON.parse(answers[0] ?? '')).toMatchObject({ status: 'received' });
  const stored = await openStore(file).list({ limit: 100 });
  expect(stored.map(({ deliveries }) => deliveries.length)).toEqual([1]);
});
