import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { OperatorFault } from '../model/operator-fault.ts';
import { addAdapterCommands } from './adapter.ts';
import { addAskCommands } from './ask.ts';
import { addCheckCommand } from './check.ts';
import { CommandStopped } from './command-stopped.ts';
import { addDestinationTestCommand } from './destination-test.ts';
import { EXIT_CODES, EXIT_CODES_HELP } from './exit-codes.ts';
import { addFeedDiscardCommand } from './feed-discard.ts';
import { addFeedExplainCommand } from './feed-explain.ts';
import { addFeedFetchCommand } from './feed-fetch.ts';
import { addFeedPreviewCommand } from './feed-preview.ts';
import { addFeedReleaseCommand } from './feed-release.ts';
import { addFeedRunCommand } from './feed-run.ts';
import { addFeedRunsCommand } from './feed-runs.ts';
import { addFeedSuggestCommand } from './feed-suggest.ts';
import { addLeadPreviewCommand } from './lead-preview.ts';
import { addLeadsAuditCommand } from './leads-audit.ts';
import { addLeadsCancelCommand } from './leads-cancel.ts';
import { addLeadsEraseDueCommand } from './leads-erase-due.ts';
import { addLeadsExportCommand } from './leads-export.ts';
import { addLeadsListCommand } from './leads-list.ts';
import { addLeadsPurgeCommand } from './leads-purge.ts';
import { addLeadsReplayCommand } from './leads-replay.ts';
import { addLeadsResendCommand } from './leads-resend.ts';
import { addLeadsShowCommand } from './leads-show.ts';
import { addMcpCommand } from './mcp.ts';
import { addStartCommand } from './start.ts';
import { addTokenListCommand } from './token-list.ts';
import { addTokenNewCommand } from './token-new.ts';
import { addTokenRevokeCommand } from './token-revoke.ts';

/** Runs one command line (without node and script) and answers its exit code. */
export async function runProgram(words: readonly string[]): Promise<number> {
  try {
    await buildProgram().parseAsync([...words], { from: 'user' });
    return Number(process.exitCode ?? EXIT_CODES.done);
  } catch (error) {
    return exitCodeOf(error);
  }
}

function buildProgram(): Command {
  const program = new Command('dealer-bridge')
    .description(
      'Makes a car dealer’s inventory reachable for AI shopping agents and brings their leads to the dealer’s CRM.',
    )
    .version(readVersion(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .addHelpText('after', EXAMPLES)
    .addHelpText('afterAll', EXIT_CODES_HELP)
    .showHelpAfterError('(--help explains the command)')
    .exitOverride();

  addStartCommand(program);
  addCheckCommand(program);

  const feed = program.command('feed').summary('try out and take in inventory files');
  feed.description('Inventory files: see what the bridge makes of one, or take one in by hand.');
  addFeedSuggestCommand(feed);
  addFeedPreviewCommand(feed);
  addFeedRunCommand(feed);
  addFeedFetchCommand(feed);
  addFeedRunsCommand(feed);
  addFeedReleaseCommand(feed);
  addFeedDiscardCommand(feed);
  addFeedExplainCommand(feed);

  const lead = program.command('lead').summary('see a lead as the CRM will get it');
  lead.description('One lead, as a trial: see what the CRM would get, without sending anything.');
  addLeadPreviewCommand(lead);

  const leads = program.command('leads').summary('look up leads and their deliveries');
  leads.description(
    'The leads that have come in: list them, look at one, send again, cancel, export, erase customers.',
  );
  addLeadsListCommand(leads);
  addLeadsShowCommand(leads);
  addLeadsResendCommand(leads);
  addLeadsCancelCommand(leads);
  addLeadsReplayCommand(leads);
  addLeadsExportCommand(leads);
  addLeadsPurgeCommand(leads);
  addLeadsEraseDueCommand(leads);
  addLeadsAuditCommand(leads);

  addAdapterCommands(program);

  const destination = program.command('destination').summary('try out the way to the CRM');
  destination.description(
    'The places that leads go to: see whether one works before a customer depends on it.',
  );
  addDestinationTestCommand(destination);

  addAskCommands(program);
  addMcpCommand(program);

  const token = program.command('token').summary('who may call with a token');
  token.description('Bearer tokens of buyers’ agents: make one, list them, take one back.');
  addTokenNewCommand(token);
  addTokenListCommand(token);
  addTokenRevokeCommand(token);
  return program;
}

const EXAMPLES = `
Examples:
  dealer-bridge start                                      run the demo dealership
  dealer-bridge check --config bridge.yaml                 look for faults in your settings
  dealer-bridge feed preview export.csv --profile homenet  see what an inventory file holds
  dealer-bridge leads list                                 see which leads came in and where they went

From a clone of the repository write "npm run -s bridge --" instead of "dealer-bridge".`;

function readVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}

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
