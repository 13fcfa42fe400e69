import { expect, it, onTestFinished } from 'vitest';
import { BridgeProcess } from '../e2e/bridge-process.ts';
import { writeDealership } from '../e2e/dealership.ts';

it.skipIf(process.platform === 'win32')(
  'SIGUSR1 opens no debugger, SIGUSR2 ends nothing, and SIGQUIT stops politely',
  async () => {
    const configFile = writeDealership('    - { id: crm, adapter: adf-file, options: { folder: out } }');
    const bridge = new BridgeProcess({ configFile });
    onTestFinished(() => bridge.dispose());
    await bridge.start();
    bridge.signal('SIGUSR1');
    bridge.signal('SIGUSR2');
    expect((await fetch(`${bridge.adminUrl}/health`)).status).toBe(200);
    expect(await bridge.stop('SIGQUIT')).toBe(0);
    expect(bridge.output).not.toContain('Debugger listening');
    expect(await bridge.log()).toContain('"msg":"the bridge has stopped"');
  },
);
