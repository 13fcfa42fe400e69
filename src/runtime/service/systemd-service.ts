import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { once } from 'node:events';
import { OperatorFault } from '../../model/operator-fault.ts';
import type { InstallOptions, InstallPlan, ServiceManager, ServiceState } from './service-manager.ts';
import type { ServiceSettings } from './service-settings.ts';
import { runAndListen, type Step } from './steps.ts';
import { systemdUnit, UNIT_MARK } from './systemd-unit.ts';
import { systemdWord } from './systemd-words.ts';

export const UNIT_FOLDER = '/etc/systemd/system';
/** The first with credentials from files, and with all of the sandbox. */
const OLDEST_SYSTEMD = 247;
/** A service has its own, which nobody else sees. */
const PRIVATE_TO_THE_SERVICE = /^\/(?:var\/)?tmp(?:\/|$)/;

export const systemd: ServiceManager = {
  unfit: async () => {
    if (!existsSync('/run/systemd/system')) {
      return 'This machine was not started by systemd. docs/operating.md, "Without systemd", tells what to do instead.';
    }
    const version = Number(/^systemd (\d+)/.exec((await runAndListen('systemctl', ['--version'])).out)?.[1]);
    if (!(version >= OLDEST_SYSTEMD)) {
      return `This machine has systemd ${version}; ${OLDEST_SYSTEMD} is needed. docs/operating.md, "Without systemd", tells what to do instead.`;
    }
    return process.getuid?.() === 0
      ? undefined
      : 'Only root sets up services: run the same command with sudo.';
  },

  planInstall: async (service, options) => {
    const user = options.account ?? service.name;
    const hasUser = (await runAndListen('getent', ['passwd', user])).code === 0;
    return planSystemdInstall(service, options, hasUser);
  },

  planUninstall: (name) =>
    Promise.resolve([
      { do: 'run', words: ['systemctl', 'disable', '--now', `${name}.service`], mayFail: true },
      { do: 'remove', file: unitFile(name) },
      { do: 'run', words: ['systemctl', 'daemon-reload'] },
      { do: 'run', words: ['systemctl', 'reset-failed', `${name}.service`], mayFail: true },
    ]),

  planStart: (name) => [{ do: 'run', words: ['systemctl', 'start', `${name}.service`] }],
  planStop: (name) => [{ do: 'run', words: ['systemctl', 'stop', `${name}.service`] }],

  state: async (name) => {
    const { out } = await runAndListen('systemctl', [
      'show',
      `${name}.service`,
      '--property=LoadState,ActiveState,SubState,StatusText,ActiveEnterTimestamp,NRestarts,Result',
    ]);
    return describeUnitState(name, out);
  },

  printLogs: async (name, { lines, follow }) => {
    const words = ['--unit', `${name}.service`, '--lines', String(lines), '--no-pager'];
    const child = spawn('journalctl', follow ? [...words, '--follow'] : words, { stdio: 'inherit' });
    const [fault] = (await Promise.race([once(child, 'close'), once(child, 'error')])) as [unknown];
    if (fault instanceof Error) throw new OperatorFault('journalctl cannot be run here.', { cause: fault });
  },
};

/** `hasUser`: the account is there already. */
export function planSystemdInstall(
  service: ServiceSettings,
  { account, start }: InstallOptions,
  hasUser: boolean,
): InstallPlan {
  const { name, dataFolder, configFile } = service;
  const user = account ?? name;
  checkPlaces(service);
  if (account !== undefined && !hasUser)
    throw new OperatorFault(`There is no account ${account} on this machine.`);
  const isStateFolder = dataFolder === `/var/lib/${name}`;
  const steps: Step[] = [];
  if (!hasUser) {
    const home = ['--home-dir', dataFolder, '--no-create-home', '--shell', '/usr/sbin/nologin'];
    steps.push({ do: 'run', words: ['useradd', '--system', '--user-group', ...home, user] });
  }
  if (!isStateFolder) {
    steps.push(
      { do: 'make folder', path: dataFolder, mode: 0o750 },
      { do: 'run', words: ['chown', '-R', '-h', `${user}:${user}`, dataFolder] },
    );
  }
  steps.push(
    { do: 'share', file: configFile, group: user },
    { do: 'write', file: unitFile(name), text: systemdUnit(service, user), mode: 0o644 },
    { do: 'run', words: ['systemctl', 'daemon-reload'] },
    { do: 'run', words: ['systemctl', 'enable', `${name}.service`] },
  );
  // Starts it, too, where it does not run; where it does, with what has just been written.
  if (start) steps.push({ do: 'run', words: ['systemctl', 'restart', `${name}.service`] });
  return { steps, advice: adviceFor(service, user) };
}

function adviceFor({ writes, dataFolder }: ServiceSettings, user: string): string[] {
  const others = writes.map((folder) => `The account ${user} must be able to write ${folder}.`);
  return [
    ...others,
    `Whoever drops files into ${dataFolder}/inbox needs a right there: setfacl -m u:NAME:x ${dataFolder} ${dataFolder}/inbox, ` +
      `and setfacl -m u:NAME:rwx,d:u:${user}:rwx on the feed's folder.`,
  ];
}

/** What the service could not see, however it is set up. */
function checkPlaces({ programFolder, configFile, dataFolder }: ServiceSettings): void {
  for (const [what, path] of [
    ['program', programFolder],
    ['settings file', configFile],
    ['data folder', dataFolder],
  ]) {
    if (PRIVATE_TO_THE_SERVICE.test(String(path))) {
      throw new OperatorFault(
        `The ${what} must not lie in ${path}: a service has temporary folders of its own.`,
      );
    }
    if (/^\/root(?:\/|$)/.test(String(path))) {
      throw new OperatorFault(
        `The ${what} must not lie in /root, which only root may enter: put the program into /opt/dealer-bridge, ` +
          'settings into /etc/dealer-bridge.',
      );
    }
  }
}

function unitFile(name: string): string {
  return `${UNIT_FOLDER}/${name}.service`;
}

/** The service that a unit file of ours is for, when it runs the bridge of that data folder. */
export function serviceNameOf(fileName: string, text: string, dataFolder: string): string | undefined {
  const isOurs = text.startsWith(UNIT_MARK);
  const runsIt = text
    .split('\n')
    .some((line) => line.startsWith('ExecStart=') && line.endsWith(` --data ${systemdWord(dataFolder)}`));
  return isOurs && runsIt ? fileName.replace(/\.service$/, '') : undefined;
}

/** What `systemctl show` says, in a line. */
export function describeUnitState(name: string, properties: string): ServiceState {
  const has = new Map(
    properties.split('\n').map((line): [string, string] => {
      const at = line.indexOf('=');
      return [line.slice(0, at), line.slice(at + 1)];
    }),
  );
  const say = (key: string): string => has.get(key) ?? '';
  if (say('LoadState') !== 'loaded') {
    return { isInstalled: false, isRunning: false, text: `${name}: not installed as a service` };
  }
  const isRunning = say('ActiveState') === 'active';
  const restarts = Number(say('NRestarts'));
  const parts = [
    `${name}: ${isRunning ? 'running' : say('ActiveState')}`,
    isRunning ? `since ${say('ActiveEnterTimestamp')}` : `(${say('SubState')}, ${say('Result')})`,
    ...(say('StatusText') === '' ? [] : [`– ${say('StatusText')}`]),
    ...(restarts > 0 ? [`– started again ${restarts} times by itself; "service logs" tells why`] : []),
  ];
  return { isInstalled: true, isRunning, text: parts.join(' ') };
}
