import { Command, CommanderError } from 'commander';
import { OperatorFault } from '../model/operator-fault.ts';
import { programVersion } from '../runtime/program-version.ts';
import { addCommands } from './commands.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES, EXIT_CODES_HELP } from './exit-codes.ts';

/** Runs one command line (without node and script) and answers its exit code. */
export async function runProgram(words: readonly string[]): Promise<number> {
  try {
    const program = describeProgram();
    await addCommands(program, words);
    await program.parseAsync([...words], { from: 'user' });
    return Number(process.exitCode ?? EXIT_CODES.done);
  } catch (error) {
    return exitCodeOf(error);
  }
}

function describeProgram(): Command {
  return new Command('dealer-bridge')
    .description(
      'Makes a car dealer’s inventory reachable for AI shopping agents and brings their leads to the dealer’s CRM.',
    )
    .version(programVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXAMPLES)
    .addHelpText('afterAll', EXIT_CODES_HELP)
    .showHelpAfterError('(--help explains the command)')
    .exitOverride();
}

const EXAMPLES = `
Examples:
  dealer-bridge start                                      run the demo dealership
  dealer-bridge check --config bridge.yaml                 look for faults in your settings
  dealer-bridge feed preview export.csv --profile homenet  see what an inventory file holds
  dealer-bridge leads list                                 see which leads came in and where they went

From a clone of the repository write "npm run -s bridge --" instead of "dealer-bridge".`;

function exitCodeOf(error: unknown): number {
  if (error instanceof CommandStopped) return error.exitCode;
  // Commander has printed its own message by now; help and version that were asked for end with 0.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT_CODES.done : EXIT_CODES.usage;
  if (isClosedPipe(error)) return EXIT_CODES.done;
  console.error(`dealer-bridge: ${describeFailure(error)}`);
  return EXIT_CODES.failure;
}

/** Who reads our output has seen enough, as in "leads export | head". */
function isClosedPipe(error: unknown): boolean {
  return (
    error instanceof Error &&
    'syscall' in error &&
    error.syscall === 'write' &&
    'code' in error &&
    error.code === 'EPIPE'
  );
}

/** What the operator can act on as one line; a bug with its stack, for the report to us. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isOutside = error instanceof OperatorFault || 'code' in error;
  return isOutside ? error.message : (error.stack ?? error.message);
}
