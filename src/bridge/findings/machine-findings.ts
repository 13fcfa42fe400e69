import type { AlertThresholds } from '../../config/config.ts';
import type { Finding } from '../../model/finding.ts';
import type { MachineHealth } from '../../web/health-report.ts';

const MEBIBYTE = 1024 * 1024;
/** What takes longer than this to begin, a buyer's agent notices. */
const SLOW_MS = 1000;

/** The databases, the disk, the log and the program itself. */
export function machineFindings(
  { databases, disk, log, event_loop: eventLoop }: MachineHealth,
  { disk_free_mb: leastFree }: Pick<AlertThresholds, 'disk_free_mb'>,
): Finding[] {
  return [
    database('leads', databases.leads),
    database('inventory', databases.inventory),
    ...(disk === undefined ? [] : diskFindings(disk.free_bytes / MEBIBYTE, leastFree)),
    log.fault === undefined
      ? { key: 'log', status: 'ok', text: 'The log is written.' }
      : {
          key: 'log',
          status: 'warn',
          text: `The log cannot be written (${log.fault}); lines are lost.`,
          remedy: 'Make room on the disk, and let this account write in the folder logs of the data folder.',
        },
    eventLoop.delay_max_ms < SLOW_MS
      ? { key: 'event-loop', status: 'ok', text: 'The program answers at once.' }
      : {
          key: 'event-loop',
          status: 'warn',
          text: `The program stood still for ${Math.round(eventLoop.delay_max_ms)} ms.`,
          remedy:
            'Look whether the machine is overloaded, sleeps at night, or a virus scanner reads the data folder.',
        },
  ];
}

function database(name: 'leads' | 'inventory', fault: string | undefined): Finding {
  const key = `database:${name}`;
  if (fault === undefined) return { key, status: 'ok', text: `The database ${name}.db answers.` };
  const remedy =
    name === 'leads'
      ? 'Stop the bridge, keep a copy of the file, and restore the last backup: dealer-bridge backup list'
      : 'Stop the bridge, move inventory.db away and start: it is made again from the next inventory files.';
  return { key, status: 'fail', text: `The database ${name}.db does not answer: ${fault}`, remedy };
}

/** The second one is told again when a person has not acted on the first. */
function diskFindings(freeMb: number, leastMb: number): Finding[] {
  const room = `The disk of the data folder has ${Math.floor(freeMb).toLocaleString('en-US')} MB free`;
  const remedy = 'Make room. A full disk takes no leads and no inventory files.';
  const leastOfAll = leastMb / 10;
  return [
    freeMb < leastMb
      ? { key: 'disk-low', status: 'warn', text: `${room}, less than ${leastMb}.`, remedy }
      : { key: 'disk-low', status: 'ok', text: `${room}.` },
    ...(freeMb < leastOfAll
      ? [{ key: 'disk-nearly-full', status: 'fail', text: `${room}: it is nearly full.`, remedy } as const]
      : []),
  ];
}
