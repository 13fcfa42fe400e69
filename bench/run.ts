import { writeFileSync } from 'node:fs';
import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { showChanges } from './changes.ts';
import { PARTS } from './parts.ts';
import { type Result, rounded, show, summary } from './report.ts';

/**
 * `npm run bench [-- PART …] [--out FILE] [--compare OLD.json]`: all parts but the longest, or those that are named (see parts.ts).
 * docs/performance.md has the method. The peers of the search in process are installed by `npm ci --prefix bench`.
 */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, compare: { type: 'string' } },
});
const unknown = positionals.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}`);
  process.exit(2);
}

const result: Result = {
  measuredAt: new Date().toISOString(),
  machine: {
    node: process.version,
    platform: process.platform,
    arch: process.arch,
    cores: availableParallelism(),
    // Far above 0 something else was running: believe the ratios only.
    loadBefore: rounded(loadavg()[0] ?? 0, 1),
  },
  parts: {},
};
for (const [name, { title, run, isOnlyByName = false }] of Object.entries(PARTS)) {
  const isAskedFor = positionals.length === 0 ? !isOnlyByName : positionals.includes(name);
  if (!isAskedFor) continue;
  const started = performance.now();
  const rows = await run();
  result.parts[name] = rows;
  show(`${title} (measured in ${rounded((performance.now() - started) / 1000)} s)`, rows);
}
console.log(`\n${summary(result.parts)}`);
if (values.compare !== undefined) showChanges(values.compare, result);
if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
