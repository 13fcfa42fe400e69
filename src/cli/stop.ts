import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Command } from 'commander';
import { OperatorFault } from '../model/operator-fault.ts';
import { isBridgeRunning } from '../runtime/data-folder-lock.ts';
import { STOP_SECONDS } from '../runtime/service/service-settings.ts';
import { askToStop, forgetStopFile } from '../runtime/stop-file.ts';

const LOOK_MS = 100;

export function addStopCommand(program: Command): void {
  program
    .command('stop')
    .summary('stop a bridge that runs in another window')
    .description(
      'Stops the bridge of a data folder as Ctrl-C in its own window would: it answers what was asked, ends the ' +
        'delivery under way, and ends. A service is stopped with "service stop", or it is started again.',
    )
    .option('--data <folder>', 'its data folder', 'data')
    .action(async ({ data }: { data: string }) => {
      const folder = resolve(data);
      if (!isBridgeRunning(folder)) {
        console.log(`No bridge runs on ${folder}.`);
        return;
      }
      askToStop(folder);
      await untilStopped(folder);
      console.log('The bridge has stopped.');
    });
}

async function untilStopped(folder: string): Promise<void> {
  const end = Date.now() + STOP_SECONDS * 1000;
  while (isBridgeRunning(folder)) {
    if (Date.now() >= end) {
      forgetStopFile(folder);
      throw new OperatorFault(
        `The bridge has not stopped within ${STOP_SECONDS} seconds; its log may tell why.`,
      );
    }
    await wait(LOOK_MS);
  }
}
