import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { CallTurn } from '../../src/web/call-turn.ts';

/** So many calls in one turn of the event loop, and what happened in which order. */
async function callTogether(turn: CallTurn, calls: number): Promise<string[]> {
  const events: string[] = [];
  const call = async (number: number): Promise<void> => {
    turn.begin();
    events.push(`read ${number}`);
    await turn.together();
    events.push(`answered ${number}`);
  };
  const running = [];
  for (let number = 1; number <= calls; number++) {
    running.push(call(number));
    // As node gives promises their turn between two connections.
    await Promise.resolve();
    await Promise.resolve();
  }
  await Promise.all(running);
  return events;
}

it('answers whoever calls alone without waiting for anybody', async () => {
  const turn = new CallTurn();
  turn.begin();
  expect(turn.together()).toBeUndefined();
  await setImmediate();
  turn.begin();
  expect(turn.together()).toBeUndefined();
});

it('answers calls that come together after all of them are read, in their order', async () => {
  const turn = new CallTurn();
  await callTogether(turn, 3);
  await setImmediate();
  const read = ['read 1', 'read 2', 'read 3'];
  expect(await callTogether(turn, 3)).toEqual([...read, 'answered 1', 'answered 2', 'answered 3']);
});

it('keeps nobody waiting who is alone again', async () => {
  const turn = new CallTurn();
  await callTogether(turn, 3);
  await setImmediate();
  // The last of the crowd waits for the end of its turn, and comes through.
  expect(await callTogether(turn, 1)).toEqual(['read 1', 'answered 1']);
  await setImmediate();
  turn.begin();
  expect(turn.together()).toBeUndefined();
});
