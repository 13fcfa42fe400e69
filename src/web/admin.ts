import { hostname } from 'node:os';
import express from 'express';
import type { RequestHandler } from 'express';
import type { ServerLimits } from '../config/config.ts';
import type { Log } from '../model/log.ts';
import { SAFE_HEADERS } from './headers.ts';
import type { HealthReport } from './health-report.ts';
import { createListener } from './http-listener.ts';
import { isNeverRebound, hostNameOf } from './host-name.ts';
import type { Listener } from './http-listener.ts';
import { answerFault, methodNotAllowed, notFound } from './json-replies.ts';
import { LIVE, readyStatus, type Readiness } from './probes.ts';

/** What the admin port shows. */
export interface AdminPages {
  health: () => HealthReport | Promise<HealthReport>;
  readiness: () => Readiness | Promise<Readiness>;
  /** In the text format of Prometheus. */
  metrics: () => Promise<string>;
}

/** The dealer's own monitoring needs no more. */
const ADMIN_LIMITS: ServerLimits = {
  max_header_bytes: 16_384,
  max_headers: 100,
  max_connections: 200,
  max_connections_per_client: 200,
  max_requests_per_connection: 1000,
  max_pipelined_requests: 32,
  header_timeout_seconds: 10,
  request_timeout_seconds: 30,
  keep_alive_seconds: 15,
  idle_timeout_seconds: 60,
};

/**
 * For the dealer's own network, on a port of its own: the public server tells nothing of this. `adminHost` is what
 * the settings make it listen on.
 */
export function createAdminServer(
  { health, readiness, metrics }: AdminPages,
  adminHost: string,
  log: Log,
): Listener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_request, response, next) => {
    response.set({ ...SAFE_HEADERS, 'Cache-Control': 'no-store' });
    next();
  });
  app.use(refuseForeignNames([adminHost.toLowerCase(), hostname().toLowerCase()]));
  app.get('/health/live', (_request, response) => {
    response.json(LIVE);
  });
  app.get('/health/ready', async (_request, response) => {
    const answer = await readiness();
    response.status(readyStatus(answer)).json(answer);
  });
  app.get('/health', async (_request, response) => {
    response.json(await health());
  });
  app.get('/metrics', async (_request, response) => {
    response.type('text/plain; version=0.0.4; charset=utf-8').send(await metrics());
  });
  app.all(['/health', '/health/live', '/health/ready', '/metrics'], methodNotAllowed('GET', 'HEAD'));
  app.use(notFound);
  app.use(answerFault(log));
  return createListener(app, log, { limits: ADMIN_LIMITS, isProxy: () => false });
}

/**
 * A page can make its own name point at this machine (DNS rebinding) and read what stands here in the browser of
 * somebody who works at the dealer's; its requests carry that name as Host. Programs that are no browser may send none.
 */
function refuseForeignNames(ownNames: readonly string[]): RequestHandler {
  return ({ headers: { host } }, response, next) => {
    if (host === undefined) {
      next();
      return;
    }
    const name = hostNameOf(host);
    if (name !== undefined && (isNeverRebound(name) || ownNames.includes(name))) {
      next();
      return;
    }
    // No name of ours is told to whoever has none.
    const message = 'Nothing is served under this host name. Use the IP address, or the name in admin_host.';
    response.status(403).json({ error: { code: 'FOREIGN_HOST', message } });
  };
}
