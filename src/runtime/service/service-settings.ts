/** One bridge as a service of the machine. All paths absolute. */
export interface ServiceSettings {
  /** What the service manager knows it by. */
  name: string;
  /** For people: whose bridge it is. */
  dealer: string;
  /** The words that run the program, before the command's own. */
  program: readonly string[];
  programFolder: string;
  configFile: string;
  dataFolder: string;
  /** Where it reads, beside its program and its settings: certificates, profiles, adapters. */
  reads: readonly string[];
  /** Folders that it writes, beside its data folder: inboxes, pick-up folders, second places of backups. */
  writes: readonly string[];
  /** Files that the settings take secrets from. */
  secretFiles: readonly string[];
  /** It listens on a port that only a privileged program may have. */
  needsLowPort: boolean;
}

/** The command line of the service, word by word. */
export function serviceWords({ program, configFile, dataFolder }: ServiceSettings): string[] {
  return [...program, 'start', '--config', configFile, '--data', dataFolder];
}

/** Names that systemd, Windows, a user account and a file all take. */
export function isServiceName(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,30}$/.test(name) && !name.endsWith('-');
}

/** How long a service manager waits for the bridge to end before it ends it, which loses nothing either. */
export const STOP_SECONDS = 30;
