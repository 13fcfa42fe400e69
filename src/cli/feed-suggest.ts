import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { suggestionText } from '../feeds/suggest/suggestion-text.ts';
import { suggestProfile } from '../feeds/suggest/suggest.ts';
import { describeProblem } from '../model/problem.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';

interface SuggestOptions {
  out?: string;
  json?: boolean;
}

/** `feed suggest`: how an export could be read that no profile knows yet. */
export function addFeedSuggestCommand(feed: Command): void {
  feed
    .command('suggest')
    .summary('propose a profile for an export that none is known for')
    .description(
      'Reads an unknown export, finds out how it is written, and proposes which column is which field. What a ' +
        'person has to decide is asked, here and as comments in the profile. Exit code 1 when a column that ' +
        'every listing needs was not found.',
    )
    .argument('<file>', 'the export, packed or not')
    .option('--out <file>', 'write the profile there; a file that exists is never overwritten')
    .option('--json', 'everything, the profile included, as one JSON text')
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge feed suggest export.csv --out my-profile.yaml
  dealer-bridge feed preview export.csv --profile ./my-profile.yaml

Exit codes:
  0  a profile is proposed that can be tried at once
  1  it lacks a column that every listing needs (still written), or the file is no inventory export`,
    )
    .action(suggest);
}

async function suggest(file: string, options: SuggestOptions): Promise<void> {
  const suggested = await suggestProfile(file);
  if (!suggested.ok) {
    for (const problem of suggested.problems) console.error(describeProblem(problem));
    throw new CommandStopped(EXIT_CODES.problems);
  }
  const suggestion = suggested.value;
  if (options.out !== undefined) await writeNew(options.out, suggestion.profile);
  if (options.json === true) process.stdout.write(`${JSON.stringify(suggestion, undefined, 2)}\n`);
  else process.stdout.write(`${suggestionText(suggestion)}\n${profilePart(options.out, suggestion.profile)}`);
  if (suggestion.missing.length > 0) throw new CommandStopped(EXIT_CODES.problems);
}

function profilePart(out: string | undefined, profile: string): string {
  return out === undefined
    ? `The profile (--out FILE writes it)\n\n${profile}`
    : `The profile is in ${out}. Answer the questions in it, then try it: feed preview FILE --profile ${out}\n` +
        'Once it is right, name it in the settings as the profile of a feed; the path is relative to the settings file.\n';
}

/** A person may have worked on the profile that is there already. */
async function writeNew(out: string, text: string): Promise<void> {
  try {
    await writeFile(out, text, { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    console.error(`${out} exists already and is not overwritten; name another file`);
    throw new CommandStopped(EXIT_CODES.problems);
  }
}
