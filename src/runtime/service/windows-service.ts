import { existsSync, readFileSync } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { win32 } from 'node:path';
import { OperatorFault } from '../../model/operator-fault.ts';
import { logFilesAmong } from '../log-file-names.ts';
import type { ServiceManager, ServiceState } from './service-manager.ts';
import { runAndListen, type Step } from './steps.ts';
import { planWindowsInstall } from './windows-plan.ts';
import { chooseWrapper } from './wrapper.ts';

/** Windows' number of the state in which nothing is wanted. */
const DOES_NOT_EXIST = 1060;

export const windowsServices: ServiceManager = {
  unfit: async () => {
    // Answers only those who are asked "Do you want to allow this app to make changes" or need not be.
    const isElevated = (await runAndListen('fltmc.exe', [])).code === 0;
    return isElevated
      ? undefined
      : 'Only administrators set up services: right-click "Terminal" or "Command Prompt", "Run as administrator", and run the same command there.';
  },

  planInstall: async (service, options) => {
    const wrapper = await chooseWrapper(service.programFolder, process.env.PATH);
    const facts = {
      isInstalled: (await windowsServices.state(service.name)).isInstalled,
      hasDataFolder: existsSync(service.dataFolder),
      netUse: (await runAndListen('net.exe', ['use'])).out,
    };
    return planWindowsInstall(service, wrapper, options, facts, recordFile(service.name));
  },

  planUninstall: async (name) => {
    const { isRunning } = await windowsServices.state(name);
    const end: Step[] = isRunning ? windowsServices.planStop(name) : [];
    return [...end, sc('delete', name), { do: 'remove', file: recordFile(name) }];
  },

  planStart: (name) => [sc('start', name)],
  // sc.exe only asks for it; net.exe waits until it has happened.
  planStop: (name) => [{ do: 'run', words: ['net.exe', 'stop', name] }],

  state: async (name) => {
    const { code, out } = await runAndListen('sc.exe', ['query', name]);
    return describeWindowsState(name, code, out);
  },

  printLogs: async (name, { lines, follow }) => {
    if (follow)
      throw new OperatorFault(
        'On Windows: Get-Content -Wait -Tail 20 FILE, with the file named by "service logs".',
      );
    const folder = win32.join(dataFolderOf(name), 'logs');
    const newest = logFilesAmong(await readdir(folder)).at(-1);
    const consoles = win32.join(folder, 'service');
    for (const file of [newest && win32.join(folder, newest), ...(await newestIn(consoles))]) {
      if (file !== undefined)
        process.stdout.write(`${file}\n${lastLines(await readFile(file, 'utf8'), lines)}\n\n`);
    }
  },
};

/** What `sc.exe query` says. The words before the numbers are in the language of Windows, the states are not. */
export function describeWindowsState(name: string, code: number, out: string): ServiceState {
  const state =
    /:\s*[1-7]\s+(STOPPED|START_PENDING|STOP_PENDING|RUNNING|CONTINUE_PENDING|PAUSE_PENDING|PAUSED)/.exec(
      out,
    )?.[1];
  if (code === DOES_NOT_EXIST || state === undefined) {
    return { isInstalled: false, isRunning: false, text: `${name}: not installed as a service` };
  }
  const exit = /SERVICE_EXIT_CODE\s*:\s*(\d+)/.exec(out)?.[1] ?? '0';
  const why = state === 'STOPPED' && exit !== '0' ? `; it ended with ${exit}, "service logs" tells why` : '';
  const isRunning = state === 'RUNNING';
  return { isInstalled: true, isRunning, text: `${name}: ${state.toLowerCase().replace('_', ' ')}${why}` };
}

/** Where "service install" keeps what the other commands need to know. */
export const RECORD_FOLDER = win32.join(
  process.env.ProgramData ?? 'C:\\ProgramData',
  'dealer-bridge',
  'services',
);

function recordFile(name: string): string {
  return win32.join(RECORD_FOLDER, `${name}.json`);
}

/** The service of a record, when it runs the bridge of that data folder. */
export function recordedService(_fileName: string, text: string, dataFolder: string): string | undefined {
  const record = JSON.parse(text) as { name: string; dataFolder: string };
  return record.dataFolder.toLowerCase() === dataFolder.toLowerCase() ? record.name : undefined;
}

function dataFolderOf(name: string): string {
  const file = recordFile(name);
  if (!existsSync(file)) throw new OperatorFault(`${name} was not installed as a service by this program.`);
  return (JSON.parse(readFileSync(file, 'utf8')) as { dataFolder: string }).dataFolder;
}

function lastLines(text: string, lines: number): string {
  return text.trimEnd().split(/\r?\n/).slice(-lines).join('\n');
}

/** What the wrapper and the console said: faults that came before the log was open. */
async function newestIn(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const names = (await readdir(folder)).filter((name) => /\.log$/i.test(name));
  const dated = await Promise.all(
    names.map(async (name) => ({
      file: win32.join(folder, name),
      at: (await stat(win32.join(folder, name))).mtimeMs,
    })),
  );
  return dated
    .sort((one, other) => other.at - one.at)
    .slice(0, 2)
    .map(({ file }) => file);
}

function sc(...words: string[]): Step {
  return { do: 'run', words: ['sc.exe', ...words] };
}
