import { describe, expect, it } from 'vitest';
import { isBackupDue } from '../../src/runtime/backup/schedule.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;
/** By this machine's clock. */
const at = (day: number, hour: number, minute = 0): number => new Date(2026, 10, day, hour, minute).getTime();
const longAgo = at(1, 0);
const times = { at: '02:30', jitterMs: 0, startedAt: longAgo };

describe('the nightly backup', () => {
  it('is due at its time of day, once', () => {
    const lastGoodAt = at(29, 2, 31);
    expect(isBackupDue({ ...times, lastGoodAt }, at(30, 2, 29))).toBe(false);
    expect(isBackupDue({ ...times, lastGoodAt }, at(30, 2, 30))).toBe(true);
    expect(isBackupDue({ ...times, lastGoodAt: at(30, 2, 30) }, at(30, 2, 32))).toBe(false);
    expect(isBackupDue({ ...times, lastGoodAt: at(30, 2, 30) }, at(30, 23, 59))).toBe(false);
  });

  it('waits for its jitter', () => {
    const late = { ...times, lastGoodAt: at(29, 2, 40), jitterMs: 7 * MINUTE };
    expect(isBackupDue(late, at(30, 2, 36))).toBe(false);
    expect(isBackupDue(late, at(30, 2, 37))).toBe(true);
  });

  it('is made up for two minutes after a start when the machine was off at night', () => {
    const off = { ...times, lastGoodAt: at(28, 2, 31), startedAt: at(30, 8) };
    expect(isBackupDue(off, at(30, 8, 1))).toBe(false);
    expect(isBackupDue(off, at(30, 8, 2))).toBe(true);
  });

  it('is made at once where there is none at all', () => {
    expect(isBackupDue(times, at(30, 15))).toBe(true);
  });

  it('is tried again an hour after it failed', () => {
    const failed = { ...times, lastGoodAt: at(29, 2, 31), lastTryAt: at(30, 2, 30) };
    expect(isBackupDue(failed, at(30, 3, 29))).toBe(false);
    expect(isBackupDue(failed, at(30, 3, 30))).toBe(true);
  });

  it('does not wait for times that are still to come after the clock was set back', () => {
    const ahead = { ...times, startedAt: at(30, 8) + 999 * HOUR, lastGoodAt: at(30, 8) + 999 * HOUR };
    expect(isBackupDue({ ...ahead, lastTryAt: ahead.lastGoodAt }, at(30, 8))).toBe(true);
  });
});
