import type { Config } from '../../config/config.ts';
import { secretsOf } from '../../config/secret-values.ts';
import { withoutSecretWords } from '../../leads/delivery/secret-words.ts';
import { systemClock } from '../../model/clock.ts';
import type { Finding } from '../../model/finding.ts';
import { ClockWatch } from '../../runtime/clock-watch.ts';
import { clockHealth } from '../clock-health.ts';
import { clockFinding } from '../findings/clock-finding.ts';
import { alertWayFindings } from './alert-ways.ts';
import { storedBackupFindings } from './backups.ts';
import { certificateFindings } from './certificate.ts';
import { clockFindings, newestFileIn } from './clock.ts';
import { checkDatabases } from './databases.ts';
import { destinationFindings } from './destinations.ts';
import { diskFindings } from './disk-space.ts';
import { folderFindings } from './folders.ts';
import { portFindings } from './ports.ts';
import { programFindings } from './program.ts';
import { publicAddressFindings } from './public-address.ts';
import { lookForBridge, runningFindings } from './running.ts';
import { settingsFindings } from './settings.ts';
import { sourceFindings } from './sources.ts';
import { strayVehicleFindings } from './stray-vehicles.ts';
import type { ServerTimes } from './way-finding.ts';
import { within } from './within.ts';

/** Shorter words would be found in every sentence. */
const SHORTEST_SECRET = 4;

/**
 * Tries out everything that a service with these settings needs, with the rights of this process, beside a running
 * bridge or without one. Changes nothing and sends no lead. What takes longer than its time is found to be at fault.
 */
export async function probeBridge(config: Config, version: string, now: number): Promise<Finding[]> {
  const { data_folder: dataFolder } = config;
  const running = await lookForBridge(config);
  const times: ServerTimes = [];
  const newestFile = await newestFileIn(dataFolder);
  const found = await Promise.all([
    within('program', 'The program', () => programFindings(version, dataFolder)),
    within('settings', 'The settings', () => settingsFindings(config, now)),
    Promise.resolve(runningFindings(running, config)),
    within('port', 'The ports', () => portFindings(config, running)),
    folderFindings(config),
    within('disk', 'The disks', () => diskFindings(config)),
    sourceFindings(config, times),
    destinationFindings(config, now, times),
    alertWayFindings(config, times),
    within('certificate', 'The certificate', () => certificateFindings(config, now)),
    within('public-address', 'The public address', () => publicAddressFindings(config, running)),
    within('backup', 'The backups', () => storedBackupFindings(config, now)),
  ]);
  // Afterwards, as reading through a database lets nothing else of this process go on.
  const { findings: databases, lastLead } = await checkDatabases(config);
  const { doubt } = new ClockWatch(dataFolder, systemClock);
  const clock =
    doubt?.kind === 'ahead'
      ? [clockFinding(clockHealth(Date.now(), doubt))]
      : clockFindings(Date.now(), { newestFile, lastLead, servers: onePerServer(times) });
  const words = secretsOf(config).filter((word) => word.length >= SHORTEST_SECRET);
  return [...found.flat(), ...databases, ...strayVehicleFindings(config), ...clock].map((finding) => ({
    ...finding,
    text: withoutSecretWords(finding.text, words),
  }));
}

function onePerServer(times: ServerTimes): ServerTimes {
  return [...new Map(times.map((told) => [told.name, told])).values()];
}
