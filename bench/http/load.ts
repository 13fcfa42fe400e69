import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { LoadOrder, LoadResult } from './load-client.ts';
import type { MeasuredProcess } from './measured-process.ts';

/** What a server did under load. */
export interface ServedLoad extends LoadResult {
  perSecond: number;
  /** Processor time of the server for one request, all its threads together, in microseconds. */
  cpuMicros: number;
  /** The same of the main thread alone. */
  mainThreadMicros: number;
  /** The longest that the server's main thread kept its event loop waiting. */
  longestBlockMs: number;
}

export interface LoadClient {
  run(server: MeasuredProcess, order: Omit<LoadOrder, 'port'>): Promise<ServedLoad>;
  stop(): void;
}

export function startLoadClient(): LoadClient {
  const child: ChildProcess = fork(fileURLToPath(new URL('load-client.ts', import.meta.url)));
  return {
    run: async (server, order) => {
      const before = await server.look();
      const answer = once(child, 'message');
      child.send({ ...order, port: server.port } satisfies LoadOrder);
      const [result] = (await answer) as [LoadResult | { fault: string }];
      if ('fault' in result) throw new Error(result.fault);
      const after = await server.look();
      return {
        ...result,
        perSecond: result.requests / result.seconds,
        cpuMicros: ((after.cpuMs - before.cpuMs) * 1_000) / result.requests,
        longestBlockMs: after.longestBlockMs,
        mainThreadMicros: ((after.mainThreadMs - before.mainThreadMs) * 1_000) / result.requests,
      };
    },
    stop: () => child.disconnect(),
  };
}

/** A POST of this JSON as an agent sends it. */
export function postText(path: string, body: string): string {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Content-Type: application/json',
    'A2A-Version: 1.0',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** A SendMessage call with this payload. */
export function callText(skill: string, payload: object): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 'bench-1',
    method: 'SendMessage',
    params: {
      message: {
        messageId: '01HZ9F4M7C0X3K5RN8B3WJTW2P',
        role: 'ROLE_USER',
        parts: [
          {
            data: { type: `${skill}.request`, ...payload },
            mediaType: `application/vnd.autoagent.${skill.replace('.', '-')}-request+json`,
          },
        ],
      },
    },
  });
}
