import type { RepeatKeys } from './duplicate.ts';

export interface KnownLead {
  lead_id: string;
  /** Ms since 1970. */
  received_at: number;
  subjects: readonly string[];
}

/** The leads of the last hours by those who sent them, in memory. */
export class KnownRepeats {
  /** All leads received after this are known, in ms since 1970. */
  readonly since: number;
  readonly #byBuyer = new Map<string, KnownLead[]>();
  #count = 0;

  constructor(since: number) {
    this.since = since;
  }

  /** How many leads are known. */
  get count(): number {
    return this.#count;
  }

  add(lead: KnownLead, buyers: readonly string[]): void {
    this.#count += 1;
    for (const buyer of buyers) {
      const earlier = this.#byBuyer.get(buyer);
      if (earlier === undefined) this.#byBuyer.set(buyer, [lead]);
      else earlier.push(lead);
    }
  }

  /** All by one of the buyers about one of the subjects, received between the two times; the earliest first. */
  matching({ buyers, subjects, since, until }: RepeatKeys & { since: number; until: number }): KnownLead[] {
    const found = new Set<KnownLead>();
    for (const buyer of buyers) {
      for (const lead of this.#byBuyer.get(buyer) ?? []) {
        const isInTime = lead.received_at > since && lead.received_at < until;
        if (isInTime && subjects.some((subject) => lead.subjects.includes(subject))) found.add(lead);
      }
    }
    return [...found].sort((a, b) => a.received_at - b.received_at);
  }
}
