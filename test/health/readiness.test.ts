import { expect, it } from 'vitest';
import { type Phase, readinessOf } from '../../src/bridge/readiness.ts';
import { silentLog } from '../../src/model/log.ts';

function openReadiness() {
  const state = { phase: 'serving' as Phase, isDamaged: false, now: 0, looks: 0 };
  const ask = readinessOf(
    {
      leadStore: {
        nextDueAt: () => {
          state.looks++;
          return state.isDamaged ? Promise.reject(new Error('malformed')) : Promise.resolve(undefined);
        },
      },
      inventoryStore: { listRuns: () => Promise.resolve([]) },
      clock: { now: () => state.now },
      log: silentLog,
    },
    () => state.phase,
  );
  return { state, ask };
}

it.each<Phase>(['starting', 'stopping'])('is not ready while %s', async (phase) => {
  const { state, ask } = openReadiness();
  state.phase = phase;
  expect(await ask()).toEqual({ ready: false, reason: phase });
});

it('asks the databases at most once a second, however often it is asked', async () => {
  const { state, ask } = openReadiness();
  for (let time = 0; time < 1000; time += 10) {
    state.now = time;
    expect(await ask()).toEqual({ ready: true });
  }
  expect(state.looks).toBe(1);
  state.isDamaged = true;
  state.now = 1000;
  expect(await ask()).toEqual({ ready: false, reason: 'the leads database does not answer' });
});
