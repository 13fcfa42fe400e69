import { lstat, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { failure, success, type Result } from '../model/problem.ts';
import {
  compileSchema,
  compileWhenUsed,
  readShippedSchema,
  type SchemaCheck,
  type SchemaFault,
} from '../documents/json-schema.ts';
import { makeContractKnown } from './contract-name.ts';
import { adapterProblem } from './problems.ts';

/** What adapter.json says. */
export interface AdapterManifest {
  name: string;
  kind: 'crm' | 'feed-reader';
  version: string;
  contract: 1;
  description?: string;
}

/** An adapter folder that keeps the common rules: manifest, options schema and code are there and load. */
export interface OpenedAdapter {
  manifest: AdapterManifest;
  /** Absolute. */
  folder: string;
  optionsSchema: Record<string, unknown>;
  /** Checks options against the schema and fills its defaults into them. */
  checkOptions: SchemaCheck;
  /** Base name of the code file. */
  codeFile: string;
  /** Default export of the code, still to be checked against the contract of its kind. */
  implementation: unknown;
}

const MANIFEST = 'adapter.json';
const OPTIONS_SCHEMA = 'options.schema.json';
const CODE_FILES = ['adapter.ts', 'adapter.js'];
/** Manifest and schema are written by hand; anything larger is something else. */
const MAX_JSON_BYTES = 1024 * 1024;

const checkManifest = compileWhenUsed(() => readShippedSchema('adapter.schema.json'));

/**
 * Opens one adapter folder (absolute path) and imports its code. Nothing outside the folder is read: neither the
 * folder nor a file in it may be a link to another place.
 */
export async function openAdapterFolder(
  folder: string,
  kind: AdapterManifest['kind'],
): Promise<Result<OpenedAdapter>> {
  if (await isLink(folder)) {
    return failure(adapterProblem('ADAPTER_OUTSIDE_FOLDER', folder, { file: basename(folder) }));
  }
  const manifest = await readManifest(folder);
  if (!manifest.ok) return manifest;
  if (manifest.value.kind !== kind) return manifestFaults(folder, [`kind must be ${kind} here`]);
  const schema = await readOptionsSchema(folder);
  if (!schema.ok) return schema;
  const code = await importCode(folder);
  if (!code.ok) return code;
  return success({ manifest: manifest.value, folder, ...schema.value, ...code.value });
}

/** What the folder (absolute path) says of itself. Loads no code. */
export async function readManifest(folder: string): Promise<Result<AdapterManifest>> {
  const json = await readJson(folder, MANIFEST);
  if (!json.ok) return json;
  const reasons = checkManifest(json.value).map(describe);
  const manifest = json.value as AdapterManifest;
  if (reasons.length === 0 && manifest.name !== basename(folder)) {
    reasons.push(`name "${manifest.name}" differs from the folder's name "${basename(folder)}"`);
  }
  return reasons.length === 0 ? success(manifest) : manifestFaults(folder, reasons);
}

function manifestFaults(folder: string, reasons: readonly string[]): Result<never> {
  const file = join(folder, MANIFEST);
  return failure(...reasons.map((reason) => adapterProblem('ADAPTER_MANIFEST_INVALID', file, { reason })));
}

function describe(fault: SchemaFault): string {
  return fault.pointer === '' ? fault.message : `${fault.pointer.slice(1)} ${fault.message}`;
}

async function readOptionsSchema(
  folder: string,
): Promise<Result<Pick<OpenedAdapter, 'optionsSchema' | 'checkOptions'>>> {
  const json = await readJson(folder, OPTIONS_SCHEMA);
  if (!json.ok) return json;
  const refuse = (reason: string): Result<never> =>
    failure(adapterProblem('ADAPTER_OPTIONS_SCHEMA_INVALID', join(folder, OPTIONS_SCHEMA), { reason }));
  const schema = json.value as Record<string, unknown> | null;
  if (typeof schema !== 'object' || schema?.type !== 'object') return refuse('its type is not "object"');
  try {
    return success({ optionsSchema: schema, checkOptions: compileSchema(schema) });
  } catch (error) {
    return refuse(reasonOf(error));
  }
}

async function importCode(
  folder: string,
): Promise<Result<Pick<OpenedAdapter, 'codeFile' | 'implementation'>>> {
  makeContractKnown();
  for (const codeFile of CODE_FILES) {
    const file = join(folder, codeFile);
    const place = await placeInside(folder, codeFile);
    if (place === 'missing') continue;
    if (place === 'outside') {
      return failure(adapterProblem('ADAPTER_OUTSIDE_FOLDER', file, { file: codeFile }));
    }
    try {
      const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
      return success({ codeFile, implementation: module.default });
    } catch (error) {
      const facts = { file: codeFile, reason: reasonOf(error) };
      return failure(adapterProblem('ADAPTER_IMPORT_FAILED', file, facts));
    }
  }
  return failure(adapterProblem('ADAPTER_FILE_MISSING', folder, { file: CODE_FILES.join(' or ') }));
}

/** Reads a JSON file of the folder; also used for fixtures. */
export async function readJson(folder: string, name: string): Promise<Result<unknown>> {
  const file = join(folder, name);
  const place = await placeInside(folder, name);
  if (place === 'missing') return failure(adapterProblem('ADAPTER_FILE_MISSING', file, { file: name }));
  if (place === 'outside') return failure(adapterProblem('ADAPTER_OUTSIDE_FOLDER', file, { file: name }));
  try {
    const { size } = await stat(file);
    if (size > MAX_JSON_BYTES) throw new Error(`it is larger than ${MAX_JSON_BYTES} bytes`);
    return success(JSON.parse(await readFile(file, 'utf8')) as unknown);
  } catch (error) {
    const facts = { file: name, reason: reasonOf(error) };
    return failure(adapterProblem('ADAPTER_FILE_UNREADABLE', file, facts));
  }
}

async function placeInside(folder: string, name: string): Promise<'inside' | 'outside' | 'missing'> {
  try {
    const [parent, target] = await Promise.all([realpath(folder), realpath(join(folder, name))]);
    return dirname(target) === parent ? 'inside' : 'outside';
  } catch {
    return 'missing';
  }
}

export async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** First line of an error: stack traces and source excerpts help nobody who did not write the code. */
export function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.trim().split(/\r?\n/)[0] ?? '';
}
