/** The whole bridge with the demo dealership, run with --expose-gc by the fuzz test, which asks it for its heap. */
import { startBridge } from '../../src/bridge.ts';
import { loadConfig } from '../../src/config/load.ts';

export type FuzzBridgeMessage =
  | { kind: 'serves'; url: string }
  /** `heapBytes` after garbage was collected; `pollution`: what every object has got from somewhere. */
  | { kind: 'state'; heapBytes: number; pollution: string[] };

const [configFile = '', dataFolder = ''] = process.argv.slice(2);
const loaded = await loadConfig({
  file: configFile,
  environment: process.env,
  dataFolder,
  port: 0,
  adminPort: 0,
});
if (!loaded.ok) throw new Error(JSON.stringify(loaded.problems));
const bridge = await startBridge(loaded.value);

const tell = (message: FuzzBridgeMessage): void => void process.send?.(message);

process.on('message', () => {
  // What the first collection frees may hold on to more.
  for (let round = 0; round < 3; round++) globalThis.gc?.();
  tell({
    kind: 'state',
    heapBytes: process.memoryUsage().heapUsed,
    pollution: Object.keys(Object.prototype),
  });
});
tell({ kind: 'serves', url: /Agent endpoint\s+(http\S+)/.exec(bridge.describe())?.[1] ?? '' });
await bridge.stopped;
process.disconnect();
