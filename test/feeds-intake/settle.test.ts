import { describe, expect, it } from 'vitest';
import type { NoticedFile } from '../../src/feeds/inbox/notice.ts';
import { SettleWatch } from '../../src/feeds/inbox/settle.ts';

function file(size: number, modifiedAt: number, name = 'a.csv'): NoticedFile {
  return { path: `/inbox/${name}`, name, size, modifiedAt };
}

describe('settling', () => {
  it('takes two equal looks that are far enough apart', () => {
    const settle = new SettleWatch(5000);
    expect(settle.look(file(10, 1), 100_000)).toBe(5000);
    expect(settle.look(file(10, 1), 104_000)).toBe(1000);
    expect(settle.look(file(10, 1), 105_000)).toBe(0);
  });

  it('begins again when the size changes', () => {
    const settle = new SettleWatch(5000);
    settle.look(file(10, 1), 100_000);
    expect(settle.look(file(11, 1), 105_000)).toBe(5000);
    expect(settle.look(file(11, 1), 110_000)).toBe(0);
  });

  it('begins again when only the time of change moves, as with a file whose size was reserved', () => {
    const settle = new SettleWatch(5000);
    settle.look(file(10, 1), 100_000);
    expect(settle.look(file(10, 2), 105_000)).toBe(5000);
  });

  it('wants a second look even with no waiting time', () => {
    const settle = new SettleWatch(0);
    expect(settle.look(file(10, 1), 100_000)).toBe(1);
    expect(settle.look(file(10, 1), 100_000)).toBe(0);
  });

  it('judges a file that was gone in between as new', () => {
    const settle = new SettleWatch(5000);
    settle.look(file(10, 1), 100_000);
    settle.keepOnly([file(10, 1, 'b.csv')]);
    expect(settle.look(file(10, 1), 105_000)).toBe(5000);
  });

  it('gives a file that was not ready another waiting time, and remembers how long it has been quiet', () => {
    const settle = new SettleWatch(5000);
    settle.look(file(10, 1), 100_000);
    expect(settle.postpone('a.csv', 105_000)).toBe(5000);
    expect(settle.look(file(10, 1), 106_000)).toBe(4000);
    expect(settle.look(file(10, 1), 110_000)).toBe(0);
    expect(settle.quietMs('a.csv', 110_000)).toBe(10_000);
    settle.look(file(11, 1), 111_000);
    expect(settle.quietMs('a.csv', 112_000)).toBe(1000);
  });
});
