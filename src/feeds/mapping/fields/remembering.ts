const MOST_REMEMBERED = 5000;

/**
 * The same pure function with its answers remembered, for the texts that repeat from row to row. Bounded, so that
 * a column of ever new texts costs no memory.
 */
export function remembering<Answer>(answer: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, Answer>();
  return (text) => {
    const known = answers.get(text);
    if (known !== undefined || answers.has(text)) return known as Answer;
    const fresh = answer(text);
    if (answers.size < MOST_REMEMBERED) answers.set(text, fresh);
    return fresh;
  };
}
