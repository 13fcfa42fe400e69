/** One row of a bench: medians and 99th percentiles in ms, both sides measured in the same run, turn by turn. */
export interface Comparison {
  name: string;
  median: number;
  p99: number;
  yardstickMedian: number;
  /** Yardstick's median over ours: above 1 we are faster. */
  ratio: number;
}

const WARM_UP_ROUNDS = 5;
const MIN_ROUNDS = 15;
const MAX_ROUNDS = 300;
const BUDGET_MS = 1_500;

/** A B A B …, so that whatever else the machine does strikes both alike. */
export function compareInterleaved(
  name: string,
  sides: { ours: () => unknown; yardstick: () => unknown },
): Comparison {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < WARM_UP_ROUNDS; round++) {
    sides.ours();
    sides.yardstick();
  }
  const started = performance.now();
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (round >= MIN_ROUNDS && performance.now() - started > BUDGET_MS) break;
    ours.push(timed(sides.ours));
    theirs.push(timed(sides.yardstick));
  }
  const median = quantile(ours, 0.5);
  const yardstickMedian = quantile(theirs, 0.5);
  return { name, median, p99: quantile(ours, 0.99), yardstickMedian, ratio: yardstickMedian / median };
}

function timed(action: () => unknown): number {
  const started = performance.now();
  action();
  return performance.now() - started;
}

export function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
