import type { Command } from 'commander';
import { secretsOf } from '../config/secret-values.ts';
import type { Config, DestinationConfig } from '../config/config.ts';
import { attemptDelivery, type Attempt } from '../leads/attempt.ts';
import { explain } from '../leads/delivery/explain.ts';
import { formatInstant, systemClock } from '../model/clock.ts';
import type { LeadDocument } from '../model/lead.ts';
import { openLog } from '../runtime/logging.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { describeDelivery } from './describe-delivery.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { printableText } from './printable-text.ts';
import { testLead } from './test-lead.ts';

type TestOptions = ConfigOptions & { dryRun?: boolean; rooftop?: string };

/** `destination test`: one marked lead on the real way to the CRM, and in words what became of it. */
export function addDestinationTestCommand(destination: Command): void {
  withConfigOptions(destination.command('test'))
    .summary('send a marked test lead to the CRM and explain what happened')
    .description(
      'Sends one lead that is marked as a test in every field, by the way that real leads go, and tells what the CRM ' +
        'made of it or what to do about the fault. Nothing is stored but a line in the log; nothing is tried twice.',
    )
    .argument('<id>', 'destination of the settings')
    .option('--dry-run', 'show what would be sent, without secrets, and send nothing')
    .option(
      '--rooftop <id>',
      'rooftop in whose name it is sent (default: the first that the destination serves)',
    )
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge destination test crm --dry-run --config bridge.yaml
  dealer-bridge destination test crm --config bridge.yaml`,
    )
    .action(test);
}

async function test(id: string, options: TestOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const destination = destinationOf(id, config);
  const lead = testLead(rooftopOf(options.rooftop, destination, config), formatInstant(systemClock.now()));
  if (options.dryRun === true) {
    process.stdout.write(printableText(describeDelivery(lead, destination)));
    return;
  }
  console.log(`Sending the test lead ${lead.lead_id} to ${id} ...`);
  const attempt = await attemptDelivery(lead, destination, config.data_folder);
  record(lead, id, attempt, config);
  console.log(printableText(resultText(attempt)));
  if (attempt.verdict.state !== 'delivered') throw new CommandStopped(EXIT_CODES.problems);
}

function destinationOf(id: string, { leads }: Config): DestinationConfig {
  const found = leads.destinations.find((destination) => destination.id === id);
  if (found !== undefined) return found;
  const names = leads.destinations.map((destination) => destination.id).join(', ');
  return stopWith(`There is no destination "${id}"; the settings have ${names === '' ? 'none' : names}.`);
}

function rooftopOf(id: string | undefined, { rooftops }: DestinationConfig, { dealer }: Config) {
  const wanted = id ?? rooftops[0];
  const found = dealer.rooftops.find((rooftop) => rooftop.id === wanted);
  return (
    found ??
    stopWith(
      `There is no rooftop "${wanted ?? ''}"; the settings have ${dealer.rooftops.map((rooftop) => rooftop.id).join(', ')}.`,
    )
  );
}

/** The trial leaves no lead behind, but whoever wonders about one in the CRM finds where it came from. */
function record(lead: LeadDocument, destination: string, { stage, verdict }: Attempt, config: Config): void {
  const log = openLog({
    dataFolder: config.data_folder,
    log: config.log,
    secrets: secretsOf(config),
    // The bridge clears its logs; this only adds a line.
    maySayOld: () => false,
  });
  const facts = { lead_id: lead.lead_id, destination, stage, verdict: verdict.state, reason: verdict.reason };
  log.info(facts, 'test lead tried');
}

function resultText({ verdict, outcome }: Attempt): string {
  const { state, reason, reference } = verdict;
  const heading = HEADINGS[state];
  const lines = [`${heading}: ${reason}.`];
  if (reference !== undefined) lines.push(`The CRM calls it ${reference}.`);
  if (state === 'delivered') {
    lines.push(ARRIVAL[outcome?.kind ?? 'http']);
    return lines.join('\n');
  }
  const explanation = outcome === undefined ? undefined : explain(outcome);
  if (explanation !== undefined) {
    lines.push('', `What it means: ${explanation.means}`, `What to do: ${explanation.remedy}`);
  }
  if (verdict.pauseDestination === true) {
    lines.push(
      '',
      'With a real lead the bridge would now hold back all leads for this destination, and try one of them now and then.',
    );
  }
  return lines.join('\n');
}

const HEADINGS = {
  delivered: 'Delivered',
  rejected: 'Refused for good',
  retry: 'Not delivered',
  uncertain: 'Nobody knows whether it arrived',
} as const;

/** How much a success says, by the way it went. */
const ARRIVAL = {
  email:
    'The mail server has it. Whether the CRM reads it shows only in the CRM: look for "TEST Please ignore" there.',
  http: 'Look for "TEST Please ignore" in the CRM and delete it.',
  file: 'The CRM, or the program that uploads the folder, must pick it up: look for "TEST Please ignore" there.',
  sftp: 'The CRM must pick it up: look for "TEST Please ignore" there.',
} as const;

function stopWith(message: string): never {
  console.error(message);
  throw new CommandStopped(EXIT_CODES.problems);
}
