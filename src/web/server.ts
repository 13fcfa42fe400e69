import express from 'express';
import type { Express } from 'express';
import type { Agent } from '../agent/agent.ts';
import type { Card } from '../agent/card.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../model/clock.ts';
import { networkFinder } from '../model/ip-network.ts';
import type { Log } from '../model/log.ts';
import { A2A_PATH, createA2aRoute } from './a2a-route.ts';
import { sendCached } from './cached-json.ts';
import { callerFinder } from './caller.ts';
import { CallCounts } from './call-counts.ts';
import { Certificate } from './certificate.ts';
import type { CertificateStatus } from './certificate.ts';
import { PREFLIGHT_HEADERS, SAFE_HEADERS } from './headers.ts';
import { createListener } from './http-listener.ts';
import type { Listener } from './http-listener.ts';
import { answerFault, methodNotAllowed, notFound } from './json-replies.ts';
import { createMcpGuard } from './mcp-guard.ts';
import { createMcpRoute, MCP_PATH } from './mcp-route.ts';
import { probeRoutes } from './probe-routes.ts';
import type { Readiness } from './probes.ts';
import { publicUrl } from './public-url.ts';
import { readTarget } from './request-target.ts';
import { SCHEMAS_PATH, schemaRoutes } from './schema-routes.ts';

const CARD_PATH = '/.well-known/agent-card.json';
const HEALTH_PATH = '/health';

const CARD_MAX_AGE_S = 300;

/** What buyers' agents see: the endpoint and the card. */
export interface PublicServer extends Listener {
  listen(port: number, host: string): Promise<{ port: number; publicUrl: string }>;
  /** How the certificate is; undefined without one of our own. */
  tls(): CertificateStatus | undefined;
}

/** What the bridge around it wants to know, and knows. */
export interface ServerWatch {
  calls: { a2a: CallCounts; mcp: CallCounts };
  readiness: () => Readiness | Promise<Readiness>;
}

/**
 * Throws an `OperatorFault` when the certificate cannot be used. A server that nobody watches counts for itself and is
 * ready as long as it listens.
 */
export function createPublicServer(
  agent: Agent,
  config: Config,
  log: Log,
  { calls, readiness }: ServerWatch = {
    calls: { a2a: new CallCounts(), mcp: new CallCounts() },
    readiness: () => ({ ready: true }),
  },
): PublicServer {
  // The card names the port, which is known only once the server listens.
  let ownUrl = publicUrl(config.server, config.server.port);
  let card = agent.card(ownUrl);
  const app = createApp(() => card, readiness, log);
  const { limits, tls } = config.server;
  const proxies = networkFinder(config.server.trusted_proxies);
  const callerOf = callerFinder(proxies, config.server.proxy_header);
  const answerA2a = createA2aRoute(agent, callerOf, config.server.body_limit_bytes, log, calls.a2a);
  const answerMcp =
    agent.mcp === undefined
      ? app
      : createMcpRoute({
          face: agent.mcp,
          door: agent.door,
          guard: createMcpGuard(config.mcp, config.server, () => ownUrl),
          callerOf,
          bodyLimitBytes: config.server.body_limit_bytes,
          log,
          calls: calls.mcp,
        });
  const certificate = tls === undefined ? undefined : new Certificate(tls, systemClock, log);
  const listener = createListener(
    (request, response) => {
      const { path } = readTarget(request.url ?? '');
      if (path === A2A_PATH) answerA2a(request, response);
      else if (path === MCP_PATH) answerMcp(request, response);
      else app(request, response);
    },
    log,
    { limits, certificate, isProxy: proxies },
  );
  return {
    tls: () => certificate?.status(),
    listen: async (port, host) => {
      const bound = await listener.listen(port, host);
      ownUrl = publicUrl(config.server, bound.port);
      card = agent.card(ownUrl);
      certificate?.keepFresh();
      return { ...bound, publicUrl: ownUrl };
    },
    close: async () => {
      await certificate?.stop();
      await listener.close();
    },
  };
}

function createApp(card: () => Card, readiness: ServerWatch['readiness'], log: Log): Express {
  const app = express();
  app.disable('x-powered-by');
  // The card carries its own entity tag.
  app.disable('etag');
  app.set('case sensitive routing', true);
  app.use((_request, response, next) => {
    response.set(SAFE_HEADERS);
    next();
  });
  app
    .route(CARD_PATH)
    .get((request, response) => {
      sendCached(request, response, card(), CARD_MAX_AGE_S);
    })
    .options((_request, response) => {
      response.status(204).set(PREFLIGHT_HEADERS).end();
    })
    .all(methodNotAllowed('GET', 'HEAD', 'OPTIONS'));
  app.use(SCHEMAS_PATH, schemaRoutes());
  app.use(HEALTH_PATH, probeRoutes(readiness));
  app.use(notFound);
  app.use(answerFault(log));
  return app;
}
