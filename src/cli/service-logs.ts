import { InvalidArgumentError, type Command } from 'commander';
import { managerOfThisMachine, withServiceName, type ServiceOptions } from './service-options.ts';

interface Options extends ServiceOptions {
  lines: number;
  follow?: true;
}

const MOST_LINES = 100_000;

export function addServiceLogsCommand(group: Command): void {
  withServiceName(group.command('logs'))
    .summary('the last lines that the service said')
    .description(
      'Prints what the service said last, also what it said before its log was open. The whole log lies in logs of the data folder.',
    )
    .option('-n, --lines <number>', 'so many lines', parseLines, 100)
    .option('-f, --follow', 'and each new line, until Ctrl-C (Linux)')
    .action(async ({ name, lines, follow }: Options) => {
      await managerOfThisMachine().printLogs(name, { lines, follow: follow === true });
    });
}

function parseLines(text: string): number {
  const lines = Number(text);
  if (/^\d+$/.test(text) && lines >= 1 && lines <= MOST_LINES) return lines;
  throw new InvalidArgumentError(`A number from 1 to ${MOST_LINES}.`);
}
