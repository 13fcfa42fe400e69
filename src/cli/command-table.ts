import type { Command } from 'commander';

/** Loads the file of a command, and answers what adds it to its parent. */
export type CommandFile = () => Promise<(parent: Command) => void>;

export interface CommandGroup {
  summary: string;
  description: string;
  examples?: string;
  /** A command of the group is called `help` itself; the commands are explained by --help. */
  hasOwnHelp?: true;
  commands: Readonly<Record<string, CommandFile>>;
}

/** Every command by its word, in the order of the help. */
export const COMMANDS: Readonly<Record<string, CommandFile | CommandGroup>> = {
  start: async () => (await import('./start.ts')).addStartCommand,
  stop: async () => (await import('./stop.ts')).addStopCommand,
  check: async () => (await import('./check.ts')).addCheckCommand,
  doctor: async () => (await import('./doctor.ts')).addDoctorCommand,
  feed: {
    summary: 'try out and take in inventory files',
    description: 'Inventory files: see what the bridge makes of one, or take one in by hand.',
    commands: {
      suggest: async () => (await import('./feed-suggest.ts')).addFeedSuggestCommand,
      preview: async () => (await import('./feed-preview.ts')).addFeedPreviewCommand,
      run: async () => (await import('./feed-run.ts')).addFeedRunCommand,
      fetch: async () => (await import('./feed-fetch.ts')).addFeedFetchCommand,
      runs: async () => (await import('./feed-runs.ts')).addFeedRunsCommand,
      release: async () => (await import('./feed-release.ts')).addFeedReleaseCommand,
      discard: async () => (await import('./feed-discard.ts')).addFeedDiscardCommand,
      forget: async () => (await import('./feed-forget.ts')).addFeedForgetCommand,
      explain: async () => (await import('./feed-explain.ts')).addFeedExplainCommand,
    },
  },
  lead: {
    summary: 'see a lead as the CRM will get it',
    description: 'One lead, as a trial: see what the CRM would get, without sending anything.',
    commands: {
      preview: async () => (await import('./lead-preview.ts')).addLeadPreviewCommand,
    },
  },
  leads: {
    summary: 'look up leads and their deliveries',
    description:
      'The leads that have come in: list them, look at one, send again, cancel, export, erase customers.',
    commands: {
      list: async () => (await import('./leads-list.ts')).addLeadsListCommand,
      show: async () => (await import('./leads-show.ts')).addLeadsShowCommand,
      resend: async () => (await import('./leads-resend.ts')).addLeadsResendCommand,
      cancel: async () => (await import('./leads-cancel.ts')).addLeadsCancelCommand,
      replay: async () => (await import('./leads-replay.ts')).addLeadsReplayCommand,
      export: async () => (await import('./leads-export.ts')).addLeadsExportCommand,
      purge: async () => (await import('./leads-purge.ts')).addLeadsPurgeCommand,
      'erase-due': async () => (await import('./leads-erase-due.ts')).addLeadsEraseDueCommand,
      audit: async () => (await import('./leads-audit.ts')).addLeadsAuditCommand,
    },
  },
  backup: {
    summary: 'back up and restore leads, inventory and settings',
    description:
      'Backups of the databases, the settings and your own adapters. A running bridge makes one each night; these ' +
      'commands make, list, check and restore them.',
    commands: {
      now: async () => (await import('./backup-now.ts')).addBackupNowCommand,
      list: async () => (await import('./backup-list.ts')).addBackupListCommand,
      verify: async () => (await import('./backup-verify.ts')).addBackupVerifyCommand,
      restore: async () => (await import('./backup-restore.ts')).addBackupRestoreCommand,
      'new-key': async () => (await import('./backup-new-key.ts')).addBackupNewKeyCommand,
    },
  },
  service: {
    summary: 'run the bridge as a service of this machine',
    description:
      'The bridge as a service of systemd or of Windows: it starts with the machine and again after a fault. ' +
      'docs/operating.md and docs/windows.md tell what to prepare.',
    commands: {
      install: async () => (await import('./service-install.ts')).addServiceInstallCommand,
      uninstall: async () => (await import('./service-uninstall.ts')).addServiceUninstallCommand,
      status: async () => (await import('./service-status.ts')).addServiceStatusCommand,
      start: async () => (await import('./service-start.ts')).addServiceStartCommand,
      stop: async () => (await import('./service-stop.ts')).addServiceStopCommand,
      logs: async () => (await import('./service-logs.ts')).addServiceLogsCommand,
    },
  },
  adapter: {
    summary: 'write, check and look up adapters',
    description:
      'Adapters: how a CRM gets its leads, how a file is read. docs/adapters.md shows how to write one.',
    hasOwnHelp: true,
    commands: {
      new: async () => (await import('./adapter-new.ts')).addAdapterNewCommand,
      test: async () => (await import('./adapter-test.ts')).addAdapterTestCommand,
      list: async () => (await import('./adapter-list.ts')).addAdapterListCommand,
      help: async () => (await import('./adapter-help.ts')).addAdapterHelpCommand,
    },
  },
  destination: {
    summary: 'try out the way to the CRM',
    description: 'The places that leads go to: see whether one works before a customer depends on it.',
    commands: {
      test: async () => (await import('./destination-test.ts')).addDestinationTestCommand,
    },
  },
  alerts: {
    summary: 'try out who is told when something is wrong',
    description: 'The ways on which a person is told: see whether a message arrives before one is needed.',
    commands: {
      test: async () => (await import('./alerts-test.ts')).addAlertsTestCommand,
    },
  },
  ask: {
    summary: 'ask a dealer’s agent, as a buyer’s agent would',
    description:
      'Asks the agent of a dealer over the Auto Agent Protocol 1.3: the running bridge of the settings, or with --url ' +
      'any other.',
    examples: `
Examples:
  dealer-bridge ask info
  dealer-bridge ask search --make Honda --price-max 30000 --sort price
  dealer-bridge ask vehicle 1HGCY2F57RA000001 --url https://dealer.example
  dealer-bridge ask conform --url https://dealer.example`,
    commands: {
      info: async () => (await import('./ask-info.ts')).addAskInfoCommand,
      facets: async () => (await import('./ask-facets.ts')).addAskFacetsCommand,
      search: async () => (await import('./ask-search.ts')).addAskSearchCommand,
      vehicle: async () => (await import('./ask-vehicle.ts')).addAskVehicleCommand,
      lead: async () => (await import('./ask-lead.ts')).addAskLeadCommand,
      conform: async () => (await import('./ask-conform.ts')).addAskConformCommand,
    },
  },
  mcp: async () => (await import('./mcp.ts')).addMcpCommand,
  token: {
    summary: 'who may call with a token',
    description: 'Bearer tokens of buyers’ agents: make one, list them, take one back.',
    commands: {
      new: async () => (await import('./token-new.ts')).addTokenNewCommand,
      list: async () => (await import('./token-list.ts')).addTokenListCommand,
      revoke: async () => (await import('./token-revoke.ts')).addTokenRevokeCommand,
    },
  },
  upgrade: async () => (await import('./upgrade.ts')).addUpgradeCommand,
  'try-data': async () => (await import('./try-data.ts')).addTryDataCommand,
};
