import type { Command } from 'commander';
import { endOfToken, type AgentToken } from '../model/agent-token.ts';
import { readTokens } from './token-file-edit.ts';
import { tokenPlaces, withTokenOptions, type TokenOptions } from './token-options.ts';

/** `token list`: who has a token. The tokens themselves are nowhere. */
export function addTokenListCommand(token: Command): void {
  withTokenOptions(token.command('list'))
    .summary('list the tokens, without the tokens themselves')
    .description('Lists who has a token, which skills it opens, and how long it works.')
    .action(async (options: TokenOptions) => {
      const { file, inSettings } = await tokenPlaces(options);
      const inFile = file === undefined ? [] : await readTokens(file);
      const lines = [
        ...inFile.map((kept) => describe(kept, 'token file')),
        ...inSettings.map((kept) => describe(kept, 'settings')),
      ];
      console.log(lines.length === 0 ? 'No tokens.' : lines.join('\n'));
    });
}

function describe(token: AgentToken, place: string): string {
  const { name, skills, expires } = token;
  const end =
    expires === undefined ? 'no end' : `${Date.now() < endOfToken(token) ? 'until' : 'EXPIRED'} ${expires}`;
  return [name, skills?.join(', ') ?? 'all skills', end, place].join('  ');
}
