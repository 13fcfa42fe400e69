import type { SkillId } from '../model/skill.ts';

/** Upper ends of the buckets, in seconds. */
export const DURATION_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Codes come from our own tables; the bound is for the day on which one does not. */
const MAX_CODES = 60;

type Asked = SkillId | 'none';

export interface Durations {
  /** As many as `DURATION_BUCKETS` and one for what took longer; each call is in one of them. */
  buckets: Float64Array;
  sumSeconds: number;
}

interface SkillCounts {
  codes: Map<string, { calls: number }>;
  durations: Durations;
}

/**
 * How many calls of which skill ended how, and how long they took. Every call passes here, so nothing is made for one:
 * two look-ups and two sums. Names the metrics only when somebody asks for them.
 */
export class CallCounts {
  readonly #skills = new Map<Asked, SkillCounts>();

  /** @param code how it ended: `ok` or one of the codes that replies carry. */
  count(skill: SkillId | undefined, code: string, durationMs: number): void {
    const { codes, durations } = this.#of(skill ?? 'none');
    const known = codes.get(code) ?? this.#newCode(codes, code);
    known.calls++;
    const seconds = durationMs / 1000;
    durations.sumSeconds += seconds;
    let bucket = 0;
    while (seconds > (DURATION_BUCKETS[bucket] ?? Infinity)) bucket++;
    durations.buckets[bucket] = (durations.buckets[bucket] ?? 0) + 1;
  }

  /** Calls by skill and code. */
  *outcomes(): Iterable<{ skill: Asked; code: string; calls: number }> {
    for (const [skill, { codes }] of this.#skills)
      for (const [code, { calls }] of codes) yield { skill, code, calls };
  }

  /** How long the calls of each skill took. */
  *durations(): Iterable<{ skill: Asked; durations: Durations }> {
    for (const [skill, { durations }] of this.#skills) yield { skill, durations };
  }

  #of(skill: Asked): SkillCounts {
    let counts = this.#skills.get(skill);
    if (counts === undefined) {
      const buckets = new Float64Array(DURATION_BUCKETS.length + 1);
      counts = { codes: new Map(), durations: { buckets, sumSeconds: 0 } };
      this.#skills.set(skill, counts);
    }
    return counts;
  }

  #newCode(codes: SkillCounts['codes'], code: string): { calls: number } {
    const name = codes.size < MAX_CODES ? code : 'other';
    const counted = codes.get(name) ?? { calls: 0 };
    codes.set(name, counted);
    return counted;
  }
}
