import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeCsvFeed } from './feed-files.ts';
import type { TaskResult } from './feed-task.ts';
import { perform } from './feeds.ts';
import { atMost, rounded, type Row } from './report.ts';

const SIZES = [100_000, 1_000_000];
const MOST_GROWTH_MEGABYTES = 100;
const MEGABYTE = 2 ** 20;

/**
 * What grows with a file. Reading, checking and storing it should take the same memory whatever its size; the lot is an
 * index of all vehicles and grows with them. Needs 5 GB of disk and some minutes.
 */
export async function benchMillion(): Promise<Row[]> {
  const rows: Row[] = [];
  let least = Infinity;
  for (const size of SIZES) {
    const result = await takenIn(size);
    const intake = megabytes(result.intakeRssBytes);
    least = Math.min(least, intake);
    rows.push({
      name: `CSV of ${size} rows`,
      values: {
        s: rounded(result.ms / 1_000, 1),
        'CPU s': rounded(result.cpuMs / 1_000, 1),
        's of the lot': rounded((result.lotMs ?? 0) / 1_000, 1),
        'peak RSS MB, stored': rounded(intake),
        'peak RSS MB, lot built': rounded(megabytes(result.peakRssBytes)),
        'MB of lot': rounded(megabytes(result.lotBytes)),
      },
      goals: [
        atMost('MB more than the smallest until stored', rounded(intake - least), MOST_GROWTH_MEGABYTES),
      ],
    });
  }
  return rows;
}

async function takenIn(size: number): Promise<TaskResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-million-'));
  try {
    const file = join(folder, 'first.csv');
    await writeCsvFeed(file, size, 'first');
    return await perform('import', file, 'homenet', folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function megabytes(bytes = 0): number {
  return bytes / MEGABYTE;
}
