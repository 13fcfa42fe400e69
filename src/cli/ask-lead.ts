import type { Command } from 'commander';
import { isObject, listAt, textAt } from '../client/json-value.ts';
import { type AskOptions, withAgent, withAskOptions } from './ask-options.ts';
import { askAndPrint } from './ask-reply.ts';
import { CommandStopped } from './command-stopped.ts';
import { parseExistingFile } from './existing-file.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { readLeadPayload } from './lead-file.ts';
import { printableText } from './printable-text.ts';
import { oneLine } from './text-table.ts';

/** `ask lead`: leaves a lead (lead.submit). Leads are real, so another dealer gets one only with `--yes`. */
export function addAskLeadCommand(ask: Command): void {
  withAskOptions(ask.command('lead'))
    .summary('leave a lead')
    .description(
      'Sends a lead.submit request. The lead is real: the dealer’s staff will act on it. What is sent, and the consent ' +
        'that goes with it, is shown on stderr.',
    )
    .argument('<file>', 'JSON file with the lead, such as samples/leads/vin-only.json', parseExistingFile)
    .option('--yes', 'send it, although the agent is not the bridge of the settings')
    .action(async (file: string, options: AskOptions & { yes?: boolean }) => {
      const lead = await readLead(file);
      await withAgent(options, async (opened) => {
        const { agent, isOurs } = opened;
        console.error(printableText(`${describeLead(lead)}\nTo: ${agent.name}, ${agent.endpoint.href}`));
        if (!isOurs && options.yes !== true) {
          console.error('Not sent: leads are real. Add --yes to send it to this dealer.');
          throw new CommandStopped(EXIT_CODES.problems);
        }
        await askAndPrint(opened, 'lead.submit', lead, options, showAnswer);
      });
    });
}

async function readLead(file: string): Promise<object> {
  const read = await readLeadPayload(file);
  if (read.ok && isObject(read.value)) return read.value;
  const problems = read.ok
    ? [`${file}: a lead is a JSON object`]
    : read.problems.map(({ message }) => message);
  for (const problem of problems) console.error(problem);
  throw new CommandStopped(EXIT_CODES.problems);
}

function describeLead(lead: object): string {
  const channels = listAt(lead, 'consent', 'allowed_channels').map(String).join(', ');
  return [
    'The lead:',
    JSON.stringify(lead, null, 2),
    `Consent (${oneLine(channels) || 'no channel'}): ${oneLine(textAt(lead, 'consent', 'consent_text') ?? 'none')}`,
  ].join('\n');
}

function showAnswer(data: unknown): string {
  const appointment = textAt(data, 'appointment', 'status');
  const times = [
    textAt(data, 'appointment', 'confirmed_at'),
    ...listAt(data, 'appointment', 'proposed_times').map(String),
  ].filter((time) => time !== undefined);
  const dealer = [textAt(data, 'dealer', 'name'), textAt(data, 'dealer', 'phone')].filter(
    (one) => one !== undefined,
  );
  return [
    `${textAt(data, 'status') ?? 'no status'}  ${oneLine(textAt(data, 'lead_id') ?? '')}`,
    ...(appointment === undefined
      ? []
      : [`appointment ${appointment} ${oneLine(times.join(', '))}`.trimEnd()]),
    ...(dealer.length === 0 ? [] : [`dealer ${oneLine(dealer.join(', '))}`]),
  ].join('\n');
}
