import { writeFileSync } from 'node:fs';
import type { Comparison } from './measure.ts';
import { benchSearch } from './search.ts';

/** `npm run bench [-- RESULT.json]`: prints the table and, if a file is named, writes the numbers there. */
const comparisons = await benchSearch();
console.table(
  Object.fromEntries(
    comparisons.map((comparison) => [
      comparison.name,
      {
        'median ms': rounded(comparison.median),
        'p99 ms': rounded(comparison.p99),
        'SQL median ms': rounded(comparison.yardstickMedian),
        'times faster': Math.round(comparison.ratio * 10) / 10,
      },
    ]),
  ),
);
writeResult(process.argv[2], comparisons);

function writeResult(file: string | undefined, results: readonly Comparison[]): void {
  if (file === undefined) return;
  const machine = { node: process.version, platform: process.platform, arch: process.arch };
  writeFileSync(
    file,
    `${JSON.stringify({ measuredAt: new Date().toISOString(), machine, results }, null, 2)}\n`,
  );
}

function rounded(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
