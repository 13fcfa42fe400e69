const MOST_REMEMBERED = 5000;
/** Longer texts hardly repeat, and many of them would cost memory. */
const LONGEST_REMEMBERED = 200;

/**
 * The same pure function with its answers remembered, for the texts that repeat from row to row. Bounded, so that
 * a column of ever new or ever longer texts costs no memory.
 */
export function remembering<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    if (text.length > LONGEST_REMEMBERED) return answer(text);
    const known = answers.get(text);
    if (known !== undefined || answers.has(text)) return known as Answer;
    if (answers.size >= MOST_REMEMBERED) return answer(text);
    const own = copyOf(text);
    const fresh = answer(own);
    answers.set(own, fresh);
    return fresh;
  };
}

/** A cell is a piece of the text read so far, and as long as a piece is kept, so is all of that text. */
function copyOf(text: string): string {
  const copy = Buffer.from(text).toString();
  // Half a character pair does not survive UTF-8.
  return copy === text ? copy : text;
}
