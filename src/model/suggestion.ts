/** Longer words are no typing slips of ours, and comparing them would cost time. */
const LONGEST_WORD = 64;

/**
 * The candidate that a person most likely meant, or undefined when none is near: at most one slip (a letter added,
 * dropped, changed or swapped with its neighbour) in three letters. Letter case does not count.
 */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  if (word.length > LONGEST_WORD) return undefined;
  let best: { candidate: string; slips: number } | undefined;
  for (const candidate of candidates) {
    if (candidate.length > LONGEST_WORD) continue;
    const slips = countSlips(word.toLowerCase(), candidate.toLowerCase());
    const allowed = Math.max(1, Math.floor(Math.min(word.length, candidate.length) / 3));
    if (slips <= allowed && (best === undefined || slips < best.slips)) best = { candidate, slips };
  }
  return best?.candidate;
}

/** `; did you mean "homenet"?`, or nothing when no candidate is near. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const candidate = nearest(word, candidates);
  return candidate === undefined ? '' : `; did you mean "${candidate}"?`;
}

/** Edit distance with neighbour swaps (optimal string alignment), three rows at a time. */
function countSlips(left: string, right: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const same = left[row - 1] === right[column - 1];
      let slips = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (same ? 0 : 1),
      );
      const swapped = left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      if (row > 1 && column > 1 && swapped) slips = Math.min(slips, at(beforeLast, column - 2) + 1);
      current.push(slips);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, right.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
