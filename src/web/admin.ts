import { hostname } from 'node:os';
import express from 'express';
import type { RequestHandler } from 'express';
import type { ServerLimits } from '../config/config.ts';
import type { Log } from '../model/log.ts';
import type { CertificateStatus } from './certificate.ts';
import { SAFE_HEADERS } from './headers.ts';
import { createListener } from './http-listener.ts';
import { isNeverRebound, hostNameOf } from './host-name.ts';
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
    held: UntakenRunHealth[];
    /** Feeds whose newest file was refused as a whole, or discarded: the lot is still that of the file before. */
    refused: UntakenRunHealth[];
    /** Ids of feeds that have brought no good file for longer than expected. */
    overdue: string[];
    /** The feeds whose files the bridge fetches. */
    sources: SourceHealth[];
    /** Inbox folders that cannot be looked into, such as a network share that is gone. */
    unreachable_folders: { feed_id: string; since: string; reason: string }[];
  };
  /** How the door to the internet is. */
  access: {
    /** Tokens that are known, expired ones included. */
    tokens: number;
    /** Why the last good state of the token file is in use instead of the file. */
    tokens_file_fault?: string;
    /** Of the certificate, where the bridge speaks https itself. */
    tls?: CertificateStatus;
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
    /** Ids of destinations to which leads cross a network in the clear, because the settings say so. */
    unencrypted_destinations: string[];
  };
}

export interface UntakenRunHealth {
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

export interface RooftopHealth {
  rooftop_id: string;
  vehicles: number;
  /** When its last good file confirmed listings, RFC 3339, and how long ago that is; absent when never. */
  confirmed_at?: string;
  age_seconds?: number;
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
  health: () => HealthReport | Promise<HealthReport>,
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
