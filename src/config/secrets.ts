import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { joinPointer } from '../documents/json-schema.ts';
import { credentialName } from '../model/credential-name.ts';
import type { Problem, ProblemPlace } from '../model/problem.ts';
import { configProblem, quote } from './problems.ts';
import { reasonOf } from '../documents/settings-file.ts';

/** Where secrets come from. */
export interface SecretSource {
  environment: NodeJS.ProcessEnv;
  /** Absolute folder from which relative `${file:…}` paths count. */
  folder: string;
}

export interface ExpandedSettings {
  value: unknown;
  problems: Problem[];
  /** JSON Pointers of texts that hold a reference without a secret: no use judging what they say. */
  unresolved: Set<string>;
  /** Secret → the reference it came by. Only for taking secrets out of messages. */
  secrets: Map<string, string>;
}

/** A password, a token or a key; nothing larger is a secret. */
const MAX_SECRET_BYTES = 64 * 1024;

/** `${env:…}` and `${file:…}`, and what was meant to be one: unknown words, missing names, no closing brace. */
const REFERENCE = /\$\{(env|file):([^}]*)(\}?)/gi;

/**
 * Puts secrets in the place of their references, in texts only, also in the middle of one. The tree given is left
 * as it is, so that messages can quote what was written.
 */
export async function expandSecrets(
  value: unknown,
  source: SecretSource,
  place: (pointer: string) => ProblemPlace,
): Promise<ExpandedSettings> {
  const expanded: ExpandedSettings = {
    value: undefined,
    problems: [],
    unresolved: new Set(),
    secrets: new Map(),
  };

  const expandText = async (text: string, pointer: string): Promise<string> => {
    let result = '';
    let end = 0;
    for (const match of text.matchAll(REFERENCE)) {
      const secret = await readSecret(match, source, place(pointer));
      if (typeof secret === 'string') {
        expanded.secrets.set(secret, match[0]);
        result += text.slice(end, match.index) + secret;
      } else {
        expanded.unresolved.add(pointer);
        expanded.problems.push(secret);
      }
      end = match.index + match[0].length;
    }
    return result + text.slice(end);
  };

  const expand = async (node: unknown, pointer: string): Promise<unknown> => {
    if (typeof node === 'string') return expandText(node, pointer);
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) {
      const items: unknown[] = [];
      for (const [index, item] of node.entries()) items.push(await expand(item, joinPointer(pointer, index)));
      return items;
    }
    const values: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(node)) {
      values[key] = await expand(member, joinPointer(pointer, key));
    }
    return values;
  };

  expanded.value = await expand(value, '');
  return expanded;
}

async function readSecret(
  match: RegExpExecArray,
  source: SecretSource,
  where: ProblemPlace,
): Promise<string | Problem> {
  const [written, kind = '', name = '', brace] = match;
  const isWellFormed = brace === '}' && name.trim() !== '' && kind === kind.toLowerCase();
  if (!isWellFormed) return configProblem('CONFIG_SECRET_SYNTAX', where, { written: quote(written) });
  if (kind === 'file') return readSecretFile(name, source, where);
  const secret = source.environment[name];
  if (secret === undefined || secret === '') return configProblem('CONFIG_SECRET_MISSING', where, { name });
  return secret;
}

/** Absolute paths of the files that a settings text takes secrets from; those in its comments, too. */
export function secretFiles(text: string, folder: string): string[] {
  const names = [...text.matchAll(REFERENCE)].filter(([, kind]) => kind === 'file');
  return [...new Set(names.map(([, , name = '']) => resolve(folder, name)))];
}

/** The file's text without the line break that editors put at the end. */
async function readSecretFile(
  name: string,
  source: SecretSource,
  where: ProblemPlace,
): Promise<string | Problem> {
  const file = await handedOver(resolve(source.folder, name), source.environment);
  const refuse = (reason: string): Problem =>
    configProblem('CONFIG_SECRET_FILE', where, { name: quote(name), reason });
  try {
    const facts = await stat(file);
    if (!facts.isFile()) return refuse('is no file');
    if (facts.size > MAX_SECRET_BYTES) return refuse(`is larger than ${MAX_SECRET_BYTES} bytes`);
    const secret = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
    return secret === '' ? refuse('is empty') : secret;
  } catch (error) {
    return refuse(`can not be read: ${reasonOf(error)}`);
  }
}

/**
 * The file itself where this account may read it. Else what systemd has read of it at the start of the service, as root,
 * and hands over in a folder for this service alone (LoadCredential, which "service install" writes).
 */
async function handedOver(
  file: string,
  { CREDENTIALS_DIRECTORY: folder }: NodeJS.ProcessEnv,
): Promise<string> {
  if (folder === undefined || folder === '') return file;
  const credential = join(folder, credentialName(file));
  const canRead = (path: string): Promise<boolean> =>
    access(path, constants.R_OK).then(
      () => true,
      () => false,
    );
  return !(await canRead(file)) && (await canRead(credential)) ? credential : file;
}

/** The problem without any secret in its words, should a message of someone else's making quote one. */
export function withoutSecrets(problem: Problem, secrets: ReadonlyMap<string, string>): Problem {
  const longestFirst = [...secrets].sort(([left], [right]) => right.length - left.length);
  const clean = (text: string): string =>
    longestFirst.reduce((cleaned, [secret, reference]) => cleaned.replaceAll(secret, () => reference), text);
  const { remedy } = problem;
  return {
    ...problem,
    message: clean(problem.message),
    ...(remedy === undefined ? {} : { remedy: clean(remedy) }),
  };
}
