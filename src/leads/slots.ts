import type { TimeSpan } from './opening-hours.ts';

/** How a day is divided: slots of one length from the opening on, each for so many visits. */
export interface SlotPlan {
  /**
   * The slots that a visit takes which begins then, as one span: as many as it touches. Undefined when it does not
   * begin with a slot, does not end within the day, or one of them is full.
   */
  slotsFrom(start: number, lengthMs: number, day: TimeSpan, taken: readonly TimeSpan[]): TimeSpan | undefined;
  /** Every start of that day at which such a visit finds room. */
  freeStarts(lengthMs: number, day: TimeSpan, taken: readonly TimeSpan[]): number[];
}

export function createSlotPlan({ slotMs, capacity }: { slotMs: number; capacity: number }): SlotPlan {
  function slotsFrom(
    start: number,
    lengthMs: number,
    day: TimeSpan,
    taken: readonly TimeSpan[],
  ): TimeSpan | undefined {
    const slots = { from: start, to: start + Math.ceil(lengthMs / slotMs) * slotMs };
    if (start < day.from || slots.to > day.to || (start - day.from) % slotMs !== 0) return undefined;
    const nearby = taken.filter((span) => overlap(span, slots));
    // Counted slot by slot, since the slots of earlier bookings may have had another length.
    for (let from = start; from < slots.to; from += slotMs) {
      const slot = { from, to: from + slotMs };
      if (nearby.filter((span) => overlap(span, slot)).length >= capacity) return undefined;
    }
    return slots;
  }

  return {
    slotsFrom,
    freeStarts: (lengthMs, day, taken) => {
      const sameDay = taken.filter((span) => overlap(span, day));
      const starts: number[] = [];
      for (let start = day.from; start < day.to; start += slotMs) {
        if (slotsFrom(start, lengthMs, day, sameDay) !== undefined) starts.push(start);
      }
      return starts;
    },
  };
}

function overlap(left: TimeSpan, right: TimeSpan): boolean {
  return left.from < right.to && right.from < left.to;
}
