import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OperatorFault } from '../../model/operator-fault.ts';
import { disk } from '../../files/patient-files.ts';
import { syncFolder } from '../backup/durable-files.ts';
import { requireChecksum } from './archive-checksum.ts';
import { type Runner, proveStart, runnerOf, startService, stopAndLock } from './bridge-control.ts';
import { requireFittingVersion } from './check-version.ts';
import { goBack } from './going-back.ts';
import {
  installedVersions,
  launcherOf,
  readableByAll,
  removeVersion,
  switchTo,
  unfinishedFolder,
  versionFolder,
} from './installation.ts';
import { actingAs } from './owner.ts';
import { copyForTrial, dropTrialCopy } from './trial-copy.ts';
import { unpackArchive } from './unpack-archive.ts';
import { noteStep, readRecord, type UpgradeStep, writeRecord } from './upgrade-record.ts';
import type { UpgradeWork } from './upgrade-work.ts';
import { runVersion } from './version-process.ts';

/** Migrations of a large database take their time. */
const TRIAL_LIMIT_MS = 30 * 60_000;

export interface NewArchive {
  archive: string;
  sha256: string | undefined;
  mayBeOlder: boolean;
}

/**
 * Exchanges the current version for that of the archive. Until the switch nothing is changed that a start would see;
 * after it, a version that does not come up is exchanged back, with the databases as it needs them. Throws an
 * OperatorFault that says why, and what runs now. Call it with the installation locked; killed at any point it leaves
 * a version in `current` that starts.
 */
export async function runUpgrade(work: UpgradeWork, wanted: NewArchive): Promise<void> {
  const { installation, tell } = work;
  const from = installation.version;
  await requireChecksum(wanted.archive, wanted.sha256);
  tell('The archive is what was published.');
  const version = await readableByAll(() => unpack(work, wanted));
  const enter = (step: UpgradeStep): Promise<void> => enterStep(work, { from, to: version, step });
  try {
    await enter('trying');
    await tryOnCopy(work, version);
    tell(`${version} understands the settings and takes a copy of the databases over.`);
    await enter('backing up');
    tell(`Backup ${await actingAs(work.owner, () => work.backUp())} is made and verified.`);
  } catch (fault) {
    await removeVersion(installation, version);
    await forget(work, `${from} stays: ${textOf(fault)}`);
    throw fault;
  }
  const runner = runnerOf(work);
  await enter('stopping');
  const unlock = await stopAndLock(work, runner);
  try {
    await enter('switching');
    await switchTo(installation, version);
  } finally {
    unlock();
  }
  await enter('starting');
  const fault = await start(work, version, runner);
  if (fault !== undefined) {
    await goBack(work, { from, to: version, runner, mayLeaveLeads: true });
    throw new OperatorFault(
      `${version} does not run: ${fault}\n${from} is the current version again. ${hintFor(work, runner)}`,
    );
  }
  await finish(work, version);
  tell(`${version} is the current version. ${hintFor(work, runner)}`);
}

/** What a person has to do about the bridge now. */
export function hintFor({ installation, settings, dataFolder }: UpgradeWork, runner: Runner): string {
  if (runner === 'service') return 'The service runs.';
  const words = [launcherOf(installation), 'start', ...settings, '--data', dataFolder];
  return `Start the bridge, with "service start" or in a terminal: ${words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')}`;
}

/** Answers the version, which lies under its own name then. */
async function unpack({ installation }: UpgradeWork, { archive, mayBeOlder }: NewArchive): Promise<string> {
  const unfinished = unfinishedFolder(installation);
  await mkdir(dirname(unfinished), { recursive: true });
  try {
    const version = await unpackArchive(archive, unfinished);
    const folder = join(unfinished, version);
    await requireFittingVersion(folder, { version, installed: installation.version, mayBeOlder });
    // From an upgrade that failed or was cut off.
    await removeVersion(installation, version);
    await disk.rename(folder, versionFolder(installation, version));
    await syncFolder(dirname(unfinished));
    return version;
  } finally {
    await disk.removeTree(unfinished);
  }
}

async function tryOnCopy(work: UpgradeWork, version: string): Promise<void> {
  const { installation, dataFolder, settings, owner } = work;
  try {
    const copy = await actingAs(owner, () => copyForTrial(dataFolder));
    const words = ['try-data', ...settings, '--data', copy];
    // As ourselves: files with secrets may be root's alone, and the copy is thrown away.
    const command = { installation, version, words, owner: undefined };
    const { code, said } = await runVersion(command, TRIAL_LIMIT_MS);
    if (code === 0) return;
    throw new OperatorFault(
      `${version} was tried on a copy of the data and does not take it over:\n${said}\nNothing was changed.`,
    );
  } finally {
    await dropTrialCopy(dataFolder);
  }
}

async function start(work: UpgradeWork, version: string, runner: Runner): Promise<string | undefined> {
  if (runner === 'service') return startService(work, version);
  if (runner === 'by hand') return proveStart(work, version);
  return undefined;
}

async function enterStep(
  { installation }: UpgradeWork,
  about: { from: string; to: string; step: UpgradeStep },
): Promise<void> {
  const { done } = await readRecord(installation);
  await writeRecord(installation, { under_way: about, done });
  await noteStep(installation, `${about.from} to ${about.to}: ${about.step}`);
}

async function forget({ installation }: UpgradeWork, text: string): Promise<void> {
  const { done } = await readRecord(installation);
  await writeRecord(installation, { done });
  await noteStep(installation, text);
}

/** The version that was replaced stays, to go back to; older ones leave. */
async function finish({ installation }: UpgradeWork, version: string): Promise<void> {
  const from = installation.version;
  const { done } = await readRecord(installation);
  await writeRecord(installation, { done: [...done, { from, to: version, at: new Date().toISOString() }] });
  await noteStep(installation, `${version} is current`);
  for (const other of await installedVersions(installation)) {
    if (other !== version && other !== from) await removeVersion(installation, other);
  }
}

function textOf(fault: unknown): string {
  return fault instanceof Error ? fault.message : String(fault);
}
