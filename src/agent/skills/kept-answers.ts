import type { InventoryStatus } from '../../inventory/inventory.ts';

/** What the lot says to a question, without how fresh that is. */
export interface LotAnswer {
  /** JSON text. */
  data: string;
  /** What there is to say about it, without a full stop. */
  fact: string;
}

/** Of all answers of one skill together; most are plain ASCII, a byte a character. */
const MOST_CHARACTERS = 4 * 1024 * 1024;
/** Whoever writes long questions asks them once. */
const LONGEST_QUESTION = 500;
/** Questions that were asked once, of which nothing but the words is known. */
const MOST_NOTED = 1_000;

/**
 * Answers of the lot in service, for questions that are asked again: agents begin with the same facets and the same first
 * pages. An answer is kept from the second time on, so that one question after the other fills nothing; the longest
 * unasked goes first, and all of them when the lot is swapped.
 */
export class KeptAnswers {
  #status: InventoryStatus | undefined;
  readonly #answers = new Map<string, LotAnswer>();
  readonly #askedOnce = new Set<string>();
  #characters = 0;

  /**
   * @param status of the lot that answers; another object when another lot does
   * @param question a request that has passed its schema: the same words mean the same question
   */
  answer(status: InventoryStatus, question: object, ask: () => LotAnswer): LotAnswer {
    if (status !== this.#status) this.#forget(status);
    const key = JSON.stringify(question);
    const known = this.#answers.get(key);
    if (known !== undefined) {
      // Last in line again.
      this.#answers.delete(key);
      this.#answers.set(key, known);
      return known;
    }
    const answer = ask();
    if (key.length <= LONGEST_QUESTION) this.#note(key, answer);
    return answer;
  }

  #note(key: string, answer: LotAnswer): void {
    if (this.#askedOnce.delete(key)) this.#keep(key, answer);
    else {
      if (this.#askedOnce.size >= MOST_NOTED) this.#askedOnce.clear();
      this.#askedOnce.add(key);
    }
  }

  #keep(key: string, answer: LotAnswer): void {
    this.#answers.set(key, answer);
    this.#characters += sizeOf(key, answer);
    for (const [oldest, old] of this.#answers) {
      if (this.#characters <= MOST_CHARACTERS) return;
      this.#answers.delete(oldest);
      this.#characters -= sizeOf(oldest, old);
    }
  }

  #forget(status: InventoryStatus): void {
    this.#status = status;
    this.#answers.clear();
    this.#askedOnce.clear();
    this.#characters = 0;
  }
}

function sizeOf(key: string, { data, fact }: LotAnswer): number {
  return key.length + data.length + fact.length;
}
