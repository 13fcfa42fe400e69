import { afterEach, expect, it, vi } from 'vitest';
import { RepeatedStep } from '../../src/runtime/repeated-step.ts';

let repeated: RepeatedStep | undefined;
afterEach(() => repeated?.stop());

/** A step that ends when it is told to. */
function heldStep() {
  const begun: PromiseWithResolvers<undefined>[] = [];
  const step = (): Promise<void> => {
    const run = Promise.withResolvers<undefined>();
    begun.push(run);
    return run.promise;
  };
  return { begun, step };
}

it('never runs twice at once; all who ask meanwhile share the run after it', async () => {
  const { begun, step } = heldStep();
  repeated = new RepeatedStep(step, 3_600_000, () => undefined);
  const first = repeated.now();
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  const second = repeated.now();
  expect(repeated.now()).toBe(second);
  await Promise.resolve();
  expect(begun).toHaveLength(1);
  begun[0]?.resolve(undefined);
  await first;
  await vi.waitFor(() => expect(begun).toHaveLength(2));
  begun[1]?.resolve(undefined);
  await second;
  expect(begun).toHaveLength(2);
});

it('is awaited by its stop', async () => {
  const { begun, step } = heldStep();
  const running = new RepeatedStep(step, 3_600_000, () => undefined);
  void running.now();
  await vi.waitFor(() => expect(begun).toHaveLength(1));
  let isStopped = false;
  const stopped = running.stop().then(() => (isStopped = true));
  await new Promise(setImmediate);
  expect(isStopped).toBe(false);
  begun[0]?.resolve(undefined);
  await stopped;
});

it('tells a failed run and goes on at its time', async () => {
  const faults: unknown[] = [];
  let runs = 0;
  const step = (): Promise<void> => {
    runs += 1;
    return runs === 1 ? Promise.reject(new Error('once')) : Promise.resolve();
  };
  repeated = new RepeatedStep(step, 1, (fault) => faults.push(fault));
  await vi.waitFor(() => expect(runs).toBeGreaterThan(2));
  expect(faults).toEqual([new Error('once')]);
});
