import { InvalidArgumentError, type Command } from 'commander';
import { describePlace } from '../agent/json-pointer.ts';
import { createRequestValidator } from '../agent/validators.ts';
import { newLeadId } from '../model/identifier.ts';
import { formatInstant, systemClock } from '../model/clock.ts';
import { readInstant } from '../model/instant.ts';
import type { LeadSubmitRequest } from '../model/lead.ts';
import { failure, success, type Result } from '../model/problem.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { readLeadPayload } from './lead-file.ts';
import { previewDocument, previewMail } from './lead-preview-output.ts';
import { previewLead } from './lead-preview-lead.ts';
import { parseExistingFile } from './existing-file.ts';

type PreviewOptions = ConfigOptions & {
  destination?: string;
  leadId?: string;
  receivedAt?: string;
  mail?: boolean;
};

/** `lead preview`: what the CRM would get for a lead; sends nothing and stores nothing. */
export function addLeadPreviewCommand(lead: Command): void {
  withConfigOptions(lead.command('preview'))
    .summary('show what the CRM would get for a lead, send nothing')
    .description(
      'Reads a lead.submit request (the payload alone, or the whole JSON-RPC call) and prints the ADF that the ' +
        'destination would get, or with --mail the whole mail. Sends nothing and stores nothing.',
    )
    .argument('<file>', 'JSON file with the lead', parseExistingFile)
    .option('--destination <id>', 'destination of the settings (default: the first for the lead’s rooftop)')
    .option('--lead-id <id>', 'id to show (default: a new one)', parseLeadId)
    .option(
      '--received-at <time>',
      'time of receipt, such as 2026-04-30T11:05:10Z (default: now)',
      parseInstant,
    )
    .option('--mail', 'the whole mail, headers included, as a mail server would get it')
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge lead preview samples/leads/test-drive-with-trade-in.json
  dealer-bridge lead preview lead.json --destination crm-by-email --mail > lead.eml`,
    )
    .action(preview);
}

async function preview(file: string, options: PreviewOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const request = orStop(await readRequest(file));
  const { lead, destinations, notes } = await previewLead(request, config, {
    leadId: options.leadId ?? newLeadId(),
    receivedAt: options.receivedAt ?? formatInstant(systemClock.now()),
  });
  for (const note of notes) console.error(note);
  const known = config.leads.destinations;
  const destination = known.find(({ id }) => id === (options.destination ?? destinations[0]));
  if (destination === undefined) {
    const missing =
      options.destination === undefined
        ? `no destination takes the leads of ${lead.rooftop.profile.name}`
        : `there is no destination ${options.destination}; the settings name ${known.map(({ id }) => id).join(', ')}`;
    orStop(failure({ code: 'LEAD_PREVIEW_DESTINATION', message: missing }));
    return;
  }
  if (options.mail !== true) {
    process.stdout.write(previewDocument(lead, destination));
    return;
  }
  const { text, isByMail } = await previewMail(lead, destination);
  if (!isByMail) console.error(notByMail(destination.id));
  process.stdout.write(text);
}

function notByMail(id: string): string {
  return (
    `${id} gets its leads another way than by mail: this is the mail that adf-email would make of the lead. What ` +
    `${id} gets is shown without --mail; where it goes, by "destination test ${id} --dry-run".`
  );
}

async function readRequest(file: string): Promise<Result<LeadSubmitRequest>> {
  const content = await readLeadPayload(file);
  if (!content.ok) return content;
  const payload = content.value;
  const faults = createRequestValidator()('lead.submit', payload);
  if (faults.length === 0) return success(payload as LeadSubmitRequest);
  return failure(
    ...faults.map(({ instanceLocation, error }) => ({
      code: 'LEAD_PREVIEW_INVALID',
      message: `${describePlace(instanceLocation)} ${error}`,
    })),
  );
}

function orStop<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  for (const { message } of result.problems) console.error(message);
  throw new CommandStopped(EXIT_CODES.problems);
}

function parseLeadId(text: string): string {
  if (/^[\w.-]{1,100}$/.test(text)) return text;
  throw new InvalidArgumentError('An id has up to 100 letters, digits, dots, hyphens and underscores.');
}

function parseInstant(text: string): string {
  const epochMs = readInstant(text);
  if (epochMs !== undefined) return formatInstant(epochMs);
  throw new InvalidArgumentError('Write the time like 2026-04-30T11:05:10Z.');
}
