import { createReadStream } from 'node:fs';
import { parse } from 'csv-parse';
import { SaxesParser } from 'saxes';
import { adoptLot } from '../src/inventory/lot/lot.ts';
import { lotTransferList } from '../src/inventory/lot/lot-data.ts';
import { NO_SYNONYMS } from '../src/inventory/lot/synonyms.ts';
import { prepareImport } from './feed-import.ts';

/**
 * One measurement in a process of its own, so that neither memory nor warm code is carried over:
 * `feed-task.ts csv-parse FILE`, `saxes FILE`, `import FILE PROFILE DATA-FOLDER`. Prints one JSON line.
 */
export interface TaskResult {
  rows: number;
  /** Wall clock, and processor time of all the process's threads. */
  ms: number;
  cpuMs: number;
  peakRssBytes: number;
  /** Of `ms`, for an import: building the lot and swapping it. */
  lotMs?: number;
  /** The most memory before the lot was built, and the buffers of the lot itself. */
  intakeRssBytes?: number;
  lotBytes?: number;
}

type Task = () => Promise<Omit<TaskResult, 'ms' | 'cpuMs' | 'peakRssBytes'>>;

const [task, file, profile, dataFolder] = process.argv.slice(2);
if (file === undefined) throw new Error('feed-task.ts TASK FILE [PROFILE DATA-FOLDER]');
const perform = await prepare(file);
const cpuBefore = process.cpuUsage();
const started = performance.now();
const done = await perform();
const ms = performance.now() - started;
const cpu = process.cpuUsage(cpuBefore);
const result: TaskResult = {
  ...done,
  ms,
  cpuMs: (cpu.user + cpu.system) / 1_000,
  peakRssBytes: process.resourceUsage().maxRSS * 1_024,
};
process.stdout.write(`${JSON.stringify(result)}\n`);

async function prepare(path: string): Promise<Task> {
  if (task === 'csv-parse') return () => parseCsv(path);
  if (task === 'saxes') return () => parseXml(path);
  if (task !== 'import' || profile === undefined || dataFolder === undefined)
    throw new Error(`Unknown task ${String(task)}`);
  const takeIn = await prepareImport(path, profile, dataFolder);
  return async () => {
    const { lot, ...measured } = await takeIn();
    const lotBytes = lotTransferList(lot).reduce((bytes, buffer) => bytes + buffer.byteLength, 0);
    return { rows: adoptLot(lot, NO_SYNONYMS).data.rowCount, ...measured, lotBytes };
  };
}

/** Rows as arrays, which is the faster of csv-parse's two ways; everything else as it comes. */
async function parseCsv(path: string): Promise<{ rows: number }> {
  let rows = -1;
  for await (const _ of createReadStream(path).pipe(parse())) rows += 1;
  return { rows };
}

/** saxes with the settings of the reader, counting items and looking at every text. */
async function parseXml(path: string): Promise<{ rows: number }> {
  const parser = new SaxesParser({ xmlns: false, position: true });
  let rows = 0;
  let characters = 0;
  parser.on('opentag', ({ name }) => (rows += name === 'item' ? 1 : 0));
  parser.on('text', (text) => (characters += text.length));
  parser.on('error', (error) => {
    throw error;
  });
  for await (const chunk of createReadStream(path, { encoding: 'utf8' })) parser.write(chunk as string);
  parser.close();
  if (characters === 0) throw new Error('No text was read');
  return { rows };
}
