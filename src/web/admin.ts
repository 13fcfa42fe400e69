import express from 'express';
import type { Log } from '../model/log.ts';
import { SAFE_HEADERS } from './headers.ts';
import { createListener } from './http-listener.ts';
import type { Listener } from './http-listener.ts';
import { answerFault, methodNotAllowed, notFound } from './json-replies.ts';

/** How the bridge is, for the dealer's monitoring. Holds no customer data. */
export interface HealthReport {
  /** True once the lot is built and the public server listens; false again while stopping. */
  ready: boolean;
  version: string;
  /** RFC 3339. */
  started_at: string;
  lot: {
    vehicles: number;
    /** Grows with every change of the lot. */
    version: number;
    rooftops: RooftopHealth[];
  };
  feeds: {
    /** Files that wait for a person to release or discard them: how many, and which, the oldest first. */
    held_runs: number;
    held: HeldRunHealth[];
    /** Ids of feeds that have brought no good file for longer than expected. */
    overdue: string[];
    /** The feeds whose files the bridge fetches. */
    sources: SourceHealth[];
    /** Inbox folders that cannot be looked into, such as a network share that is gone. */
    unreachable_folders: { feed_id: string; since: string; reason: string }[];
  };
  leads: {
    /** Deliveries that wait for their next attempt. */
    queued: number;
    /** Deliveries of which nobody knows whether the CRM has them. */
    uncertain: number;
    /** Deliveries that were given up. */
    dead: number;
    /** Ids of destinations that refuse us as such, such as our password: a person must look. */
    paused_destinations: string[];
  };
}

interface HeldRunHealth {
  run_id: string;
  feed_id: string;
  /** RFC 3339. */
  since: string;
  reason: string;
}

/** Times are RFC 3339; absent when it never happened. */
export interface SourceHealth {
  feed_id: string;
  /** False while the last look failed. */
  ok: boolean;
  last_success?: string;
  last_failure?: { at: string; reason: string };
  next_look?: string;
}

interface RooftopHealth {
  rooftop_id: string;
  vehicles: number;
  /** When the dealer last confirmed its listings, RFC 3339; absent when never. */
  confirmed_at?: string;
}

/** For the dealer's own network, on a port of its own: the public server tells nothing of this. */
export function createAdminServer(health: () => HealthReport | Promise<HealthReport>, log: Log): Listener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use((_request, response, next) => {
    response.set({ ...SAFE_HEADERS, 'Cache-Control': 'no-store' });
    next();
  });
  app.get('/health/live', (_request, response) => {
    response.json({ live: true });
  });
  app.get('/health/ready', async (_request, response) => {
    const { ready } = await health();
    response.status(ready ? 200 : 503).json({ ready });
  });
  app.get('/health', async (_request, response) => {
    response.json(await health());
  });
  app.all(['/health', '/health/live', '/health/ready'], methodNotAllowed('GET', 'HEAD'));
  app.use(notFound);
  app.use(answerFault(log));
  return createListener(app, log);
}
