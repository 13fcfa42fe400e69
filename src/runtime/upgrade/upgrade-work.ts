import type { Installation } from './installation.ts';
import type { Owner } from './owner.ts';

/** The service manager that runs the bridge. */
interface BridgeService {
  /** Starting may wait until the bridge serves, or for as long as it does not. */
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** What an upgrade works on, and what of it other rooms know how to do. */
export interface UpgradeWork {
  installation: Installation;
  dataFolder: string;
  /** `--config FILE`, with an absolute path. */
  settings: readonly string[];
  /** Of the admin port, such as `http://127.0.0.1:8081`. */
  adminOrigin: string;
  /** Undefined where the bridge is run by hand or by something that we do not know. */
  service: BridgeService | undefined;
  /** Of the data folder, when we are root and it is another's. */
  owner: Owner | undefined;
  readyLimitMs: number;
  /** For the person at the terminal. */
  tell: (text: string) => void;
  /** Answers the name of a backup that has been checked; throws where there is none. */
  backUp: () => Promise<string>;
  /**
   * Brings databases that a newer version has written back to the form of this one, and tells what it did. Called with
   * the bridge stopped and the data folder locked; can be called again when it was cut off.
   */
  bringDatabasesBack: (options: { mayLeaveLeads: boolean }) => Promise<void>;
}
