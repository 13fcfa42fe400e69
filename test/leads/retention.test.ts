import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DeliveryState } from '../../src/leads/delivery-records.ts';
import type { LeadStore } from '../../src/leads/lead-store.ts';
import { eraseDue } from '../../src/leads/retention.ts';
import { leadsDatabaseFile } from '../../src/leads/store.ts';
import type { LeadSubmitRequest } from '../../src/model/lead.ts';
import { runCommand } from '../cli/run-command.ts';
import {
  answered,
  destination,
  fileCrm,
  HOUR,
  leadRequest,
  leadsConfig,
  NOON,
  openDesk,
  openStore,
  setClock,
  temporaryFolder,
} from './lead-harness.ts';

const DAY = 24 * HOUR;
const why = ['--reason', 'asked by letter'];
const act = (now: number) => ({ who: 'the test', reason: 'kept long enough', now });

/** Everything a buyer may have written, each with a word of its own to look for. */
const WORDS = [
  'Zanzibara',
  'Quixotella',
  'zq.buyer@mail.example',
  '4155557788',
  'wombatmessage',
  'consentwombat',
];
const secretive: Partial<LeadSubmitRequest> = {
  customer: {
    first_name: 'Zanzibara',
    last_name: 'Quixotella',
    email: 'zq.buyer@mail.example',
    phone: '+14155557788',
  },
  message: `wombatmessage ${'long enough for an overflow page '.repeat(300)}`,
  consent: { ...leadRequest().consent, consent_text: 'consentwombat agrees' },
  idempotency_key: 'for zq.buyer@mail.example',
};

function openLeads(data = temporaryFolder()) {
  const store = openStore(leadsDatabaseFile(data));
  const clock = setClock();
  const destinations = [destination('demo-crm', fileCrm('out')), destination('second', fileCrm('out'))];
  const desk = openDesk(store, { leads: leadsConfig({ destinations }), clock });
  const submit = async (changes: Partial<LeadSubmitRequest>) =>
    answered(await desk.submit(leadRequest(changes))).answer.lead_id;
  return { data, store, clock, desk, submit };
}

/** Lets the oldest waiting delivery of a destination end in a state. */
async function settle(store: LeadStore, to: string, state: DeliveryState, now = NOON) {
  const claimed = await store.claimNext({
    destination: to,
    now,
    owner: 'me',
    leaseUntil: now + HOUR,
    probing: false,
  });
  await store.finishAttempt({
    deliveryId: claimed!.deliveryId,
    owner: 'me',
    state,
    mayHaveArrived: false,
    attempt: {
      startedAt: now,
      finishedAt: now,
      stage: 'http',
      sent: 'yes',
      verdict: state,
      reason: 'taken for zq.buyer@mail.example',
      reference: 'crm-7',
    },
  });
}

/** Which of the words stand in any file of the database. */
function wordsInFiles(data: string): string[] {
  const bytes = readdirSync(data)
    .filter((name) => name.startsWith('leads.db'))
    .map((name) => readFileSync(join(data, name)));
  return WORDS.filter((word) => bytes.some((content) => content.includes(word)));
}

it('erases the customer when the time after the last delivery is over, and not a moment before', async () => {
  const { data, store, desk, submit } = openLeads();
  const lead = await submit(secretive);
  await settle(store, 'demo-crm', 'delivered', NOON);
  await settle(store, 'second', 'delivered', NOON + DAY);
  expect(wordsInFiles(data)).toEqual(WORDS);

  const early = await eraseDue(store, 90, act(NOON + 91 * DAY - 1));
  expect(early).toMatchObject({ erased: 0, kept: 0 });
  expect(await eraseDue(store, 90, act(NOON + 91 * DAY))).toEqual({
    erased: 1,
    kept: 0,
    tracesCleared: true,
  });
  expect(wordsInFiles(data)).toEqual([]);

  const trail = (await store.find(lead))!;
  expect(trail.lead).toMatchObject({
    lead_id: lead,
    received_at: NOON,
    erased_at: NOON + 91 * DAY,
    request: { customer: { first_name: '[erased]', last_name: '[erased]' } },
  });
  expect(trail.lead.listing).toBeUndefined();
  expect(trail.deliveries).toMatchObject([
    { destination: 'demo-crm', state: 'delivered', reference: 'crm-7', settledAt: NOON },
    { destination: 'second', state: 'delivered', reference: 'crm-7', settledAt: NOON + DAY },
  ]);
  expect(trail.operations).toMatchObject([{ kind: 'erase', who: 'the test', reason: 'kept long enough' }]);
  expect(trail.consents).toMatchObject([{ sequence: 1, lead_id: lead }]);
  expect(trail.consents[0]?.record).toBeUndefined();
  expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 1, erased: 1 });

  // The same key still finds its reply, and another payload under it is still refused.
  expect(await desk.submit(leadRequest(secretive))).toMatchObject({
    answer: { lead_id: lead },
    replayed: true,
  });
  expect(await desk.submit(leadRequest({ ...secretive, message: 'other' }))).toMatchObject({
    code: 'IDEMPOTENCY_CONFLICT',
  });
});

it.each(['queued', 'uncertain', 'dead'] as const)(
  'never erases a lead of which a delivery is %s, however old it is',
  async (state) => {
    const { store, submit, data } = openLeads();
    await submit(secretive);
    await settle(store, 'demo-crm', 'delivered');
    await settle(store, 'second', state);
    expect(await eraseDue(store, 1, act(NOON + 5000 * DAY))).toMatchObject({ erased: 0, kept: 1 });
    expect(wordsInFiles(data)).toEqual(WORDS);
  },
);

it('erases many in pieces, and counts a cancelled or refused delivery as settled', async () => {
  const { store, submit } = openLeads();
  for (let buyer = 0; buyer < 230; buyer += 1) {
    const lead = await submit({
      customer: {
        ...leadRequest().customer,
        email: `b${buyer}@example.com`,
        phone: '+1415555' + String(1000 + buyer),
      },
    });
    await settle(store, 'demo-crm', 'rejected');
    await store.cancel(lead, 'second', act(NOON));
  }
  const waiting = await submit(secretive);
  expect(await eraseDue(store, 1, act(NOON + DAY))).toMatchObject({ erased: 230, kept: 1 });
  expect((await store.find(waiting))?.lead.erased_at).toBeUndefined();
});

it('sends nothing again of a lead that was erased', async () => {
  const { data, store, submit } = openLeads();
  const lead = await submit(secretive);
  await settle(store, 'demo-crm', 'delivered');
  await settle(store, 'second', 'delivered');
  await eraseDue(store, 1, act(NOON + 2 * DAY));
  expect(await runCommand(['leads', 'resend', lead, '--data', data, ...why])).toEqual({
    code: 1,
    out: 'demo-crm: cannot be sent again: the customer’s data was erased\n',
    err: 'Nothing is left of this lead that could be sent.\n',
  });
  const { out } = await runCommand(['leads', 'show', lead, '--data', data]);
  expect(out).toContain("The customer's data was erased on 2026-12-02T12:00:00Z");
  expect(out).not.toContain('Request');
});

it('answers a deletion request: what was erased, what had to stay, and what it cannot reach', async () => {
  const { data, store, submit } = openLeads();
  const delivered = await submit(secretive);
  await settle(store, 'demo-crm', 'delivered');
  await settle(store, 'second', 'delivered');
  const waiting = await submit({
    ...secretive,
    idempotency_key: 'second',
    customer: { ...leadRequest().customer, email: 'ZQ.Buyer@mail.example', phone: '+14155550999' },
  });
  const stranger = await submit({});
  const purge = (...words: string[]) => runCommand(['leads', 'purge', '--data', data, ...why, ...words]);

  const trial = await purge('--customer', ' zq.buyer@MAIL.example', '--dry-run');
  expect(trial.out).toContain('2 leads would be looked at. Nothing was changed.');
  const { code, out, err } = await purge('--customer', 'zq.buyer@mail.example');
  expect(code).toBe(1);
  expect(out).toContain(`${delivered}  erased\n`);
  expect(out).toContain(
    `${waiting}  2026-11-30T12:00:00Z  demo-crm: queued, second: queued  NOT erased\n1 lead erased, 1 had to stay.\n`,
  );
  expect(out).toContain('outgoing-leads (demo-crm)\n  what the CRM behind second keeps\n  backups of');
  expect(err).toContain('--force');

  const forced = await purge('--customer', 'zq.buyer@mail.example', '--force');
  expect(forced).toMatchObject({ code: 0, err: '' });
  expect(forced.out).toContain(`${waiting}  erased\n1 lead erased, 0 had to stay.\n`);
  expect(forced.out).toContain('The database files hold nothing of it any more.');
  expect(wordsInFiles(data)).toEqual([]);
  expect((await store.find(waiting))?.deliveries.map(({ state }) => state)).toEqual([
    'cancelled',
    'cancelled',
  ]);
  expect((await store.find(stranger))?.lead.request.customer.last_name).toBe('Lovelace');
  expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 3, erased: 2 });
  expect((await purge('--customer', 'zq.buyer@mail.example')).out).toBe(
    'No lead holds a customer with this e-mail address or phone number.\n',
  );
});

it('says what the database still holds when a lead of the customer had to stay', async () => {
  const { data, store, submit } = openLeads();
  const delivered = await submit(secretive);
  await settle(store, 'demo-crm', 'delivered');
  await settle(store, 'second', 'delivered');
  await submit({ ...secretive, idempotency_key: 'second' });
  const claim = { destination: 'second', now: NOON, owner: 'me', leaseUntil: NOON, probing: false };
  expect(await store.claimNext(claim)).toBeDefined();
  const contact = 'zq.buyer@mail.example';
  const { code, out, err } = await runCommand([
    'leads',
    'purge',
    '--data',
    data,
    ...why,
    '--customer',
    contact,
    '--force',
  ]);
  expect(code).toBe(1);
  expect(out).toContain(`${delivered}  erased\n`);
  expect(out).toContain('1 lead erased, 1 had to stay.\n');
  expect(out).toContain(
    'The database files hold nothing of what was erased any more. This customer is still in 1 lead.\n',
  );
  expect(err).toContain('being sent at this moment');
});

it.each([
  ['(415) 555-7788', true],
  ['+1 415.555.7788', true],
  ['14155557788', true],
  ['555-7788', false],
  ['+44 415 555 7788', false],
  ['buyer@mail.example', false],
])('knows a customer by the phone number %s: %s', async (contact, known) => {
  const { store, submit } = openLeads();
  const lead = await submit(secretive);
  const found = (await store.findByCustomer(contact)).map(({ lead_id }) => lead_id);
  expect(found).toEqual(known ? [lead] : []);
});

it('has a command for the daily erasing', async () => {
  const { data, store, submit } = openLeads();
  await submit(secretive);
  await settle(store, 'demo-crm', 'delivered', NOON - 300 * DAY);
  await settle(store, 'second', 'delivered', NOON - 300 * DAY);
  const { code, out } = await runCommand(['leads', 'erase-due', '--data', data]);
  expect({ code, out }).toEqual({ code: 0, out: 'Erased the customer of 1 lead.\n' });
  expect(wordsInFiles(data)).toEqual([]);
});
