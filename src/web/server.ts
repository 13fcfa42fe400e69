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
import type { Listener, RequestHandler } from './http-listener.ts';
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
  /**
   * Calls that come from now on are answered by this agent and these settings; calls under way by those before. What
   * the listener is made of stays: host, port, limits and certificate.
   */
  change(agent: Agent, config: Config): void;
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
  const { limits, tls } = config.server;
  // The card names the port, which is known only once the server listens.
  let port = config.server.port;
  let faces = facesOf(agent, config);
  let current = { agent, config };

  function facesOf(servedAgent: Agent, { server, mcp }: Config): Faces {
    const ownUrl = publicUrl(server, port);
    const card = servedAgent.card(ownUrl);
    const isProxy = networkFinder(server.trusted_proxies);
    const callerOf = callerFinder(isProxy, server.proxy_header);
    const bodyLimitBytes = server.body_limit_bytes;
    const app = createApp(() => card, readiness, log);
    return {
      ownUrl,
      isProxy,
      app,
      a2a: createA2aRoute(servedAgent, callerOf, bodyLimitBytes, log, calls.a2a),
      mcp:
        servedAgent.mcp === undefined
          ? app
          : createMcpRoute({
              face: servedAgent.mcp,
              door: servedAgent.door,
              guard: createMcpGuard(mcp, server, () => ownUrl),
              callerOf,
              bodyLimitBytes,
              log,
              calls: calls.mcp,
            }),
    };
  }

  const certificate = tls === undefined ? undefined : new Certificate(tls, systemClock, log);
  const listener = createListener(
    (request, response) => {
      const { path } = readTarget(request.url ?? '');
      if (path === A2A_PATH) faces.a2a(request, response);
      else if (path === MCP_PATH) faces.mcp(request, response);
      else faces.app(request, response);
    },
    log,
    { limits, certificate, isProxy: (address) => faces.isProxy(address) },
  );
  return {
    tls: () => certificate?.status(),
    change: (changedAgent, changedConfig) => {
      faces = facesOf(changedAgent, changedConfig);
      current = { agent: changedAgent, config: changedConfig };
    },
    listen: async (wantedPort, host) => {
      const bound = await listener.listen(wantedPort, host);
      port = bound.port;
      faces = facesOf(current.agent, current.config);
      certificate?.keepFresh();
      return { ...bound, publicUrl: faces.ownUrl };
    },
    close: async () => {
      await certificate?.stop();
      await listener.close();
    },
  };
}

/** What answers, as of the settings in use. */
interface Faces {
  ownUrl: string;
  isProxy: (address: string) => boolean;
  app: RequestHandler;
  a2a: RequestHandler;
  mcp: RequestHandler;
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
