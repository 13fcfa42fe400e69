import type { Command } from 'commander';
import { stop } from './held-run.ts';
import { readTokens, removeToken } from './token-file-edit.ts';
import { tokenPlaces, withTokenOptions, type TokenOptions } from './token-options.ts';

/** `token revoke`: the token is of no use any more, within a second also at a running bridge. */
export function addTokenRevokeCommand(token: Command): void {
  withTokenOptions(token.command('revoke'))
    .summary('take a token back')
    .description('Takes the token out of the token file. A running bridge refuses it from then on.')
    .argument('<name>', 'as "token list" shows it')
    .action(async (name: string, options: TokenOptions) => {
      const { file, inSettings } = await tokenPlaces(options);
      if (inSettings.some((other) => other.name === name)) {
        stop(
          `The token "${name}" stands in the settings: take it out of access.tokens and restart the bridge.`,
        );
      }
      const inFile = file === undefined ? [] : await readTokens(file);
      if (file === undefined || !inFile.some((other) => other.name === name)) {
        return stop(`There is no token "${name}"; "token list" shows which there are.`);
      }
      await removeToken(file, name);
      console.log(`The token "${name}" is revoked.`);
    });
}
