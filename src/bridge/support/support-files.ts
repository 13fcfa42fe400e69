import { cpus, freemem, release, totalmem, uptime, version as osVersion } from 'node:os';
import { join, resolve } from 'node:path';
import Database from 'better-sqlite3';
import type { Config } from '../../config/config.ts';
import { secretsOf } from '../../config/secret-values.ts';
import { openInventoryStore } from '../../inventory/store.ts';
import { secretWords, withoutSecretWords } from '../../leads/delivery/secret-words.ts';
import { lineFence } from '../../runtime/log-fence.ts';
import { askLocally } from '../probe/local-server.ts';
import { databaseFacts } from './database-facts.ts';
import { folderListing } from './folder-listing.ts';
import { logTail } from './log-tail.ts';
import type { SupportSettings } from './settings-file.ts';

export interface SupportFile {
  name: string;
  /** For a person who looks into the archive before sending it. */
  holds: string;
  text: string;
}

const MAX_RUNS = 100;

/** What is known without the settings; `config` is absent when they have faults. */
export interface SupportFacts {
  config?: Config | undefined;
  dataFolder: string;
  version: string;
  settings: SupportSettings;
  check: { text: string; json: string };
}

/**
 * What somebody needs to help from afar, without customers and without secrets. No lead, no consent and no inventory
 * file is opened for it; what is told of logs, runs and servers passes the fence of the log once more.
 */
export async function supportFiles(facts: SupportFacts): Promise<SupportFile[]> {
  const { config, dataFolder, version, settings, check } = facts;
  const files: SupportFile[] = [
    { name: 'check.txt', holds: 'what check --probe finds', text: check.text },
    { name: 'check.json', holds: 'the same for programs', text: check.json },
    { name: 'versions.json', holds: 'program, Node, SQLite, system', text: json(versions(version)) },
    { name: 'settings.yaml', holds: 'bridge.yaml, secrets and comments taken out', text: settings.text },
    { name: 'log.txt', holds: 'the last lines of the log', text: await logTail(dataFolder) },
    { name: 'databases.json', holds: 'sizes and row counts', text: json(await databaseFacts(dataFolder)) },
    { name: 'runs.json', holds: 'the last files taken in: counts and reasons', text: await runs(dataFolder) },
    {
      name: 'folders.txt',
      holds: 'names, sizes and dates of files',
      text: await listings(dataFolder, config),
    },
    ...(await healthFile(config)),
  ];
  const clean = fence([...settings.secrets, ...(config === undefined ? [] : secretsOf(config))]);
  return files.map((file) => ({ ...file, text: clean(file.text) }));
}

/** Twice: every form in which a server could quote a secret, and what the log takes out. */
function fence(secrets: readonly string[]): (text: string) => string {
  const words = secretWords(undefined, secrets, '');
  const cleanLine = lineFence(secrets);
  return (text) => cleanLine(withoutSecretWords(text, words));
}

function versions(program: string): object {
  const database = new Database(':memory:');
  const sqlite = String(database.prepare('SELECT sqlite_version()').pluck().get());
  database.close();
  return {
    program,
    node: process.versions.node,
    sqlite,
    system: `${process.platform}-${process.arch} ${release()}`,
    system_version: osVersion(),
    processors: cpus().length,
    memory_bytes: { total: totalmem(), free: freemem() },
    up_seconds: Math.round(uptime()),
    time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  };
}

/** One line a file; the rows of the files stay where they are. */
async function runs(dataFolder: string): Promise<string> {
  try {
    const store = openInventoryStore(join(dataFolder, 'inventory.db'), { readonly: true });
    try {
      return json(await store.listRuns({ limit: MAX_RUNS }));
    } finally {
      store.close();
    }
  } catch (fault) {
    return json({ fault: fault instanceof Error ? fault.message : String(fault) });
  }
}

async function listings(dataFolder: string, config: Config | undefined): Promise<string> {
  const leadFolders = (config?.leads.destinations ?? []).flatMap(({ crm, options }) => {
    const place = crm.place?.(options);
    return place !== undefined && 'folder' in place ? [resolve(dataFolder, place.folder)] : [];
  });
  const outside = (config?.feeds ?? [])
    .map(({ folder }) => folder)
    .filter((folder) => !folder.startsWith(dataFolder));
  const texts: string[] = [];
  for (const folder of [dataFolder, ...outside]) texts.push(await folderListing(folder, leadFolders));
  return texts.join('\n');
}

async function healthFile(config: Config | undefined): Promise<SupportFile[]> {
  if (config === undefined) return [];
  const { admin_host: host, admin_port: port } = config.server;
  const health = await askLocally({ host, port, isSecure: false }, '/health');
  if (health === undefined) return [];
  return [{ name: 'health.json', holds: 'what the running bridge says of itself', text: json(health) }];
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
