import type { Config } from '../../config/config.ts';
import type { Finding } from '../../model/finding.ts';
import { refuseUnfinishedRestore } from '../../runtime/backup/restore.ts';
import { isBridgeRunning } from '../../runtime/data-folder-lock.ts';
import type { HealthReport } from '../../web/health-report.ts';
import { askLocally } from './local-server.ts';

/** What is known of a bridge that may be at work on the data folder. */
export interface Running {
  isRunning: boolean;
  /** Its own health page, where the admin port of the settings tells it. */
  health?: HealthReport;
  /** Why nobody could look, or what keeps any bridge from starting. */
  fault?: string;
}

export async function lookForBridge({ data_folder: data, server }: Config): Promise<Running> {
  try {
    refuseUnfinishedRestore(data);
    if (!isBridgeRunning(data)) return { isRunning: false };
  } catch (fault) {
    return { isRunning: false, fault: fault instanceof Error ? fault.message : String(fault) };
  }
  const address = { host: server.admin_host, port: server.admin_port, isSecure: false };
  const health = await askLocally(address, '/health');
  return isHealth(health) ? { isRunning: true, health } : { isRunning: true };
}

/** One bridge a data folder, and what it says of itself. */
export function runningFindings({ isRunning, health, fault }: Running, config: Config): Finding[] {
  const key = 'bridge';
  if (fault !== undefined) {
    return [{ key, status: 'fail', text: fault, remedy: 'No bridge starts before that is done.' }];
  }
  if (!isRunning) {
    return [{ key, status: 'ok', text: 'No bridge runs on the data folder; one can be started.' }];
  }
  const { admin_host: host, admin_port: port } = config.server;
  const page = `http://${host}:${port}/health`;
  if (health === undefined) {
    return [
      {
        key,
        status: 'warn',
        text: `A bridge runs on the data folder, but not with these settings: ${page} does not answer.`,
        remedy: 'Check the settings that the service is started with (--config, --port), or restart it.',
      },
    ];
  }
  const troubles = health.checks.filter(({ status }) => status !== 'ok');
  const [first] = troubles;
  if (first === undefined) {
    return [
      {
        key,
        status: 'ok',
        text: `A bridge runs on the data folder (version ${health.version}), and is well.`,
      },
    ];
  }
  const more = troubles.length > 1 ? ` And ${troubles.length - 1} more.` : '';
  const status = health.status === 'fail' ? 'fail' : 'warn';
  return [{ key, status, text: `The bridge that runs says: ${first.text}${more}`, remedy: `See ${page}.` }];
}

function isHealth(value: unknown): value is HealthReport {
  return typeof value === 'object' && value !== null && 'checks' in value && Array.isArray(value.checks);
}
