import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import type { Config } from '../../config/config.ts';
import { readSettingsFile } from '../../documents/settings-file.ts';
import { parseTokenFile } from '../../documents/token-file.ts';
import { endOfToken, type AgentToken } from '../../model/agent-token.ts';
import type { Finding } from '../../model/finding.ts';
import { describeProblem, type Result } from '../../model/problem.ts';

/** Who has a token, and whether any of them still works. */
export async function tokenFinding(
  { require_token: required, tokens_file: file, tokens }: Config['access'],
  now: number,
): Promise<Finding> {
  const key = 'tokens';
  const read = file === undefined || !existsSync(file) ? undefined : await readTokens(file);
  if (read?.ok === false) {
    const text = read.problems.map(describeProblem).join(' ');
    return {
      key,
      status: 'fail',
      text,
      remedy: 'Mend the token file; a running bridge goes on with its last good state.',
    };
  }
  const all = [...tokens, ...(read?.value ?? [])];
  const expired = all.filter((token) => endOfToken(token) <= now).map(({ name }) => name);
  const left = all.length - expired.length;
  const open = required === 'none' ? 'Everybody may call without a token' : 'Some or all calls need a token';
  if (required !== 'none' && left === 0) {
    const text = `${open}, and nobody has one that works.`;
    return { key, status: 'warn', text, remedy: 'Make one for each caller: dealer-bridge token new NAME' };
  }
  if (expired.length > 0) {
    const text = `${open}; expired: ${expired.join(', ')}.`;
    return {
      key,
      status: 'warn',
      text,
      remedy: 'Make a new one, or take it out: dealer-bridge token revoke NAME',
    };
  }
  const counted = left === 0 ? '' : `; ${left} ${left === 1 ? 'token works' : 'tokens work'}`;
  return { key, status: 'ok', text: `${open}${counted}.` };
}

async function readTokens(file: string): Promise<Result<AgentToken[]>> {
  const text = await readSettingsFile(file);
  return text.ok ? parseTokenFile(text.value, basename(file)) : text;
}
