import { describe, expect, it } from 'vitest';
import { guard } from '../../src/feeds/guard.ts';

const DEFAULTS = { max_removed_percent: 20, max_removed_vehicles: 10 };

function isHeld(before: number, removed: number, config = DEFAULTS, moved = 0): boolean {
  const unchanged = before - removed;
  const change = { rooftopId: 'HPM01', before, added: 0, changed: 0, unchanged, removed, moved };
  return guard([change], config).length > 0;
}

describe('shrink guard', () => {
  it.each([
    // An ordinary night on a small lot, and the shrunk snapshot that must not empty it.
    [14, 2, false],
    [13, 10, true],
    [14, 12, true],
    // Half of a small lot is the most that may go unasked.
    [14, 7, false],
    [14, 8, true],
    [3, 1, false],
    [3, 2, true],
    // From 20 vehicles on the number counts whole, from 50 on the share is the larger.
    [20, 10, false],
    [20, 11, true],
    [50, 10, false],
    [50, 11, true],
    [100, 20, false],
    [100, 21, true],
    // The last vehicle never goes unasked, and an empty lot has nothing to guard.
    [1, 1, true],
    [2, 2, true],
    [0, 0, false],
  ])('of %i vehicles, %i removed: held %s', (before, removed, held) => {
    expect(isHeld(before, removed)).toBe(held);
  });

  it('holds a run that replaces every vehicle of a rooftop by others', () => {
    const change = {
      rooftopId: 'HPM01',
      before: 5,
      added: 5,
      changed: 0,
      unchanged: 0,
      removed: 5,
      moved: 0,
    };
    expect(guard([change], DEFAULTS)).toEqual([change]);
  });

  it('takes a share of 100 percent as "anything but everything"', () => {
    const generous = { max_removed_percent: 100, max_removed_vehicles: 0 };
    expect(isHeld(100, 99, generous)).toBe(false);
    expect(isHeld(100, 100, generous)).toBe(true);
  });

  it('takes zeros as "nothing may be removed unasked"', () => {
    expect(isHeld(100, 1, { max_removed_percent: 0, max_removed_vehicles: 0 })).toBe(true);
  });

  it('does not count cars that moved to another rooftop', () => {
    expect(isHeld(1, 1, DEFAULTS, 1)).toBe(false);
    expect(isHeld(50, 12, DEFAULTS, 2)).toBe(false);
    expect(isHeld(50, 12, DEFAULTS, 1)).toBe(true);
  });

  it('names only the rooftops that shrink too much', () => {
    const fine = {
      rooftopId: 'HPM01',
      before: 40,
      added: 1,
      changed: 0,
      unchanged: 38,
      removed: 2,
      moved: 0,
    };
    const shrunk = {
      rooftopId: 'CRA02',
      before: 40,
      added: 0,
      changed: 0,
      unchanged: 10,
      removed: 30,
      moved: 0,
    };
    expect(guard([fine, shrunk], DEFAULTS)).toEqual([shrunk]);
  });
});

describe('shrink guard, of vehicles that rows name as gone', () => {
  it.each([
    // More than half of a small lot may go by name, and its last vehicle.
    { standing: 14, named: 10, absent: 0, held: false },
    { standing: 1, named: 1, absent: 0, held: false },
    { standing: 14, named: 11, absent: 0, held: true },
    { standing: 100, named: 20, absent: 0, held: false },
    { standing: 100, named: 21, absent: 0, held: true },
    // Never all of several, and never more than the allowance in both ways together.
    { standing: 2, named: 2, absent: 0, held: true },
    { standing: 4, named: 3, absent: 1, held: true },
    { standing: 100, named: 15, absent: 5, held: false },
    { standing: 100, named: 15, absent: 6, held: true },
    // What is merely absent is judged as ever.
    { standing: 14, named: 1, absent: 8, held: true },
  ])(
    'of $standing vehicles, $named named and $absent absent: held $held',
    ({ standing, named, absent, held }) => {
      const counts = {
        before: standing,
        added: 0,
        changed: 0,
        unchanged: standing - named - absent,
        moved: 0,
      };
      const change = { rooftopId: 'HPM01', ...counts, removed: named + absent, named, standing };
      expect(guard([change], DEFAULTS).length > 0).toBe(held);
    },
  );

  it('counts those of other feeds, and the floor by all that stands there', () => {
    const counts = { before: 0, added: 0, changed: 0, unchanged: 0, moved: 0, removed: 3, named: 3 };
    const change = { rooftopId: 'HPM01', ...counts, standing: 12 };
    expect(guard([change], DEFAULTS)).toEqual([]);
    expect(guard([change], { ...DEFAULTS, floor: 10 })).toEqual([change]);
  });
});
