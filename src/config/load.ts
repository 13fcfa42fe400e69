import { stat } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  compileWhenUsed,
  joinPointer,
  readShippedSchema,
  type SchemaFault,
} from '../documents/json-schema.ts';
import { failure, success, type Problem, type Result } from '../model/problem.ts';
import type { BridgeFile, Sound } from './bridge-file.ts';
import { buildConfig } from './build.ts';
import { checkAccess } from './check-access.ts';
import { checkAppointments } from './check-appointments.ts';
import { checkDealer } from './check-dealer.ts';
import { checkFeeds } from './check-feeds.ts';
import { checkLeads } from './check-leads.ts';
import { checkServer } from './check-server.ts';
import { checkTls } from './check-tls.ts';
import type { Config } from './config.ts';
import { DEFAULT_DATA_FOLDER } from './data-folder.ts';
import { configProblem, quote } from './problems.ts';
import { tellingOf, type Folders, type Review } from './review.ts';
import { expandSecrets, type ExpandedSettings } from './secrets.ts';
import { readSettingsFile } from '../documents/settings-file.ts';
import { withoutFaultyParts } from './sound.ts';
import { parseYaml, type YamlDocument } from '../documents/yaml-document.ts';

export interface LoadOptions {
  /** Path of bridge.yaml, absolute or relative to the working directory. */
  file: string;
  /** Where `${env:…}` looks. */
  environment: NodeJS.ProcessEnv;
  /** Default `./data` in the working directory. */
  dataFolder?: string;
  /** These two win over the file; 0 takes any free port. */
  port?: number;
  adminPort?: number;
}

const PROGRAM_FOLDER = fileURLToPath(new URL('../../', import.meta.url));

const checkSchema = compileWhenUsed(() => readShippedSchema('config.schema.json'));

/**
 * Reads bridge.yaml: every fault at once, each with line and column, or the complete settings. Writes nothing and
 * creates nothing. The checks build on each other only where they must: what one finds faulty the next ones leave
 * out, so that each fault is told once.
 */
export async function loadConfig(options: LoadOptions): Promise<Result<Config>> {
  const path = resolve(options.file);
  const folders: Folders = {
    program: PROGRAM_FOLDER,
    data: resolve(options.dataFolder ?? DEFAULT_DATA_FOLDER),
    config: dirname(path),
  };
  const text = await readSettingsFile(path);
  if (!text.ok) return text;
  const { document, problems: yamlProblems } = parseYaml(text.value, basename(path));
  if (document === undefined) return failure(...yamlProblems);

  const secretSource = { environment: options.environment, folder: folders.config };
  const expanded = await expandSecrets(document.value, secretSource, document.place);
  const faults = checkSchema(expanded.value).filter(({ pointer }) => !expanded.unresolved.has(pointer));
  if (faults.some(({ pointer, keyword }) => pointer === '' && keyword === 'type')) {
    return failure(...yamlProblems, ...faults.map((fault) => describeFault(fault, document)));
  }
  const file = soundFile(expanded, faults, options);
  const review: Review = {
    ...tellingOf(document.value, document.place),
    file,
    folders,
    secretSource,
    rooftopIds: rooftopIdsOf(expanded.value),
    unresolved: expanded.unresolved,
    secrets: expanded.secrets,
  };
  const leads = await checkLeads(review);
  const problems = [
    ...yamlProblems,
    ...expanded.problems,
    ...faults.map((fault) => describeFault(fault, document)),
    ...(await checkDataFolder(folders.data)),
    ...checkDealer(review),
    ...checkServer(review),
    ...(await checkTls(review)),
    ...(await checkAccess(review)),
    ...(await checkFeeds(review)),
    ...leads.problems,
    ...checkAppointments(review),
  ];
  if (problems.length > 0) return failure(...inFileOrder(problems, basename(path)));
  return success(buildConfig(path, file as BridgeFile, folders, leads.destinations));
}

/** The file's sound parts, with the ports of the command line in place. */
function soundFile(
  expanded: ExpandedSettings,
  faults: readonly SchemaFault[],
  options: LoadOptions,
): Sound<BridgeFile> {
  const unresolved = [...expanded.unresolved].map((pointer) => ({ pointer, keyword: 'type', message: '' }));
  const sound = withoutFaultyParts(expanded.value, [...faults, ...unresolved]);
  const file = (sound ?? {}) as Sound<BridgeFile>;
  if (file.server !== undefined) {
    if (options.port !== undefined) file.server.port = options.port;
    if (options.adminPort !== undefined) file.server.admin_port = options.adminPort;
  }
  return file;
}

function rooftopIdsOf(value: unknown): Map<string, number> {
  const rooftops = (value as { dealer?: { rooftops?: unknown } | null } | null)?.dealer?.rooftops;
  const ids = new Map<string, number>();
  if (!Array.isArray(rooftops)) return ids;
  for (const [index, rooftop] of (rooftops as ({ id?: unknown } | null)[]).entries()) {
    const id = rooftop?.id;
    if (typeof id === 'string' && !ids.has(id)) ids.set(id, index);
  }
  return ids;
}

function describeFault({ pointer, key, message }: SchemaFault, document: YamlDocument): Problem {
  const place = document.place(key === undefined ? pointer : joinPointer(pointer, key));
  return configProblem('CONFIG_SCHEMA', place, { reason: message });
}

async function checkDataFolder(folder: string): Promise<Problem[]> {
  try {
    const isFolder = (await stat(folder)).isDirectory();
    return isFolder ? [] : [configProblem('CONFIG_DATA_FOLDER', {}, { name: quote(folder) })];
  } catch {
    // Not there yet: the start makes it.
    return [];
  }
}

/** As a person reads the file, other files' problems last; what an alias repeats is told once. */
function inFileOrder(problems: readonly Problem[], file: string): Problem[] {
  const told = new Set<string>();
  const once = problems.filter(({ code, message, where }) => {
    const identity = JSON.stringify([code, message, where?.file, where?.line, where?.column]);
    return !told.has(identity) && told.add(identity);
  });
  const rank = ({ where }: Problem): [number, number, number] => [
    where?.file === file ? 0 : 1,
    where?.line ?? 0,
    where?.column ?? 0,
  ];
  return once.sort((left, right) => {
    const [a, b] = [rank(left), rank(right)];
    return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
  });
}
