import { describe, expect, it } from 'vitest';
import { safeFileName, stampedAt, stampedName, unstampedName } from '../../src/feeds/inbox/file-name.ts';

describe('names of claimed files', () => {
  it.each([
    ['inventory.csv', 'inventory.csv'],
    ['Bestand März.csv', 'Bestand März.csv'],
    ['../../etc/passwd', '__.._etc_passwd'],
    ['a\nb\tc.csv', 'a_b_c.csv'],
    ['a:b*c?.csv', 'a_b_c_.csv'],
    ['C:\\feeds\\x.csv', 'C_feeds_x.csv'],
    ['right\u202Eto-left.csv', 'right_to-left.csv'],
    ['trailing. . ', 'trailing'],
    ['...', '_'],
    ['', 'file'],
  ])('%j becomes %j', (given, expected) => {
    expect(safeFileName(given)).toBe(expected);
  });

  it('cuts a long name at 150 bytes between characters and keeps its ending', () => {
    const name = safeFileName(`${'ä'.repeat(120)}.csv`);
    expect(Buffer.byteLength(name)).toBe(150);
    expect(name).toBe(`${'ä'.repeat(73)}.csv`);
  });

  it('puts a time before the name that no system refuses, and takes it off again', () => {
    const name = stampedName('inventory.csv', Date.UTC(2026, 3, 30, 10, 15, 0, 123));
    expect(name).toBe('20260430T101500.123Z-inventory.csv');
    expect(unstampedName(name)).toBe('inventory.csv');
    expect(unstampedName('inventory.csv')).toBe('inventory.csv');
    expect(stampedAt(name)).toBe(Date.UTC(2026, 3, 30, 10, 15, 0, 123));
    expect(stampedAt('inventory.csv')).toBeUndefined();
  });
});
