import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { reasonOf } from '../documents/settings-file.ts';
import type { Problem } from '../model/problem.ts';
import { judgeTlsPair } from '../model/tls-pair.ts';
import { quote } from './problems.ts';
import type { Review } from './review.ts';

/** Certificate and key that are not there, cannot be read, or do not belong together. */
export async function checkTls(review: Review): Promise<Problem[]> {
  const tls = review.file.server?.tls;
  if (tls === undefined) return [];
  const problems: Problem[] = [];
  const refuse = (part: 'cert' | 'key', name: string, reason: string): void => {
    problems.push(review.tell('CONFIG_TLS', `/server/tls/${part}`, { name: quote(name), reason }));
  };
  const read = async (part: 'cert' | 'key', name: string | undefined): Promise<string | undefined> => {
    if (name === undefined) return undefined;
    try {
      return await readFile(resolve(review.folders.config, name), 'utf8');
    } catch (error) {
      refuse(part, name, `can not be read: ${reasonOf(error)}`);
      return undefined;
    }
  };
  const cert = await read('cert', tls.cert);
  const key = await read('key', tls.key);
  const isPassphraseMissing = review.unresolved.has('/server/tls/passphrase');
  if (cert === undefined || key === undefined || isPassphraseMissing) return problems;
  const judgement = judgeTlsPair({ cert, key, passphrase: tls.passphrase });
  if (!judgement.ok) refuse(judgement.part, tls[judgement.part] ?? '', judgement.reason);
  return problems;
}
