import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { groupCommit } from '../../src/leads/group-commit.ts';
import { type LogOnDisk, openLogOnDisk } from '../../src/leads/log-on-disk.ts';
import { acceptingOperations } from '../../src/leads/store-accepting.ts';
import { openLeadDatabase } from '../../src/leads/store-database.ts';
import {
  answered,
  destination,
  fileCrm,
  leadOf,
  leadsConfig,
  openDesk,
  openStore,
  temporaryFolder,
} from './lead-harness.ts';

const NOTES = 'CREATE TABLE notes (text TEXT PRIMARY KEY) STRICT';

/** @param changed what the disk does otherwise */
function open(schema = NOTES, changed: Partial<LogOnDisk> = {}) {
  const file = join(temporaryFolder(), 'leads.db');
  const database = openLeadDatabase(file);
  onTestFinished(() => void database.close());
  database.exec(schema);
  const other = new Database(file);
  onTestFinished(() => void other.close());
  const insert = database.prepare<[string]>('INSERT INTO notes (text) VALUES (?)');
  const log = openLogOnDisk(database);
  onTestFinished(() => log.close());
  const { sync, syncNow } = log;
  const { commit, onDisk } = groupCommit(database, { sync, syncNow, isQuick: log.isQuick, ...changed });
  const write = (text: string) =>
    commit(() => {
      insert.run(text);
      return text;
    });
  const stored = () => other.prepare<[], string>('SELECT text FROM notes ORDER BY text').pluck().all();
  const commits = () => Number(other.pragma('data_version', { simple: true }));
  return { database, commit, onDisk, write, stored, commits };
}

it('shares one commit among all that come together, and answers only when it is on disk', async () => {
  const { write, stored, commits } = open();
  const before = commits();
  const seen: string[][] = [];
  const writes = ['a', 'b', 'c'].map((text) => write(text).then(() => seen.push(stored())));
  expect(stored()).toEqual([]);
  await Promise.all(writes);
  expect(seen).toEqual([
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
    ['a', 'b', 'c'],
  ]);
  expect(commits() - before).toBe(1);
});

it('lets one that fails undo itself alone and hear its own fault', async () => {
  const { commit, write, stored } = open();
  const halfDone = commit(() => {
    throw new Error('thought better of it');
  });
  const outcomes = await Promise.allSettled([write('a'), write('a'), halfDone, write('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected', 'fulfilled']);
  expect(
    outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : outcome.value)),
  ).toEqual(['a', 'SqliteError: UNIQUE constraint failed: notes.text', 'Error: thought better of it', 'b']);
  expect(stored()).toEqual(['a', 'b']);
});

it('undoes the part of a piece of work that came before its fault', async () => {
  const { database, commit, write, stored } = open();
  const insert = database.prepare<[string]>('INSERT INTO notes (text) VALUES (?)');
  const half = commit(() => {
    insert.run('half');
    throw new Error('then this');
  });
  await Promise.allSettled([half, write('whole')]);
  expect(stored()).toEqual(['whole']);
});

it('tries each by itself when a fault has undone the whole group', async () => {
  // ROLLBACK in a trigger ends the transaction, as a full disk does.
  const { write, stored } = open(`
    CREATE TABLE notes (text TEXT PRIMARY KEY) STRICT;
    CREATE TRIGGER full BEFORE INSERT ON notes WHEN new.text = 'huge'
      BEGIN SELECT RAISE(ROLLBACK, 'disk full'); END;`);
  const outcomes = await Promise.allSettled([write('a'), write('huge'), write('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(outcomes[1]).toMatchObject({ reason: { message: 'disk full' } });
  expect(stored()).toEqual(['a', 'b']);
});

it('tells everybody when nothing can be written, and goes on when it can', async () => {
  const { database, write, stored } = open();
  database.pragma('query_only = ON');
  const outcomes = await Promise.allSettled([write('a'), write('b')]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  database.pragma('query_only = OFF');
  expect(await Promise.all([write('a'), write('b')])).toEqual(['a', 'b']);
  expect(stored()).toEqual(['a', 'b']);
});

it('loses nobody when many more come than one group holds', async () => {
  const { write, stored } = open();
  const texts = Array.from({ length: 1000 }, (_, index) => String(index));
  expect(await Promise.all(texts.map(write))).toEqual(texts);
  expect(stored()).toHaveLength(1000);
});

it('takes leads that arrive together in one commit, each with its own answer', async () => {
  const file = join(temporaryFolder(), 'leads.db');
  const store = openStore(file);
  const other = new Database(file);
  onTestFinished(() => void other.close());
  const raised = other.prepare('SELECT COUNT(*) AS leads FROM leads');
  other.exec(
    "CREATE TRIGGER broken BEFORE INSERT ON leads WHEN new.request LIKE '%Number3%' BEGIN SELECT RAISE(ABORT, 'broken'); END",
  );
  const desk = openDesk(store, {
    leads: leadsConfig({ destinations: [destination('file', fileCrm('out'))] }),
  });
  const version = () => Number(other.pragma('data_version', { simple: true }));
  const before = version();
  const outcomes = await Promise.allSettled([0, 1, 2, 3, 4, 1].map((buyer) => desk.submit(leadOf(buyer))));
  expect(version() - before).toBe(1);
  expect(outcomes.map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
  ]);
  const answers = outcomes.flatMap((outcome) =>
    outcome.status === 'fulfilled' ? [answered(outcome.value).answer] : [],
  );
  // The last one is a repeat of a lead in the same group.
  expect(answers.map(({ status }) => status)).toEqual([
    'received',
    'received',
    'received',
    'received',
    'duplicate',
  ]);
  expect(answers[4]?.lead_id).toBe(answers[1]?.lead_id);
  expect(raised.get()).toEqual({ leads: 4 });
  expect(await store.auditConsents()).toMatchObject({ kind: 'whole', records: 5 });
});

/** Takes its time until it is let go. */
function slowLog() {
  const waiting: PromiseWithResolvers<void>[] = [];
  const sync = (): Promise<void> => {
    waiting.push(Promise.withResolvers());
    return waiting.at(-1)!.promise;
  };
  const syncNow = () => expect.unreachable('the thread waits for a slow disk');
  return { waiting, log: { sync, syncNow, isQuick: false } };
}

describe('the disk', () => {
  function slowDisk() {
    const { log, waiting } = slowLog();
    return { waiting, ...open(NOTES, log) };
  }

  it('is waited for before anybody hears of success, and the thread goes on meanwhile', async () => {
    const { waiting, write, stored, onDisk } = slowDisk();
    const heard: string[] = [];
    const first = write('a').then((text) => heard.push(text));
    await vi.waitUntil(() => waiting.length === 1);
    const all = onDisk().then(() => heard.push('all'));
    expect([stored(), heard]).toEqual([['a'], []]);
    waiting[0]!.resolve();
    await Promise.all([first, all]);
    expect(heard.sort()).toEqual(['a', 'all']);
  });

  it('gives those who come while it is waited for one commit together', async () => {
    const { waiting, write, stored, commits } = slowDisk();
    const first = write('a');
    await vi.waitUntil(() => waiting.length === 1);
    const before = commits();
    const others = ['b', 'c', 'd'].map(write);
    waiting[0]!.resolve();
    await first;
    await vi.waitUntil(() => waiting.length === 2);
    expect(commits() - before).toBe(1);
    waiting[1]!.resolve();
    expect(await Promise.all(others)).toEqual(['b', 'c', 'd']);
    expect(stored()).toEqual(['a', 'b', 'c', 'd']);
  });

  it.each([
    ['waited for by the thread', true],
    ['waited for beside it', false],
  ])('%s, tells everybody when it fails, and is used again', async (_, isQuick) => {
    let isBroken = true;
    const fail = () => {
      if (isBroken) throw new Error('EIO');
    };
    // eslint-disable-next-line @typescript-eslint/require-await -- as the disk does
    const { write, commit } = open(NOTES, { sync: async () => fail(), syncNow: fail, isQuick });
    await expect(write('a')).rejects.toThrow('EIO');
    isBroken = false;
    expect(await write('b')).toBe('b');
    expect(await commit(() => 'a note', 'patient')).toBe('a note');
  });
});

it('gives the reply to a known key only when its lead is on disk', async () => {
  const database = openLeadDatabase(join(temporaryFolder(), 'leads.db'));
  onTestFinished(() => void database.close());
  const { log, waiting } = slowLog();
  const store = { ...openStore(), ...acceptingOperations(database, groupCommit(database, log)) };
  const desk = openDesk(store, {
    leads: leadsConfig({ destinations: [destination('file', fileCrm('out'))] }),
  });
  const keyed = { ...leadOf(1), idempotency_key: 'one' };
  const heard: string[] = [];
  const first = desk.submit(keyed).then((outcome) => heard.push(answered(outcome).answer.status));
  await vi.waitUntil(() => waiting.length === 1);
  const again = desk.submit(keyed).then((outcome) => heard.push(String(answered(outcome).replayed)));
  await setImmediate();
  expect(heard).toEqual([]);
  waiting[0]!.resolve();
  await Promise.all([first, again]);
  expect(heard.sort()).toEqual(['received', 'true']);
});
