import { expect, it } from 'vitest';
import type { Alert, AlertMemory } from '../../src/model/alert.ts';
import { silentLog } from '../../src/model/log.ts';
import { steadyMemory } from '../../src/runtime/alert-memory.ts';
import { openStore } from '../leads/lead-harness.ts';

const alert = (key: string): Alert => ({ key, text: `${key} is wrong`, remedy: 'Mend it.' });

/** A real memory behind a database that can be switched off. */
function openMemory() {
  const real = openStore().alerts;
  const state = { canRead: true, canWrite: true };
  const full = new Error('database or disk is full');
  const behind: AlertMemory = {
    told: (channel) => (state.canRead ? real.told(channel) : Promise.reject(full)),
    keep: (channel, change) => (state.canWrite ? real.keep(channel, change) : Promise.reject(full)),
  };
  const memory = steadyMemory(behind, silentLog);
  const keys = async (of: AlertMemory) => (await of.told('mail')).map(({ key }) => key).sort();
  const keep = (raised: string[], resolved: string[] = []) =>
    memory.keep('mail', { raised: raised.map(alert), resolved, now: 1 });
  return { state, memory, real, keys, keep };
}

it('knows what it was told on a full disk, and writes it down when there is room again', async () => {
  const { state, memory, real, keys, keep } = openMemory();
  await keys(memory);
  await keep(['old', 'older']);
  state.canWrite = false;
  await keys(memory);
  await keep(['disk-low'], ['old']);
  expect(await keys(memory)).toEqual(['disk-low', 'older']);
  expect(await keys(real)).toEqual(['old', 'older']);
  state.canWrite = true;
  await keep([], ['disk-low']);
  expect(await keys(memory)).toEqual(['older']);
  expect(await keys(real)).toEqual(['older']);
});

it('goes by what it read last while nothing can be read', async () => {
  const { state, memory, keys, keep } = openMemory();
  await keys(memory);
  await keep(['leads']);
  state.canRead = false;
  expect(await keys(memory)).toEqual(['leads']);
});
