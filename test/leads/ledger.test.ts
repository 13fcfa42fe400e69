import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { linkHash, recordHash } from '../../src/leads/consent-ledger.ts';
import { canonicalJson } from '../../src/leads/canonical-json.ts';
import { openLeadStore } from '../../src/leads/store.ts';
import {
  answered,
  HOUR,
  leadOf,
  leadRequest,
  NOON,
  openDesk,
  openStore,
  setClock,
  temporaryFolder,
} from './lead-harness.ts';

/** Granted long before, so that clocks may be set back. */
function earlierLead(buyer: number) {
  const lead = leadOf(buyer);
  return { ...lead, consent: { ...lead.consent, granted_at: '2026-11-29T12:00:00Z' } };
}

/** Three leads, and a repeat of the second between the last two. */
async function ledgerOfFour() {
  const file = join(temporaryFolder(), 'leads.db');
  const store = openStore(file);
  const clock = setClock();
  const desk = openDesk(store, { clock });
  const leadIds: string[] = [];
  for (const buyer of [1, 2, 2, 3]) {
    leadIds.push(answered(await desk.submit(earlierLead(buyer))).answer.lead_id);
    // A clock that is set back must not look like a fault.
    clock.time -= HOUR;
  }
  const raw = new Database(file);
  const tamper = (sql: string) => {
    for (const { name } of raw
      .prepare<[], { name: string }>("SELECT name FROM sqlite_master WHERE type = 'trigger'")
      .all()) {
      raw.exec(`DROP TRIGGER ${name}`);
    }
    raw.pragma('foreign_keys = OFF');
    raw.exec(sql);
    raw.close();
  };
  return { store, leadIds, tamper, raw };
}

describe('the consent ledger', () => {
  it('has one link a lead and a repeat, each hashed with the one before, over the whole consent', async () => {
    const { store, leadIds, raw } = await ledgerOfFour();
    raw.close();
    const trails = await Promise.all([...new Set(leadIds)].map((leadId) => store.find(leadId)));
    const records = trails
      .flatMap((trail) => trail?.consents ?? [])
      .sort((left, right) => left.sequence - right.sequence);
    expect(records.map(({ sequence, occasion, lead_id }) => [sequence, occasion, lead_id])).toEqual([
      [1, 'lead', leadIds[0]],
      [2, 'lead', leadIds[1]],
      [3, 'duplicate', leadIds[1]],
      [4, 'lead', leadIds[3]],
    ]);
    const { consent, customer, source_agent } = earlierLead(1);
    expect(records[0]?.record).toBe(canonicalJson({ consent, customer, source_agent }));
    for (const [index, record] of records.entries()) {
      expect(record.previous_hash).toBe(records[index - 1]?.hash ?? '');
      expect(record.hash).toBe(linkHash(record));
      expect(record.record_hash).toBe(recordHash({ salt: record.salt!, record: record.record! }));
    }
    expect(await store.auditConsents()).toEqual({
      kind: 'whole',
      records: 4,
      erased: 0,
      head: records[3]?.hash,
    });
  });

  it('cannot be changed or shortened, nor a record of it changed', async () => {
    const { raw } = await ledgerOfFour();
    for (const sql of [
      'DELETE FROM consent_ledger WHERE sequence = 4',
      "UPDATE consent_ledger SET lead_id = 'lead_other'",
      "UPDATE consent_records SET record = '{}'",
    ]) {
      expect(() => raw.exec(sql)).toThrow(/append-only|never changed/);
    }
    raw.close();
  });

  it('stays whole when the consents of a lead are erased', async () => {
    const { store, leadIds, raw } = await ledgerOfFour();
    raw.prepare('DELETE FROM consent_records WHERE lead_id = ?').run(leadIds[1]);
    raw.close();
    expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 4, erased: 2 });
    const consents = (await store.find(leadIds[1]!))?.consents ?? [];
    expect(consents.map(({ record, salt }) => [record, salt])).toEqual([
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  it.each([
    ['a time', 'UPDATE consent_ledger SET recorded_at = 1 WHERE sequence = 2', 2, 'changed after'],
    ['a lead', "UPDATE consent_ledger SET lead_id = 'x' WHERE sequence = 3", 3, 'changed after'],
    [
      'a consent',
      `UPDATE consent_records SET record = replace(record, '"email"', '"sms"') WHERE sequence = 4`,
      4,
      'consent text has been changed',
    ],
    ['a link taken out', 'DELETE FROM consent_ledger WHERE sequence = 2', 3, 'record 2 is missing'],
    ['the first taken out', 'DELETE FROM consent_ledger WHERE sequence = 1', 2, 'record 1 is missing'],
    ['the last taken out', 'DELETE FROM consent_ledger WHERE sequence = 4', 4, 'not there any more'],
    [
      'links exchanged',
      `UPDATE consent_ledger SET sequence = 9 WHERE sequence = 2;
       UPDATE consent_ledger SET sequence = 2 WHERE sequence = 3;
       UPDATE consent_ledger SET sequence = 3 WHERE sequence = 9`,
      2,
      'does not follow',
    ],
    [
      'a lead stored beside it',
      "INSERT INTO leads (lead_id, received_at, rooftop_id, request, reply) VALUES ('x', 1, 'r', '{}', '{}')",
      4,
      'without a consent record',
    ],
  ])('tells of %s', async (_, sql, sequence, fault) => {
    const { store, tamper } = await ledgerOfFour();
    tamper(sql);
    expect(await store.auditConsents()).toMatchObject({
      kind: 'broken',
      sequence,
      fault: expect.stringContaining(fault),
    });
  });

  it('is empty and whole before the first lead', async () => {
    expect(await openStore().auditConsents()).toEqual({ kind: 'whole', records: 0, erased: 0, head: '' });
  });
});

it('takes the consents of the first form over, in their order', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const raw = new Database(file);
  raw.pragma('journal_mode = WAL');
  raw.exec(readFileSync(new URL('./first-form.sql', import.meta.url), 'utf8'));
  const { consent, source_agent } = leadRequest();
  const reply = { answer: { lead_id: 'lead_1', status: 'received' }, message: 'Thank you.' };
  const insertLead = raw.prepare(
    'INSERT INTO leads (lead_id, received_at, rooftop_id, request, reply) VALUES (?, ?, ?, ?, ?)',
  );
  const insertConsent = raw.prepare(
    `INSERT INTO consents (lead_id, recorded_at, occasion, record, previous_hash, hash) VALUES (?, ?, ?, ?, 'a', 'b')`,
  );
  const record = JSON.stringify({ consent, source_agent });
  for (const leadId of ['lead_1', 'lead_2']) {
    insertLead.run(leadId, NOON, 'CRA02', JSON.stringify(leadRequest()), JSON.stringify(reply));
  }
  for (const leadId of ['lead_2', 'lead_1', 'lead_2']) insertConsent.run(leadId, NOON, 'lead', record);
  raw.close();

  const store = openLeadStore(file);
  expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 3, erased: 0 });
  const trail = await store.find('lead_2');
  expect(trail?.consents.map(({ sequence, recorded_at }) => [sequence, recorded_at])).toEqual([
    [1, NOON],
    [3, NOON],
  ]);
  expect(trail?.consents[0]?.record).toBe(record);
  expect(answered(await openDesk(store).submit(leadOf(7))).answer.status).toBe('received');
  expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 4 });
  await store.close();
});
