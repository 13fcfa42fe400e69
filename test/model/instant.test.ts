import { describe, expect, it } from 'vitest';
import { readInstant } from '../../src/model/instant.ts';

describe('a time from outside', () => {
  it.each([
    ['2026-12-03T10:00:00Z', '2026-12-03T10:00:00.000Z'],
    ['2026-12-03T10:00:00-08:00', '2026-12-03T18:00:00.000Z'],
    ['2026-12-03T10:00:00+05:30', '2026-12-03T04:30:00.000Z'],
    ['2026-12-03T00:30:00+23:59', '2026-12-02T00:31:00.000Z'],
    ['2026-12-03T10:00:00-00:00', '2026-12-03T10:00:00.000Z'],
    ['2026-12-03t10:00:00z', '2026-12-03T10:00:00.000Z'],
    ['2026-12-03T10:00:00.5Z', '2026-12-03T10:00:00.500Z'],
    ['2026-12-03T10:00:00.98765432109876543210Z', '2026-12-03T10:00:00.987Z'],
    ['2024-02-29T10:00:00Z', '2024-02-29T10:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(new Date(readInstant(text) ?? NaN).toISOString()).toBe(expected);
  });

  it.each([
    ['1998-12-31T23:59:60Z', '1999-01-01T00:00:00.000Z'],
    ['1998-12-31T15:59:60.123-08:00', '1999-01-01T00:00:00.123Z'],
    ['1999-01-01T05:29:60+05:30', '1999-01-01T00:00:00.000Z'],
  ])('is read as the next second when it is a leap second: %s', (text, expected) => {
    expect(new Date(readInstant(text) ?? NaN).toISOString()).toBe(expected);
  });

  it.each([
    ['an offset without minutes', '2026-12-03T10:00:00-08'],
    ['an offset without a colon', '2026-12-03T10:00:00+0530'],
    ['no offset', '2026-12-03T10:00:00'],
    ['an offset of a day', '2026-12-03T10:00:00+24:00'],
    ['an offset of sixty minutes', '2026-12-03T10:00:00+01:60'],
    ['a blank for the T', '2026-12-03 10:00:00Z'],
    ['a line break for the T', '2026-12-03\n10:00:00Z'],
    ['a line break at the end', '2026-12-03T10:00:00Z\n'],
    ['a blank before it', ' 2026-12-03T10:00:00Z'],
    ['no seconds', '2026-12-03T10:00Z'],
    ['a point without digits', '2026-12-03T10:00:00.Z'],
    ['a comma for the point', '2026-12-03T10:00:00,5Z'],
    ['a day that February does not have', '2026-02-29T10:00:00Z'],
    ['the 31st of a month of 30', '2026-11-31T10:00:00Z'],
    ['a 13th month', '2026-13-01T10:00:00Z'],
    ['a day 0', '2026-12-00T10:00:00Z'],
    ['an hour 24', '2026-12-03T24:00:00Z'],
    ['a minute 60', '2026-12-03T10:60:00Z'],
    ['a second 61', '2026-12-31T23:59:61Z'],
    ['a leap second in the morning', '2026-12-03T10:00:60Z'],
    ['a leap second at midnight of another clock', '2026-12-31T23:59:60-08:00'],
    ['a year of five digits', '12026-12-03T10:00:00Z'],
    ['a date', '2026-12-03'],
    ['digits of another script', '٢٠٢٦-12-03T10:00:00Z'],
    ['words', 'yesterday'],
    ['nothing', ''],
  ])('is none with %s', (_what, text) => {
    expect(readInstant(text)).toBeUndefined();
  });
});
