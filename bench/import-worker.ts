import { parentPort, workerData } from 'node:worker_threads';
import { lotTransferList } from '../src/inventory/lot/lot-data.ts';
import { prepareImport } from './feed-import.ts';

/** Takes one file in beside a main thread that serves, and hands the lot over. */
const { file, profile, dataFolder } = workerData as { file: string; profile: string; dataFolder: string };
const takeIn = await prepareImport(file, profile, dataFolder);
const { lot } = await takeIn();
parentPort?.postMessage(lot, lotTransferList(lot));
