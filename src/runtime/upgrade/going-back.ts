import { OperatorFault } from '../../model/operator-fault.ts';
import { type Runner, startService, stopAndLock } from './bridge-control.ts';
import { switchTo } from './installation.ts';
import { actingAs } from './owner.ts';
import { noteStep, readRecord, writeRecord } from './upgrade-record.ts';
import type { UpgradeWork } from './upgrade-work.ts';

/**
 * Makes `from` current again in place of `to`. Always done by the program of `from`: it alone knows which form of the
 * databases it can read. They come first and the switch last, so that whenever this is cut off the version in
 * `current` can still start, and this can be run again.
 */
export async function goBack(
  work: UpgradeWork,
  about: { from: string; to: string; runner: Runner; mayLeaveLeads: boolean },
): Promise<void> {
  const { installation } = work;
  const { from, to, runner, mayLeaveLeads } = about;
  const { done } = await readRecord(installation);
  await writeRecord(installation, { under_way: { from, to, step: 'going back' }, done });
  await noteStep(installation, `${from} to ${to}: going back`);
  const unlock = await stopAndLock(work, runner);
  try {
    await actingAs(work.owner, () => work.bringDatabasesBack({ mayLeaveLeads }));
    await switchTo(installation, from);
  } finally {
    unlock();
  }
  await writeRecord(installation, { done });
  await noteStep(installation, `${from} is current again`);
  if (runner !== 'service') return;
  const fault = await startService(work, from);
  if (fault !== undefined) throw new OperatorFault(`${from} is the current version again, but ${fault}`);
}
