import { writeFileSync } from 'node:fs';
import { benchFeeds, type FeedFigure } from './feeds.ts';
import { benchLeads, type LeadFigure } from './leads.ts';
import type { Comparison } from './measure.ts';
import type { ServingFigure } from './search-during-import.ts';
import { benchSearch } from './search.ts';

/**
 * `npm run bench [-- search|feeds|leads] [RESULT.json]`: all benches or the one that is named. Prints their tables and, if
 * a file is named, writes the numbers there. `feeds ROWS` takes another number of rows than 100,000.
 */
const [first, ...others] = process.argv.slice(2);
const only = first === 'search' || first === 'feeds' || first === 'leads' ? first : undefined;
const rest = only === undefined && first !== undefined ? [first, ...others] : others;
const rows = rest.find((word) => /^\d+$/.test(word));
const resultFile = rest.find((word) => word.endsWith('.json'));

const results = {
  ...(isWanted('search') ? { search: await benchSearch() } : {}),
  ...(isWanted('feeds') ? { feeds: await benchFeeds(rows === undefined ? undefined : Number(rows)) } : {}),
  ...(isWanted('leads') ? { leads: await benchLeads() } : {}),
};
if (results.search !== undefined) showSearch(results.search);
if (results.feeds !== undefined) {
  showFeeds(results.feeds.intake);
  showServing(results.feeds.serving);
}
if (results.leads !== undefined) showLeads(results.leads);
if (resultFile !== undefined) {
  const machine = { node: process.version, platform: process.platform, arch: process.arch };
  const measured = { measuredAt: new Date().toISOString(), machine, ...results };
  writeFileSync(resultFile, `${JSON.stringify(measured, null, 2)}\n`);
}

function isWanted(bench: 'search' | 'feeds' | 'leads'): boolean {
  return only === undefined || only === bench;
}

function showLeads(figures: readonly LeadFigure[]): void {
  show(figures, (figure) => ({
    'leads/s': Math.round(figure.leadsPerSecond),
    'bare express/s': Math.round(figure.yardstickPerSecond),
    '% of bare': Math.round(figure.share * 100),
    'median ms': rounded(figure.medianMs, 2),
    'p99 ms': rounded(figure.p99Ms, 2),
  }));
}

function showSearch(comparisons: readonly Comparison[]): void {
  show(comparisons, (comparison) => ({
    'median ms': rounded(comparison.median, 3),
    'p99 ms': rounded(comparison.p99, 3),
    'SQL median ms': rounded(comparison.yardstickMedian, 3),
    'times faster': rounded(comparison.ratio, 1),
  }));
}

function showFeeds(figures: readonly FeedFigure[]): void {
  show(figures, (figure) => ({
    'median s': rounded(figure.seconds, 2),
    'rows/s': Math.round(figure.rowsPerSecond),
    ...(figure.share === undefined ? {} : { '% of parser': Math.round(figure.share * 100) }),
    ...(figure.cpuShare === undefined ? {} : { '% by CPU': Math.round(figure.cpuShare * 100) }),
    'peak RSS MB': Math.round(figure.peakRssMegabytes),
  }));
}

function showServing(figures: readonly ServingFigure[]): void {
  const idle = figures[0]?.p99 ?? Number.NaN;
  show(figures, ({ searches, median, p99 }) => ({
    searches,
    'median ms': rounded(median, 3),
    'p99 ms': rounded(p99, 3),
    'times idle p99': rounded(p99 / idle, 1),
  }));
}

function show<Row extends { name: string }>(rowsToShow: readonly Row[], columns: (row: Row) => object): void {
  console.table(Object.fromEntries(rowsToShow.map((row) => [row.name, columns(row)])));
}

function rounded(value: number, digits: number): number {
  return Number(value.toFixed(digits));
}
