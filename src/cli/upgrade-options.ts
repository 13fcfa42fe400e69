import type { ConfigOptions } from './config-options.ts';

export interface UpgradeOptions extends ConfigOptions {
  yes?: boolean;
  sha256?: string;
  allowDowngrade?: boolean;
  rollback?: boolean;
  leaveLeads?: boolean;
  readySeconds: number;
}
