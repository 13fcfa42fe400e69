import { describe, expect, it } from 'vitest';
import { addDays, dateAt, formatDate, instantAt, weekdayOf } from '../../src/model/time-zone.ts';

const NEW_YORK = 'America/New_York';
const at = (date: string, time: string, zone = NEW_YORK): string => {
  const [year = 0, month = 0, day = 0] = date.split('-').map(Number);
  const [hours = 0, minutes = 0] = time.split(':').map(Number);
  return new Date(instantAt({ year, month, day }, hours * 60 + minutes, zone)).toISOString();
};

describe('the instant at which a wall clock shows a time', () => {
  it.each([
    ['2026-01-15', '09:00', '2026-01-15T14:00:00.000Z'],
    ['2026-07-15', '09:00', '2026-07-15T13:00:00.000Z'],
    ['2026-03-08', '01:59', '2026-03-08T06:59:00.000Z'],
    ['2026-03-08', '03:00', '2026-03-08T07:00:00.000Z'],
    ['2026-03-08', '09:00', '2026-03-08T13:00:00.000Z'],
    ['2026-11-01', '00:30', '2026-11-01T04:30:00.000Z'],
    ['2026-11-01', '02:00', '2026-11-01T07:00:00.000Z'],
    ['2026-11-01', '09:00', '2026-11-01T14:00:00.000Z'],
    ['2026-11-01', '24:00', '2026-11-02T05:00:00.000Z'],
  ])('New York, %s %s', (date, time, instant) => {
    expect(at(date, time)).toBe(instant);
  });

  it('is an hour later where the clock skips the time, and the first where it shows it twice', () => {
    expect(at('2026-03-08', '02:30')).toBe('2026-03-08T07:30:00.000Z');
    expect(at('2026-11-01', '01:30')).toBe('2026-11-01T05:30:00.000Z');
  });

  it('knows zones with half hours, without daylight saving, and south of the equator', () => {
    expect(at('2026-06-01', '09:00', 'America/Phoenix')).toBe('2026-06-01T16:00:00.000Z');
    expect(at('2026-06-01', '09:00', 'Asia/Kolkata')).toBe('2026-06-01T03:30:00.000Z');
    expect(at('2026-01-15', '09:00', 'Australia/Sydney')).toBe('2026-01-14T22:00:00.000Z');
    // Lord Howe Island moves its clocks by half an hour.
    expect(at('2026-10-04', '02:15', 'Australia/Lord_Howe')).toBe('2026-10-03T15:45:00.000Z');
  });
});

describe('the date on the wall', () => {
  it('is the one of the zone, not of UTC', () => {
    const evening = Date.parse('2026-07-01T03:30:00Z');
    expect(dateAt(evening, NEW_YORK)).toEqual({ year: 2026, month: 6, day: 30 });
    expect(dateAt(evening, 'Asia/Kolkata')).toEqual({ year: 2026, month: 7, day: 1 });
    expect(dateAt(Date.parse('2026-11-02T04:59:00Z'), NEW_YORK).day).toBe(1);
    expect(dateAt(Date.parse('2026-11-02T05:00:00Z'), NEW_YORK).day).toBe(2);
  });

  it('counts on over the end of a month and a year', () => {
    expect(formatDate(addDays({ year: 2027, month: 12, day: 31 }, 60))).toBe('2028-02-29');
    expect(weekdayOf({ year: 2026, month: 11, day: 30 })).toBe(0);
    expect(weekdayOf({ year: 2026, month: 11, day: 29 })).toBe(6);
  });
});
