import { OperatorFault } from '../../model/operator-fault.ts';

/**
 * A command line as Windows programs take it apart (the C runtime's rules, which Node, Shawl and sc.exe follow): quotes
 * around what holds blanks; a quote inside has a backslash before it; backslashes are doubled where a quote follows, and
 * nowhere else, so that a folder that ends in one does not swallow the rest. What cmd takes for syntax is quoted, too,
 * since the launcher is a batch file.
 */
export function windowsCommandLine(words: readonly string[]): string {
  return words.map(windowsWord).join(' ');
}

function windowsWord(word: string): string {
  if (/^[\w.:\\/+@~$#-]+$/.test(word)) return word;
  return `"${word.replace(/(\\*)"/g, '$1$1\\"').replace(/(\\+)$/, '$1$1')}"`;
}

/**
 * The same for a command line that goes through cmd. Percent signs would be variables there, in quotes and out of them,
 * and nothing takes that away.
 */
export function batchCommandLine(words: readonly string[]): string {
  const unfit = words.find((word) => /[%"\p{Cc}]/u.test(word));
  if (unfit !== undefined) {
    throw new OperatorFault(
      `${unfit} cannot be handed to a service: it holds a percent sign, a quote or a line break.`,
    );
  }
  return windowsCommandLine(words);
}
