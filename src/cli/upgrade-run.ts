import { resolve } from 'node:path';
import { BACKUP_CHECKS } from '../bridge/backup-checks.ts';
import { backupPlan } from '../bridge/backup-plan.ts';
import type { Config } from '../config/config.ts';
import { OperatorFault } from '../model/operator-fault.ts';
import { runBackup } from '../runtime/backup/run-backup.ts';
import { runnerOf } from '../runtime/upgrade/bridge-control.ts';
import { goBack } from '../runtime/upgrade/going-back.ts';
import {
  currentVersion,
  findInstallation,
  type Installation,
  installedVersions,
  launcherOf,
} from '../runtime/upgrade/installation.ts';
import { runningServiceOf } from '../runtime/service/find-service.ts';
import { otherOwner } from '../runtime/upgrade/owner.ts';
import { hintFor, runUpgrade } from '../runtime/upgrade/run-upgrade.ts';
import { lockInstallation } from '../runtime/upgrade/upgrade-lock.ts';
import { noteStep, readRecord, versionBefore, writeRecord } from '../runtime/upgrade/upgrade-record.ts';
import type { UpgradeWork } from '../runtime/upgrade/upgrade-work.ts';
import { continueAs } from '../runtime/upgrade/version-process.ts';
import { CommandStopped } from './command-stopped.ts';
import { loadConfigOrExit } from './config-options.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { stop } from './held-run.ts';
import { bringDatabasesBack } from './upgrade-databases.ts';
import type { UpgradeOptions } from './upgrade-options.ts';

export async function upgradeTo(archive: string | undefined, options: UpgradeOptions): Promise<void> {
  if (archive === undefined) stop('Name the archive of the other version, or --rollback.');
  const installation = ownInstallation();
  const config = await loadConfigOrExit(options);
  if (options.yes !== true) {
    stop(
      `This would move ${installation.folder} from ${installation.version} to the version in ${archive}, for the data ` +
        `folder ${config.data_folder}, and restart the bridge. Nothing was changed. Add --yes to do it.`,
    );
  }
  const work = await workOf(installation, config, options);
  await withInstallation(installation, async () => {
    await tellWhatWasCutOff(installation, work.tell);
    const { sha256, allowDowngrade: mayBeOlder = false } = options;
    await runUpgrade(work, { archive, sha256, mayBeOlder });
  });
}

/** Done by the version that is gone back to: see `goBack`. */
export async function rollBack(options: UpgradeOptions): Promise<void> {
  const installation = ownInstallation();
  const current = currentVersion(installation);
  const record = await readRecord(installation);
  const cutOff = record.under_way?.step === 'going back' ? record.under_way : undefined;
  const to = cutOff?.to ?? current;
  const from = cutOff?.from ?? versionBefore(current, record, await installedVersions(installation));
  if (from === undefined) return stop(`There is no version before ${current} in ${installation.folder}.`);
  if (options.yes !== true) {
    stop(`This would go back from ${to} to ${from}. Nothing was changed. Add --yes to do it.`);
  }
  if (installation.version !== from) {
    const code = await continueAs({ installation, version: from, words: rollbackWords(options) });
    if (code !== 0) throw new CommandStopped(code);
    return;
  }
  const work = await workOf(installation, await loadConfigOrExit(options), options);
  await withInstallation(installation, async () => {
    const runner = runnerOf(work);
    await goBack(work, { from, to, runner, mayLeaveLeads: options.leaveLeads === true });
    work.tell(`${from} is the current version again. ${hintFor(work, runner)}`);
  });
}

function rollbackWords(options: UpgradeOptions): string[] {
  return [
    'upgrade',
    '--rollback',
    '--yes',
    ...settingsWords(options),
    ...(options.data === undefined ? [] : ['--data', resolve(options.data)]),
    ...(options.leaveLeads === true ? ['--leave-leads'] : []),
    '--ready-seconds',
    String(options.readySeconds),
  ];
}

function settingsWords({ config }: UpgradeOptions): string[] {
  return ['--config', resolve(config)];
}

function ownInstallation(): Installation {
  const installation = findInstallation();
  if (installation !== undefined) return installation;
  throw new OperatorFault(
    'This program is no unpacked package, so there are no versions to move between. A clone is updated with git and npm.',
  );
}

async function withInstallation(installation: Installation, work: () => Promise<void>): Promise<void> {
  const unlock = lockInstallation(installation);
  try {
    await work();
  } catch (fault) {
    if (!(fault instanceof OperatorFault)) throw fault;
    await noteStep(installation, fault.message);
    console.error(fault.message);
    throw new CommandStopped(EXIT_CODES.problems);
  } finally {
    unlock();
  }
}

/** Whatever other step it was: a version in `current` is a whole one, so there is nothing to mend, only to tell. */
async function tellWhatWasCutOff(installation: Installation, tell: (text: string) => void): Promise<void> {
  const { under_way: cutOff, done } = await readRecord(installation);
  const current = currentVersion(installation);
  if (current !== installation.version) {
    throw new OperatorFault(
      `This is version ${installation.version}, and ${current} is the current one. Use ${launcherOf(installation)}.`,
    );
  }
  if (cutOff === undefined) return;
  if (cutOff.step === 'going back' && current !== cutOff.from) {
    throw new OperatorFault(
      `Going back from ${cutOff.to} to ${cutOff.from} was cut off. End it first: upgrade --rollback --yes`,
    );
  }
  tell(
    `The upgrade from ${cutOff.from} to ${cutOff.to} was cut off (${cutOff.step}); ${current} is current.`,
  );
  const { from, to } = cutOff;
  const wasSwitched = current === to;
  await writeRecord(installation, {
    done: wasSwitched ? [...done, { from, to, at: new Date().toISOString() }] : done,
  });
}

async function workOf(
  installation: Installation,
  config: Config,
  options: UpgradeOptions,
): Promise<UpgradeWork> {
  const { admin_host: host, admin_port: port } = config.server;
  if (port === 0) {
    throw new OperatorFault(
      'server.admin_port is 0, any free one: an upgrade must know where to ask. Set a port.',
    );
  }
  const tell = (text: string): void => console.log(text);
  return {
    installation,
    dataFolder: config.data_folder,
    settings: settingsWords(options),
    adminOrigin: `http://${reachable(host)}:${port}`,
    service: await runningServiceOf(config.data_folder),
    owner: await otherOwner(config.data_folder),
    readyLimitMs: options.readySeconds * 1000,
    tell,
    backUp: () => backUp(config, installation.version),
    bringDatabasesBack: (how) => bringDatabasesBack(config, tell, how),
  };
}

async function backUp(config: Config, version: string): Promise<string> {
  const plan = await backupPlan(config, version);
  const { manifest, failure, copyFailure } = await runBackup(plan, BACKUP_CHECKS, 'before an upgrade');
  if (failure !== undefined) throw new OperatorFault(`${failure.reason} Nothing was changed.`);
  // The one here holds, and the second place is told by alerts; it is no reason to stay with an old version.
  if (copyFailure !== undefined) console.error(copyFailure.reason);
  return manifest?.name ?? '';
}

/** Where a program of this machine finds what listens on `host`. */
function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
