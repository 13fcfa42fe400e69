import type { Command } from 'commander';
import { isObject, listAt, textAt, valueAt } from '../client/json-value.ts';
import { type AskOptions, withAgent, withAskOptions } from './ask-options.ts';
import { askAndPrint } from './ask-reply.ts';
import { oneLine } from './text-table.ts';

/** `ask info`: who the dealer is (dealer.information). */
export function addAskInfoCommand(ask: Command): void {
  withAskOptions(ask.command('info'))
    .summary('who the dealer is')
    .description('Asks for the dealer’s name, rooftops, addresses, phones, hours and fees.')
    .action((options: AskOptions) =>
      withAgent(options, (opened) => askAndPrint(opened, 'dealer.information', {}, options, showInformation)),
    );
}

function showInformation(data: unknown): string {
  const welcome = textAt(data, 'welcome_message');
  return [
    oneLine(textAt(data, 'name') ?? 'a dealer without a name'),
    ...(welcome === undefined ? [] : [oneLine(welcome)]),
    ...listAt(data, 'rooftops').flatMap((rooftop) => ['', ...rooftopLines(rooftop)]),
  ].join('\n');
}

function rooftopLines(rooftop: unknown): string[] {
  const address = ['address_line_1', 'address_line_2', 'city', 'state', 'zip', 'country'].map((part) =>
    textAt(rooftop, 'address', part),
  );
  const facts: [string, string][] = [
    ['address', address.filter((part) => part !== undefined).join(', ')],
    ['website', textAt(rooftop, 'website') ?? ''],
    ['phone', contacts(rooftop, 'phones')],
    ['e-mail', contacts(rooftop, 'emails')],
    ...listAt(rooftop, 'schedules').map((schedule): [string, string] => [
      `${textAt(schedule, 'name') ?? 'open'} hours`,
      hours(valueAt(schedule, 'value')),
    ]),
    ['time zone', textAt(rooftop, 'timezone') ?? ''],
    ['fees', fees(rooftop)],
    ['notes', textAt(rooftop, 'notes') ?? ''],
  ];
  return [
    oneLine(textAt(rooftop, 'name') ?? 'a rooftop without a name'),
    ...facts
      .filter(([, text]) => text !== '')
      .map(([name, text]) => `  ${oneLine(name).padEnd(14)} ${oneLine(text)}`),
  ];
}

function contacts(rooftop: unknown, kind: string): string {
  return listAt(rooftop, kind)
    .map((contact) => {
      const name = textAt(contact, 'name');
      return `${textAt(contact, 'value') ?? ''}${name === undefined ? '' : ` (${name})`}`;
    })
    .join(', ');
}

/** `monday 09:00-19:00, …, sunday closed`. */
function hours(week: unknown): string {
  if (!isObject(week)) return '';
  return Object.entries(week)
    .map(([day, times]) =>
      times === null
        ? `${day} closed`
        : `${day} ${textAt(times, 'open') ?? '?'}-${textAt(times, 'close') ?? '?'}`,
    )
    .join(', ');
}

function fees(rooftop: unknown): string {
  return listAt(rooftop, 'fees')
    .map((fee) => `${textAt(fee, 'name') ?? ''} $${String(valueAt(fee, 'amount'))}`)
    .join(', ');
}
