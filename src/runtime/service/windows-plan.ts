import { win32 } from 'node:path';
import { OperatorFault } from '../../model/operator-fault.ts';
import type { InstallOptions, InstallPlan } from './service-manager.ts';
import { serviceWords, STOP_SECONDS, type ServiceSettings } from './service-settings.ts';
import type { Step } from './steps.ts';
import { batchCommandLine, windowsCommandLine } from './windows-words.ts';
import { winswFiles, winswXml } from './winsw-xml.ts';
import type { Wrapper } from './wrapper.ts';

/** After a fault Windows starts the service again after ten seconds, then a minute, then every five; a good day forgets. */
const RECOVERY = ['reset=', '86400', 'actions=', 'restart/10000/restart/60000/restart/300000'];

/** Known everywhere, whatever the language of Windows: SYSTEM and the administrators. */
const SYSTEM = '*S-1-5-18';
const ADMINISTRATORS = '*S-1-5-32-544';

/** Accounts that need no password. */
const BUILT_IN = new Map([
  ['localservice', 'NT AUTHORITY\\LocalService'],
  ['networkservice', 'NT AUTHORITY\\NetworkService'],
]);

export interface WindowsFacts {
  /** A service of that name is there already. */
  isInstalled: boolean;
  /** The data folder was made by somebody else, who decides who may read it. */
  hasDataFolder: boolean;
  /** What `net use` says. */
  netUse: string;
}

/** `record`: file in which the commands find the service's folders again. */
export function planWindowsInstall(
  service: ServiceSettings,
  wrapper: Wrapper,
  { account, start }: InstallOptions,
  facts: WindowsFacts,
  record: string,
): InstallPlan {
  const { name, dealer, dataFolder, configFile } = service;
  const [verb, display] = facts.isInstalled
    ? ['config', []]
    : ['create', ['DisplayName=', `dealer-bridge for ${dealer} (${name})`]];
  const login = ['obj=', accountName(account, name), 'password=', ''];
  const steps: Step[] = [
    ...wrapperFiles(service, wrapper),
    sc(
      verb,
      name,
      'binPath=',
      serviceCommandLine(service, wrapper),
      'start=',
      'delayed-auto',
      ...login,
      ...display,
    ),
    sc('description', name, 'Answers buyers’ agents about the inventory and brings their leads to the CRM.'),
    sc('failure', name, ...RECOVERY),
    // Also when the program ended by itself with a fault, not only when the wrapper died.
    sc('failureflag', name, '1'),
    // Rights are given to the service, whichever account it logs on with.
    sc('sidtype', name, 'unrestricted'),
    { do: 'make folder', path: dataFolder, mode: 0o700 },
  ];
  const self = `NT SERVICE\\${name}`;
  if (!facts.hasDataFolder) {
    steps.push(
      icacls(dataFolder, '/inheritance:r', '/grant:r', `${SYSTEM}:(OI)(CI)F`, `${ADMINISTRATORS}:(OI)(CI)F`),
    );
  }
  for (const folder of [dataFolder, ...service.writes.filter((path) => !isUnc(path))]) {
    steps.push(icacls(folder, '/grant', `${self}:(OI)(CI)M`));
  }
  steps.push(icacls(win32.dirname(configFile), '/grant', `${self}:(OI)(CI)RX`), {
    do: 'write',
    file: record,
    text: recordText(service),
    mode: 0o644,
  });
  // A running one goes on with its old command line until it is stopped; stopping one that is not is no fault here.
  if (start && facts.isInstalled) steps.push({ ...sc('stop', name), mayFail: true });
  if (start) steps.push(sc('start', name));
  return { steps, advice: [...mappedDrives(service, facts.netUse), ...shares(service, account)] };
}

/** The command line that Windows starts as the service. */
export function serviceCommandLine(service: ServiceSettings, wrapper: Wrapper): string {
  if (wrapper.kind === 'winsw') return windowsCommandLine([winswFiles(service).program]);
  const { name, dataFolder } = service;
  return batchCommandLine([
    wrapper.file,
    'run',
    '--name',
    name,
    '--stop-timeout',
    String(STOP_SECONDS * 1000),
    // Windows starts it again, and waits before it does (recovery actions).
    '--no-restart',
    '--kill-process-tree',
    '--log-dir',
    win32.join(dataFolder, 'logs', 'service'),
    '--log-cmd-as',
    `${name}-console`,
    '--cwd',
    dataFolder,
    '--',
    ...serviceWords(service),
  ]);
}

function wrapperFiles(service: ServiceSettings, wrapper: Wrapper): Step[] {
  if (wrapper.kind === 'shawl') return [];
  const { program, settings } = winswFiles(service);
  return [
    { do: 'copy', from: wrapper.file, to: program },
    { do: 'write', file: settings, text: winswXml(service), mode: 0o644 },
  ];
}

/** A name as sc.exe takes it. Throws for accounts that need a password, which belongs on no command line. */
export function accountName(account: string | undefined, serviceName: string): string {
  if (account === undefined) return `NT SERVICE\\${serviceName}`;
  const plain = account.toLowerCase().replace(/^nt authority\\/, '');
  const builtIn = BUILT_IN.get(plain);
  if (builtIn !== undefined) return builtIn;
  if (/^[^\\]+\\[^\\]+\$$/.test(account)) return account;
  throw new OperatorFault(
    `The account ${account} has a password, which does not belong on a command line. Install without --account, then ` +
      `open services.msc, the properties of the service, "Log On", and name account and password there. Without a ` +
      'password: LocalService, NetworkService, or a managed service account (DOMAIN\\name$).',
  );
}

/** A service has no drive letters of a person's; only what the account reaches by name. */
export function mappedDrives(
  { configFile, dataFolder, programFolder, reads, writes }: ServiceSettings,
  netUse: string,
): string[] {
  const drives = new Map(
    [...netUse.matchAll(/(?:^|\s)([A-Z]:)\s+(\\\\\S.*?)(?:\s{2,}|\s*$)/gim)].map(
      ([, drive = '', share = '']) => [drive.toUpperCase(), share],
    ),
  );
  return [programFolder, configFile, dataFolder, ...reads, ...writes].flatMap((path) => {
    const share = drives.get(path.slice(0, 2).toUpperCase());
    return share === undefined
      ? []
      : [
          `${path} is on a mapped drive, which a service does not see. Write ${share}${path.slice(2)} in its place.`,
        ];
  });
}

function shares({ reads, writes }: ServiceSettings, account: string | undefined): string[] {
  if (![...reads, ...writes].some(isUnc)) return [];
  return account?.toLowerCase().endsWith('localservice') === true
    ? [
        'LocalService reaches no share of another machine. Install without --account, or with a managed account.',
      ]
    : [
        'On shares of other machines the service is this computer’s account (DOMAIN\\COMPUTER$): give that one the rights.',
      ];
}

function isUnc(path: string): boolean {
  return /^[\\/]{2}/.test(path);
}

function recordText({ name, programFolder, configFile, dataFolder }: ServiceSettings): string {
  return `${JSON.stringify({ name, programFolder, configFile, dataFolder }, null, 2)}\r\n`;
}

function sc(...words: string[]): Extract<Step, { do: 'run' }> {
  return { do: 'run', words: ['sc.exe', ...words] };
}

function icacls(...words: string[]): Step {
  return { do: 'run', words: ['icacls.exe', ...words] };
}
