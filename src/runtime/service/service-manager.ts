import type { ServiceSettings } from './service-settings.ts';
import type { Step } from './steps.ts';

export interface InstallOptions {
  /** The account that the service runs as; left out: one of its own, without any right that it does not need. */
  account?: string;
  /** Whether it is started at once. */
  start: boolean;
}

/** What is done, and what the person who asked should know of it. */
export interface InstallPlan {
  steps: Step[];
  advice: string[];
}

export interface ServiceState {
  isInstalled: boolean;
  isRunning: boolean;
  /** For a person, one line. */
  text: string;
}

/** What a system's service manager can do for us: systemd, or Windows with a wrapper. */
export interface ServiceManager {
  /** Why no service can be set up here, by this account, and what to do about it; undefined when one can. */
  unfit(): Promise<string | undefined>;
  /** Also for a service that is there already. Throws an OperatorFault where it can not be. */
  planInstall(service: ServiceSettings, options: InstallOptions): Promise<InstallPlan>;
  /** Settings and data stay. */
  planUninstall(name: string): Promise<Step[]>;
  planStart(name: string): Step[];
  /** Resolved steps mean that the bridge has ended. */
  planStop(name: string): Step[];
  state(name: string): Promise<ServiceState>;
  /** Prints the last lines that the service said, and goes on with new ones when asked to. */
  printLogs(name: string, options: { lines: number; follow: boolean }): Promise<void>;
}
