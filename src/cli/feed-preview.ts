import { Option, type Command } from 'commander';
import type { Config, FeedConfig } from '../config/config.ts';
import type { IngestServices } from '../feeds/ingest-services.ts';
import { previewFile, type Preview } from '../feeds/preview.ts';
import { reportText } from '../feeds/reporting/report-text.ts';
import { visibleText } from '../feeds/reporting/visible-text.ts';
import { openInventoryStore } from '../inventory/store.ts';
import type { FeedMode } from '../model/intake.ts';
import type { Vehicle } from '../model/vehicle.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { ingestServices } from './feed-services.ts';
import { parseExistingFile } from './existing-file.ts';
import { progressLine } from './progress-line.ts';

type PreviewOptions = ConfigOptions & { profile: string; rooftop?: string; mode: FeedMode; json?: boolean };

const VEHICLES_SHOWN = 5;

/** `feed preview`: what the bridge would make of a file; changes nothing and creates nothing. */
export function addFeedPreviewCommand(feed: Command): void {
  withConfigOptions(feed.command('preview'))
    .summary('show what the bridge would make of an inventory file, change nothing')
    .description(
      'Reads an inventory file with a profile and shows what would come out: rows refused and why, odd values, and ' +
        'the first finished vehicles. The lot, the file and the data folder are not touched.',
    )
    .argument('<file>', 'the export, packed or not', parseExistingFile)
    .requiredOption('--profile <name>', 'name of a profile, such as homenet, or path of a .yaml file')
    .option(
      '--rooftop <id>',
      'all rows belong to this rooftop (default: the dealer column says, else the first)',
    )
    .addOption(
      new Option('--mode <mode>', 'whether the file holds everything or only changes')
        .choices(['full', 'delta'])
        .default('full'),
    )
    .option('--json', 'everything, all vehicles included, as one JSON text')
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge feed preview export.csv --profile homenet
  dealer-bridge feed preview export.xml --profile ./my-profile.yaml --json > preview.json`,
    )
    .action(preview);
}

async function preview(file: string, options: PreviewOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const store = openInventoryStore(':memory:');
  try {
    const feed = feedOf(options, config);
    const line = progressLine();
    const services = { ...ingestServices(config, store), progress: line.teller };
    const { preview: result, report } = await previewAtRooftop(file, feed, services).finally(() =>
      line.end(),
    );
    const text = `${reportText(report, 'preview')}${vehiclesText(result)}`;
    process.stdout.write(options.json === true ? `${JSON.stringify(result, undefined, 2)}\n` : text);
    if (result.file.status !== 'accepted') throw new CommandStopped(EXIT_CODES.problems);
  } finally {
    store.close();
  }
}

/**
 * A file of a dealership that the settings do not know (a first try with the demo settings) would show nothing but
 * rows without a rooftop. It is shown as if it belonged to the first one, and that is said.
 */
async function previewAtRooftop(
  file: string,
  feed: FeedConfig,
  services: IngestServices,
): ReturnType<typeof previewFile> {
  const seen = await previewFile(file, feed, services);
  const { rejections, rows } = seen.preview;
  const isForeign =
    rows > 0 && rejections.some(({ code }) => code === 'rooftop_unknown') && seen.preview.accepted === 0;
  const first = feed.rooftop.kind === 'column' ? feed.rooftop.otherwise : undefined;
  if (!isForeign || first === undefined) return seen;
  console.error(`No row names a rooftop of the settings; shown as if all belonged to ${first}.`);
  return previewFile(file, { ...feed, rooftop: { kind: 'fixed', id: first } }, services);
}

function feedOf(options: PreviewOptions, config: Config): FeedConfig {
  const known = config.dealer.rooftops.map(({ id }) => id);
  const [first] = known;
  if (options.rooftop !== undefined && !known.includes(options.rooftop)) {
    console.error(`there is no rooftop ${options.rooftop}; the settings name ${known.join(', ')}`);
    throw new CommandStopped(EXIT_CODES.problems);
  }
  return {
    id: 'preview',
    profile: options.profile,
    folder: '',
    files: '*',
    mode: options.mode,
    rooftop:
      options.rooftop === undefined
        ? { kind: 'column', ...(first === undefined ? {} : { otherwise: first }) }
        : { kind: 'fixed', id: options.rooftop },
    settle_ms: 0,
    guard: { max_removed_percent: 100, max_removed_vehicles: 0 },
    price_checks: { max_over_msrp_percent: 200, max_under_msrp_percent: 90 },
  };
}

function vehiclesText({ vehicles, companion }: Pick<Preview, 'vehicles' | 'companion'>): string {
  if (vehicles.length === 0) return '';
  const shown = vehicles.slice(0, VEHICLES_SHOWN).map(vehicleText);
  const kind = companion === true ? 'what the file adds to them' : 'as agents would see them';
  return `\nThe first ${shown.length} of ${vehicles.length} vehicles, ${kind}\n${shown.join('\n')}`;
}

function vehicleText(vehicle: Vehicle): string {
  const lines = Object.entries(vehicle).map(([field, value]) => {
    return `    ${field}: ${visibleText(typeof value === 'string' ? value : JSON.stringify(value))}\n`;
  });
  const { year, make, model, trim, vin, stock } = vehicle;
  const name = make === undefined ? [vin ?? stock] : [year, make, model, trim];
  return `  ${name.filter(Boolean).join(' ')}\n${lines.join('')}`;
}
