import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { readSettingsFile } from '../documents/settings-file.ts';
import { parseTokenFile, twinTokens } from '../documents/token-file.ts';
import type { AgentToken } from '../model/agent-token.ts';
import type { Problem } from '../model/problem.ts';
import type { Review } from './review.ts';

/** Tokens that cannot be told apart, a token file with faults, and a lock without any key. */
export async function checkAccess(review: Review): Promise<Problem[]> {
  const { access } = review.file;
  const listed = (access?.tokens ?? []).filter(
    (token): token is AgentToken => token?.name !== undefined && token.hash !== undefined,
  );
  const problems = twinTokens(listed).map(({ index, reason }) =>
    review.tell('CONFIG_TOKEN', `/access/tokens/${index}`, { reason }),
  );
  if (access?.tokens_file !== undefined) {
    return [...problems, ...(await checkTokenFile(review, access.tokens_file, listed))];
  }
  const isLocked = access?.require_token !== undefined && access.require_token !== 'none';
  if (isLocked && listed.length === 0 && !review.isWritten('/access/tokens/0')) {
    problems.push(review.tell('CONFIG_NO_TOKEN_PLACE', '/access'));
  }
  return problems;
}

/** A file that is not there yet has no tokens: the first `token new` makes it. */
async function checkTokenFile(
  review: Review,
  name: string,
  listed: readonly AgentToken[],
): Promise<readonly Problem[]> {
  const file = resolve(review.folders.config, name);
  if (!existsSync(file)) return [];
  const text = await readSettingsFile(file);
  if (!text.ok) return text.problems;
  const tokens = parseTokenFile(text.value, name);
  if (!tokens.ok) return tokens.problems;
  return twinTokens([...listed, ...tokens.value])
    .filter(({ index }) => index >= listed.length)
    .map(({ reason }) => review.tell('CONFIG_TOKEN', '/access/tokens_file', { reason }));
}
