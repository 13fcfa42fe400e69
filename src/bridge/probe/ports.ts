import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Config } from '../../config/config.ts';
import type { Finding } from '../../model/finding.ts';
import { OperatorFault } from '../../model/operator-fault.ts';
import { listenOn } from '../listen.ts';
import { askLocally } from './local-server.ts';
import type { Running } from './running.ts';

/** Whether the ports of the settings can be had, or are those of the bridge that runs. */
export async function portFindings({ server }: Config, { isRunning }: Running): Promise<Finding[]> {
  const { host, port, admin_host: adminHost, admin_port: adminPort } = server;
  const ports = [
    { key: 'port:public', setting: '', host, port, isSecure: server.tls !== undefined },
    { key: 'port:admin', setting: 'admin_', host: adminHost, port: adminPort, isSecure: false },
  ] as const;
  const found = await Promise.all(
    ports.map(async (wanted): Promise<Finding> => {
      const { key } = wanted;
      const refusal = await whyNotListening(wanted);
      if (refusal === undefined)
        return { key, status: 'ok', text: `Port ${wanted.port} on ${wanted.host} is free.` };
      const answer = isRunning ? await askLocally(wanted, '/health/live') : undefined;
      if (answer !== undefined) {
        return {
          key,
          status: 'ok',
          text: `Port ${wanted.port} on ${wanted.host} is that of the bridge that runs.`,
        };
      }
      const remedy = `Change server.${wanted.setting}port or server.${wanted.setting}host, or stop what holds it.`;
      return { key, status: 'fail', text: refusal, remedy };
    }),
  );
  return found;
}

/** Listens for an instant. */
async function whyNotListening(wanted: {
  setting: '' | 'admin_';
  host: string;
  port: number;
}): Promise<string | undefined> {
  const server = createServer();
  try {
    await listenOn(wanted, async () => {
      server.listen({ host: wanted.host, port: wanted.port, exclusive: true });
      await once(server, 'listening');
    });
    return undefined;
  } catch (fault) {
    if (fault instanceof OperatorFault) return fault.message;
    return `Port ${wanted.port} (server.${wanted.setting}port): ${fault instanceof Error ? fault.message : String(fault)}`;
  } finally {
    server.close();
  }
}
