import { readFile, stat } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import { describePlace } from '../agent/json-pointer.ts';
import { createRequestValidator } from '../agent/validators.ts';
import { newLeadId } from '../model/identifier.ts';
import { formatInstant, systemClock } from '../model/clock.ts';
import type { LeadSubmitRequest } from '../model/lead.ts';
import { failure, success, type Problem, type Result } from '../model/problem.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { previewDocument, previewMail } from './lead-preview-output.ts';
import { previewLead } from './lead-preview-lead.ts';
import { parseExistingFile } from './existing-file.ts';

type PreviewOptions = ConfigOptions & {
  destination?: string;
  leadId?: string;
  receivedAt?: string;
  mail?: boolean;
};

const MAX_LEAD_FILE_BYTES = 1024 * 1024;

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
  process.stdout.write(
    options.mail === true ? await previewMail(lead, destination) : previewDocument(lead, destination),
  );
}

async function readRequest(file: string): Promise<Result<LeadSubmitRequest>> {
  const content = await readJson(file);
  if (!content.ok) return content;
  const payload = payloadOf(content.value);
  const faults = createRequestValidator()('lead.submit', payload);
  if (faults.length === 0) return success(payload as LeadSubmitRequest);
  return failure(
    ...faults.map(({ instanceLocation, error }) => ({
      code: 'LEAD_PREVIEW_INVALID',
      message: `${describePlace(instanceLocation)} ${error}`,
    })),
  );
}

async function readJson(file: string): Promise<Result<unknown>> {
  try {
    const { size } = await stat(file);
    if (size > MAX_LEAD_FILE_BYTES) {
      return failure(unreadable(file, `it is larger than ${MAX_LEAD_FILE_BYTES} bytes`));
    }
    return success(JSON.parse((await readFile(file, 'utf8')).replace(/^\uFEFF/, '')) as unknown);
  } catch (error) {
    return failure(unreadable(file, error instanceof Error ? error.message : String(error)));
  }
}

function unreadable(file: string, reason: string): Problem {
  return { code: 'LEAD_PREVIEW_UNREADABLE', message: `${file}: ${reason}` };
}

/** The payload itself, or the data of the first part that has some (aap-v1.3 section 2). */
function payloadOf(content: unknown): unknown {
  const parts = memberOf(memberOf(memberOf(content, 'params'), 'message'), 'parts');
  if (!Array.isArray(parts)) return content;
  return parts.map((part) => memberOf(part, 'data')).find((data) => data !== undefined) ?? content;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
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
  const epochMs = Date.parse(text);
  if (/^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(epochMs)) return formatInstant(epochMs);
  throw new InvalidArgumentError('Write the time like 2026-04-30T11:05:10Z.');
}
