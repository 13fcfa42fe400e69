import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { judgeClock } from '../../src/model/clock-doubt.ts';
import { ClockWatch } from '../../src/runtime/clock-watch.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = Date.parse('2026-11-30T12:00:00Z');

function machine(dataFolder = mkdtempSync(join(tmpdir(), 'clock-'))) {
  const state = { now: NOON, steady: 0 };
  const start = (lastKnown?: number) => {
    const watch = new ClockWatch(dataFolder, { now: () => state.now }, () => state.steady);
    watch.begin(lastKnown);
    watch.start()();
    return watch;
  };
  const run = (watch: ClockWatch, ms: number) => {
    state.now += ms;
    state.steady += ms;
    watch.look();
  };
  return { dataFolder, state, start, run };
}

it('believes a clock that goes on, also after a week without a run', () => {
  const { state, start } = machine();
  expect(start().doubt).toBeUndefined();
  state.now += 7 * DAY;
  const watch = start();
  expect([watch.maySayOld, watch.doubt]).toEqual([true, undefined]);
});

it('takes nothing for old after a jump ahead, until the bridge has run a day with that clock, in parts', () => {
  const { state, start, run } = machine();
  start();
  state.now += 400 * DAY;
  const watch = start();
  expect(watch.maySayOld).toBe(false);
  expect(watch.doubt).toEqual({ kind: 'ahead', from: NOON, to: NOON + 400 * DAY, steadyMs: 0 });
  run(watch, 10 * HOUR);
  const next = start();
  run(next, 14 * HOUR - 1);
  expect(next.maySayOld).toBe(false);
  run(next, 1);
  expect([next.maySayOld, next.doubt]).toEqual([true, undefined]);
});

it('notices a jump in the middle of a run', () => {
  const { state, start, run } = machine();
  const watch = start();
  run(watch, HOUR);
  state.now += 8 * DAY;
  watch.look();
  expect(watch.maySayOld).toBe(false);
});

it('believes it at once when it is put right again', () => {
  const { state, start } = machine();
  start();
  state.now += 400 * DAY;
  start();
  state.now -= 400 * DAY - HOUR;
  const watch = start();
  expect([watch.maySayOld, watch.doubt]).toEqual([true, undefined]);
});

it('tells of a clock that was set back, which makes nothing old, and believes it when it is put right', () => {
  const { state, start } = machine();
  start();
  state.now -= 90 * DAY;
  const back = start();
  expect(back.maySayOld).toBe(true);
  expect(back.doubt).toEqual({ kind: 'back', from: NOON, to: NOON - 90 * DAY, steadyMs: 0 });
  state.now += 90 * DAY;
  expect(start().doubt).toBeUndefined();
  state.now -= 90 * DAY;
  start();
  state.now += 200 * DAY;
  expect(start().doubt).toMatchObject({ kind: 'ahead', from: NOON });
});

it('is not deceived by a second jump', () => {
  const once = judgeClock({ seenAt: NOON }, NOON + 100 * DAY, 0);
  const twice = judgeClock(once, NOON + 200 * DAY, 23 * HOUR);
  expect(twice.doubt).toEqual({ kind: 'ahead', from: NOON, to: NOON + 200 * DAY, steadyMs: 0 });
});

it('goes by what the databases know where it remembers nothing, and by nothing at all on a first start', () => {
  expect(machine().start(NOON - 8 * DAY).maySayOld).toBe(false);
  expect(machine().start(NOON - 6 * DAY).maySayOld).toBe(true);
  expect(machine().start(undefined).maySayOld).toBe(true);
});

it('says nothing is old before anything is known, and forgets a spoiled file', () => {
  const { dataFolder, start } = machine();
  for (const spoiled of ['', 'null', '{"seenAt":"x"}', '[]']) {
    writeFileSync(join(dataFolder, 'clock.json'), spoiled);
    expect(new ClockWatch(dataFolder, { now: () => NOON }).maySayOld).toBe(false);
  }
  start();
  expect(JSON.parse(readFileSync(join(dataFolder, 'clock.json'), 'utf8'))).toEqual({ seenAt: NOON });
});
