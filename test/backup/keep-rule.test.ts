import { expect, it } from 'vitest';
import { keptBackups, type KeptBackup } from '../../src/runtime/backup/keep-rule.ts';

const DAY = 86_400_000;
/** A Monday. */
const MONDAY = Date.UTC(2026, 10, 30, 2, 30);

function nightly(daysAgo: number, changes: Partial<KeptBackup> = {}): KeptBackup {
  return {
    name: `day-${daysAgo}`,
    takenAt: MONDAY - daysAgo * DAY,
    reason: 'nightly',
    isGood: true,
    ...changes,
  };
}

const keep = { daily: 7, weekly: 4 };
const kept = (backups: KeptBackup[], rule = keep): string[] => [...keptBackups(backups, rule)].sort();

it('keeps the newest of seven days and of four weeks', () => {
  const backups = Array.from({ length: 60 }, (_, day) => nightly(day));
  // Weeks end on Sundays: 1, 8 and 15 days ago, and the week that has begun today.
  expect(kept(backups)).toEqual(
    ['day-0', 'day-1', 'day-2', 'day-3', 'day-4', 'day-5', 'day-6', 'day-8', 'day-15'].sort(),
  );
});

it('keeps one of each day, the newest, and counts days that have one', () => {
  const backups = [
    nightly(0),
    nightly(40),
    nightly(40, { name: 'later', takenAt: MONDAY - 40 * DAY + 3600_000 }),
    nightly(90),
    nightly(91),
  ];
  expect(kept(backups, { daily: 3, weekly: 0 })).toEqual(['day-0', 'day-90', 'later']);
});

it('takes nothing good of a day away before the next day has one', () => {
  const later = [1, 2].map((hours) =>
    nightly(0, { name: `later-${hours}`, takenAt: MONDAY + hours * 3600_000 }),
  );
  const rule = { daily: 1, weekly: 0 };
  expect(kept([nightly(0), ...later, nightly(1)], rule)).toEqual(['day-0', 'later-1', 'later-2']);
  expect(kept([nightly(-1), nightly(0), ...later], rule)).toEqual(['day--1']);
});

it('counts those made by hand apart from those of the nights, and keeps the newest five for ever', () => {
  const byHand = (daysAgo: number, hours: number): KeptBackup =>
    nightly(daysAgo, {
      name: `hand-${daysAgo}-${hours}`,
      reason: 'by hand',
      takenAt: MONDAY - daysAgo * DAY + hours * 3600_000,
    });
  const nights = Array.from({ length: 10 }, (_, day) => nightly(day));
  const hands = [byHand(1, 5), ...[1, 2, 3, 4, 5, 6].map((hours) => byHand(100, hours))];
  expect(kept([...nights, ...hands], { daily: 2, weekly: 0 })).toEqual(
    ['day-0', 'day-1', 'hand-1-5', ...[3, 4, 5, 6].map((hours) => `hand-100-${hours}`)].sort(),
  );
});

it('never takes the last good one away, however old it is and whatever came after it', () => {
  const failed = Array.from({ length: 30 }, (_, day) => nightly(day, { isGood: false }));
  expect(kept([...failed, nightly(400)])).toEqual(['day-0', 'day-400']);
});

it('drops faulty ones as soon as a good one follows', () => {
  expect(kept([nightly(0), nightly(1, { isGood: false }), nightly(2)])).toEqual(['day-0', 'day-2']);
});

it('keeps those made by hand for as many days, and the newest before a change for ever', () => {
  const byHand = nightly(2, { name: 'by-hand', reason: 'by hand', takenAt: MONDAY - 2 * DAY - 3600_000 });
  const before = nightly(200, { name: 'before', reason: 'before a migration' });
  const earlier = nightly(300, { name: 'earlier', reason: 'before an upgrade' });
  const days = Array.from({ length: 100 }, (_, day) => nightly(day));
  const names = kept([...days, byHand, before, earlier]);
  expect(names).toContain('by-hand');
  expect(names).toContain('before');
  expect(names).not.toContain('earlier');
});
