import express from 'express';
import type { Express } from 'express';
import type { Agent } from '../agent/agent.ts';
import type { Card } from '../agent/card.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../model/log.ts';
import { A2A_PATH, createA2aRoute } from './a2a-route.ts';
import { namesEntityTag } from './entity-tag.ts';
import { CROSS_ORIGIN_HEADERS, PREFLIGHT_HEADERS, SAFE_HEADERS } from './headers.ts';
import { createListener } from './http-listener.ts';
import type { Listener } from './http-listener.ts';
import { answerFault, methodNotAllowed, notFound } from './json-replies.ts';
import { publicUrl } from './public-url.ts';
import { readTarget } from './request-target.ts';

const CARD_PATH = '/.well-known/agent-card.json';

const CARD_MAX_AGE_S = 300;

/** What buyers' agents see: the endpoint and the card. */
export interface PublicServer extends Listener {
  listen(port: number, host: string): Promise<{ port: number; publicUrl: string }>;
}

export function createPublicServer(agent: Agent, config: Config, log: Log): PublicServer {
  // The card names the port, which is known only once the server listens.
  let card = agent.card(publicUrl(config.server, config.server.port));
  const app = createApp(() => card, log);
  const answerA2a = createA2aRoute(agent, config.server.body_limit_bytes, log);
  const listener = createListener((request, response) => {
    if (readTarget(request.url ?? '').path === A2A_PATH) answerA2a(request, response);
    else app(request, response);
  }, log);
  return {
    listen: async (port, host) => {
      const bound = await listener.listen(port, host);
      const url = publicUrl(config.server, bound.port);
      card = agent.card(url);
      return { ...bound, publicUrl: url };
    },
    close: () => listener.close(),
  };
}

function createApp(card: () => Card, log: Log): Express {
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
      const { body, etag } = card();
      response.set({
        ...CROSS_ORIGIN_HEADERS,
        'Cache-Control': `public, max-age=${CARD_MAX_AGE_S}`,
        ETag: etag,
      });
      if (namesEntityTag(request.get('If-None-Match'), etag)) response.status(304).end();
      else response.type('application/json').send(body);
    })
    .options((_request, response) => {
      response.status(204).set(PREFLIGHT_HEADERS).end();
    })
    .all(methodNotAllowed('GET', 'HEAD', 'OPTIONS'));
  app.use(notFound);
  app.use(answerFault(log));
  return app;
}
