import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { DELIVERY_STATES, type DeliveryState } from '../leads/delivery-records.ts';
import { type LeadStore, type LeadSummary } from '../leads/lead-store.ts';
import { formatInstant } from '../model/clock.ts';
import { csvLine } from '../model/csv.ts';
import type { LeadSubmitRequest } from '../model/lead.ts';
import { type ConfigOptions, withConfigOptions } from './config-options.ts';
import { withLeadStoreAlone } from './lead-store-access.ts';
import { parseTime, TIME_HELP } from './past-time.ts';

interface ExportOptions extends ConfigOptions {
  format: 'csv' | 'json';
  since?: number;
  until?: number;
  state?: DeliveryState;
  customers?: boolean;
}

/** One delivery of one lead; a lead without any has one row without destination. */
type ExportRow = Record<string, string | number | undefined>;

const COLUMNS = [
  'lead_id',
  'received_at',
  'rooftop_id',
  'destination',
  'state',
  'attempts',
  'settled_at',
  'next_attempt_at',
  'reference',
  'reason',
  'erased_at',
];
const CUSTOMER_COLUMNS = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'vin',
  'stock',
  'vehicle',
  'message',
  'source_agent',
];
const PAGE = 500;

/** `leads export`: the leads as a table, for a spreadsheet or another program; read in pages, however many there are. */
export function addLeadsExportCommand(leads: Command): void {
  withConfigOptions(leads.command('export'))
    .summary('print the leads as CSV or JSON')
    .description(
      'Prints one record for each lead and destination, newest lead first: ids, times, states, and the CRM’s ' +
        'references. No customer data, unless --customers asks for it.',
    )
    .addOption(new Option('--format <format>', 'csv or json').choices(['csv', 'json']).default('csv'))
    .option('--since <time>', `leads received at this time or later: ${TIME_HELP}`, parseTime)
    .option('--until <time>', 'leads received before this time', parseTime)
    .addOption(
      new Option('--state <state>', 'only leads with a delivery in this state').choices(DELIVERY_STATES),
    )
    .option('--customers', 'with names, addresses, vehicle and message: personal data, keep it safe')
    .addHelpText('after', '\nExample:\n  dealer-bridge leads export --since 30d > leads.csv')
    .action(async (options: ExportOptions) => {
      await withLeadStoreAlone(options, (store) =>
        (options.format === 'csv' ? asCsv : asJson)(options, store),
      );
    });
}

async function asCsv(options: ExportOptions, store: LeadStore): Promise<void> {
  const columns = options.customers === true ? [...COLUMNS, ...CUSTOMER_COLUMNS] : COLUMNS;
  await print(csvLine(columns));
  for await (const row of rows(options, store)) {
    await print(csvLine(columns.map((column) => String(row[column] ?? ''))));
  }
}

async function asJson(options: ExportOptions, store: LeadStore): Promise<void> {
  let before = '[\n';
  for await (const row of rows(options, store)) {
    await print(before + JSON.stringify(row));
    before = ',\n';
  }
  await print(before === '[\n' ? '[]\n' : '\n]\n');
}

async function* rows(options: ExportOptions, store: LeadStore): AsyncGenerator<ExportRow> {
  const { since, until, state } = options;
  let after: LeadSummary | undefined;
  for (;;) {
    const page = await store.list({
      limit: PAGE,
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
      ...(state !== undefined && { state }),
      ...(after !== undefined && { after }),
    });
    for (const lead of page) {
      const customer = options.customers === true ? customerCells(await store.find(lead.lead_id)) : {};
      for (const row of leadRows(lead)) yield { ...row, ...customer };
    }
    after = page.at(-1);
    if (page.length < PAGE) return;
  }
}

function leadRows(lead: LeadSummary): ExportRow[] {
  const about = {
    lead_id: lead.lead_id,
    received_at: formatInstant(lead.received_at),
    rooftop_id: lead.rooftop_id,
  };
  const erased_at = time(lead.erased_at);
  if (lead.deliveries.length === 0) return [{ ...about, erased_at }];
  return lead.deliveries.map((delivery) => ({
    ...about,
    destination: delivery.destination,
    state: delivery.state,
    attempts: delivery.attempts,
    settled_at: time(delivery.settledAt),
    next_attempt_at: time(delivery.nextAttemptAt),
    reference: delivery.reference,
    reason: delivery.reason,
    erased_at,
  }));
}

function customerCells(trail: { lead: { request: LeadSubmitRequest } } | undefined): ExportRow {
  if (trail === undefined) return {};
  const { customer, vehicle_of_interest: vehicle, message, source_agent } = trail.lead.request;
  return {
    first_name: customer.first_name,
    last_name: customer.last_name,
    email: customer.email,
    phone: customer.phone,
    vin: vehicle?.vin,
    stock: vehicle?.stock,
    vehicle: [vehicle?.year, vehicle?.make, vehicle?.model].filter((part) => part !== undefined).join(' '),
    message,
    source_agent: source_agent.name,
  };
}

function time(epochMs: number | undefined): string | undefined {
  return epochMs === undefined ? undefined : formatInstant(epochMs);
}

/** Waits where the reader is slower: the whole table is never in memory. */
async function print(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain');
}
