import { type Command, InvalidArgumentError } from 'commander';
import { type CheckResult, runChecks, THEMES } from '../client/conform/run-checks.ts';
import { type AskOptions, type OpenedAgent, withAgent, withAskOptions } from './ask-options.ts';
import { printableJson } from './ask-reply.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { printableText } from './printable-text.ts';

type ConformOptions = AskOptions & { withLeads?: boolean; only?: string[] };

/** `ask conform`: does a live agent keep the promises of docs/protocol.md? */
export function addAskConformCommand(ask: Command): void {
  withAskOptions(ask.command('conform'))
    .summary('check a live agent against the protocol')
    .description(
      'Checks a live agent against the promises of docs/protocol.md and prints which are kept. Makes some 100 calls, ' +
        'one after the other, and changes nothing. Ends with 1 when a promise is broken.',
    )
    .option('--with-leads', 'also send test leads, marked as such; only to a dealer who knows of it')
    .option('--only <id>', 'only this promise, such as SEA-03 (repeatable)', collectPromise)
    .action((options: ConformOptions) => withAgent(options, (opened) => conform(opened, options)));
}

async function conform({ agent, call }: OpenedAgent, options: ConformOptions): Promise<void> {
  const { results, calls } = await runChecks(
    agent,
    { ...call, withLeads: options.withLeads === true },
    options.only,
  );
  const count = (outcome: string): number =>
    results.filter(({ finding }) => finding.outcome === outcome).length;
  const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
  if (options.json === true) {
    const shown = results.map(({ theme, id, promise, finding }) => ({ theme, id, promise, ...finding }));
    console.log(
      printableJson({ agent: agent.name, endpoint: agent.endpoint.href, calls, ...counts, results: shown }),
    );
  } else {
    const sum = `${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped; ${calls} calls to ${agent.endpoint.href}`;
    console.log(printableText([...results.flatMap(resultLines), '', sum].join('\n')));
  }
  if (counts.failed > 0) throw new CommandStopped(EXIT_CODES.problems);
}

/** For commander: a mistyped id would check nothing and look like success. */
function collectPromise(text: string, earlier: readonly string[] = []): string[] {
  const id = text.toUpperCase();
  if (THEMES.some(({ checks }) => checks.some((check) => check.id === id))) return [...earlier, id];
  throw new InvalidArgumentError('There is no check of that id; the ids stand in docs/protocol.md.');
}

function resultLines(
  { theme, id, promise, finding }: CheckResult,
  index: number,
  all: CheckResult[],
): string[] {
  const heading = theme === all[index - 1]?.theme ? [] : [...(index === 0 ? [] : ['']), theme];
  const word = (finding.outcome === 'failed' ? 'FAILED' : finding.outcome).padEnd(7);
  const line = `  ${word}  ${id.padEnd(7)}  ${promise}`;
  if (finding.outcome === 'passed') return [...heading, line];
  if (finding.outcome === 'skipped') return [...heading, line, `                    ${finding.reason}`];
  return [
    ...heading,
    line,
    `                    expected  ${finding.expected}`,
    `                    came      ${finding.came.replaceAll('\n', ' ')}`,
  ];
}
