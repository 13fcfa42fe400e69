import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { KeptReads } from '../../src/inventory/kept-reads.ts';

describe('what was read lately', () => {
  it('is known until the file is written, and from the next turn on not at all', async () => {
    let version = 1;
    const kept = new KeptReads<string, string>(
      () => version,
      100,
      (text) => text.length,
    );
    kept.refresh();
    kept.keep('a', 'first');
    kept.refresh();
    expect(kept.get('a')).toBe('first');
    version = 2;
    await setImmediate();
    kept.refresh();
    expect(kept.get('a')).toBeUndefined();
  });

  it('takes no more than its room: what came first goes first', () => {
    const kept = new KeptReads<number, string>(
      () => 1,
      10,
      (text) => text.length,
    );
    kept.refresh();
    for (const key of [1, 2, 3]) kept.keep(key, 'four');
    expect([1, 2, 3].map((key) => kept.get(key))).toEqual([undefined, 'four', 'four']);
    kept.keep(4, 'much longer than all the room there is');
    expect([2, 3, 4].map((key) => kept.get(key))).toEqual([undefined, undefined, undefined]);
    kept.keep(5, 'tiny');
    expect(kept.get(5)).toBe('tiny');
  });
});
