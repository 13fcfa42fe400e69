import { chown, readFile, stat, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isSeq, parseDocument, type Document } from 'yaml';
import { parseTokenFile } from '../documents/token-file.ts';
import { disk } from '../files/patient-files.ts';
import type { AgentToken } from '../model/agent-token.ts';
import { describeProblem } from '../model/problem.ts';
import { stop } from './held-run.ts';

const NEW_FILE = `# Who may call the bridge with a token. Only hashes stand here; a lost token cannot be found again.
# The bridge reads this file again within a second of each change.
tokens: []
`;

/** A file that is not there has no tokens. Stops the command when the file has faults. */
export async function readTokens(file: string): Promise<AgentToken[]> {
  const tokens = parseTokenFile(await textOf(file), basename(file));
  if (tokens.ok) return tokens.value;
  return stop(tokens.problems.map(describeProblem).join('\n'));
}

/** Adds a line; what else stands in the file, comments included, stays. */
export async function addToken(file: string, token: AgentToken): Promise<void> {
  const document = parseDocument(await textOf(file));
  const list = document.get('tokens');
  if (!isSeq(list)) document.set('tokens', document.createNode([]));
  // One token a line, in block style also where the list was empty.
  const tokens = document.get('tokens');
  if (isSeq(tokens)) tokens.flow = false;
  document.addIn(['tokens'], document.createNode(token, { flow: true }));
  await replaceFile(file, document);
}

export async function removeToken(file: string, name: string): Promise<void> {
  const document = parseDocument(await textOf(file));
  const index = (await readTokens(file)).findIndex((token) => token.name === name);
  document.deleteIn(['tokens', index]);
  await replaceFile(file, document);
}

async function textOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === 'ENOENT') return NEW_FILE;
    throw fault;
  }
}

/** Whole at once, as a running bridge may read at any moment; it must be able to, so owner and rights stay. */
async function replaceFile(file: string, document: Document): Promise<void> {
  const before = await stat(file).catch(() => undefined);
  const draft = `${file}.${process.pid}.tmp`;
  await writeFile(draft, document.toString({ lineWidth: 0 }), {
    flag: 'wx',
    ...(before === undefined ? {} : { mode: before.mode }),
  });
  // Only root may give a file away, and only root needs to.
  if (before !== undefined) await chown(draft, before.uid, before.gid).catch(() => undefined);
  await disk.rename(draft, file);
}
