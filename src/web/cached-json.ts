import type { Request, Response } from 'express';
import { namesEntityTag } from './entity-tag.ts';
import { CROSS_ORIGIN_HEADERS } from './headers.ts';

/** A document that stays the same for a while and is open to everybody. */
interface CachedJson {
  /** JSON text. */
  body: string;
  /** Strong entity tag, quotes included. */
  etag: string;
}

/** The document, or 304 for those who have it already. */
export function sendCached(
  request: Request,
  response: Response,
  { body, etag }: CachedJson,
  maxAgeSeconds: number,
): void {
  response.set({
    ...CROSS_ORIGIN_HEADERS,
    'Cache-Control': `public, max-age=${maxAgeSeconds}`,
    ETag: etag,
  });
  if (namesEntityTag(request.get('If-None-Match'), etag)) response.status(304).end();
  else response.type('application/json').send(body);
}
