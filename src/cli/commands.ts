import type { Command } from 'commander';
import { COMMANDS, type CommandFile, type CommandGroup } from './command-table.ts';

/**
 * Adds to the program what these words need. A command's file brings along most of the program, so only that of the
 * command that runs is loaded; where no command is named, in a help or a slip of the pen, those of the same level, so
 * that help and suggestions are complete.
 */
export async function addCommands(program: Command, words: readonly string[]): Promise<void> {
  // `help feed` lists the whole group, whatever follows.
  const path = words[0] === 'help' ? words.slice(1, 2) : words;
  for (const [name, entry] of chosen(COMMANDS, path)) {
    if (typeof entry === 'function') (await entry())(program);
    else await addGroup(program, name, entry, path[0] === name ? path.slice(1) : undefined);
  }
}

/** `path` is undefined for a group that the words do not name: its name and summary are enough. */
async function addGroup(
  program: Command,
  name: string,
  { summary, description, examples, hasOwnHelp, commands }: CommandGroup,
  path: readonly string[] | undefined,
): Promise<void> {
  const group = program.command(name).summary(summary).description(description);
  if (examples !== undefined) group.addHelpText('after', examples);
  if (hasOwnHelp === true) group.helpCommand(false);
  if (path === undefined) return;
  for (const [, load] of chosen(commands, path)) (await load())(group);
}

function chosen<Entry extends CommandFile | CommandGroup>(
  table: Readonly<Record<string, Entry>>,
  [word = '']: readonly string[],
): [string, Entry][] {
  return Object.entries(table).filter(([name]) => !Object.hasOwn(table, word) || name === word);
}
