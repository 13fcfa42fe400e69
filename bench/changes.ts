import { readFileSync } from 'node:fs';
import type { Result, Row } from './report.ts';

/** Prints each figure that both runs have: before, now, and the change in percent. */
export function showChanges(file: string, now: Result): void {
  const before = JSON.parse(readFileSync(file, 'utf8')) as Result;
  for (const [part, rows] of Object.entries(now.parts)) {
    const changes = rows.flatMap((row) => {
      const old = before.parts[part]?.find(({ name }) => name === row.name);
      return old === undefined ? [] : [[row.name, changesOf(old, row)] as const];
    });
    if (changes.length === 0) continue;
    console.log(`\n${part}: before → now (before measured ${before.measuredAt})`);
    console.table(Object.fromEntries(changes));
  }
}

function changesOf(before: Row, now: Row): Record<string, string> {
  return Object.fromEntries(
    Object.entries(now.values).flatMap(([column, value]) => {
      const old = before.values[column];
      if (typeof value !== 'number' || typeof old !== 'number') return [];
      const percent = old === 0 ? '' : ` (${signed((value / old - 1) * 100)} %)`;
      return [[column, `${old} → ${value}${percent}`]];
    }),
  );
}

function signed(percent: number): string {
  return `${percent < 0 ? '' : '+'}${percent.toFixed(0)}`;
}
