import { createHash } from 'node:crypto';
import express from 'express';
import type { Router } from 'express';
import { readSchemaTexts } from '../agent/schemas.ts';
import { sendCached } from './cached-json.ts';
import { PREFLIGHT_HEADERS } from './headers.ts';
import { methodNotAllowed, notFound } from './json-replies.ts';

export const SCHEMAS_PATH = '/schemas/v1.3';

/** They change with the program only. */
const SCHEMA_MAX_AGE_S = 86_400;

/**
 * The AAP messages as we check them, for clients that cannot reach the published schemas: `error.schema.json` and so
 * on, which refer to each other by file name. Read once; no path of a request ever reaches the disk.
 */
export function schemaRoutes(): Router {
  const schemas = new Map(
    [...readSchemaTexts()].map(([name, body]) => [
      name,
      { body, etag: `"${createHash('sha256').update(body).digest('base64url')}"` },
    ]),
  );
  const router = express.Router({ caseSensitive: true });
  router
    .route('/:name')
    .get((request, response, next) => {
      const schema = schemas.get(request.params.name);
      if (schema === undefined) notFound(request, response, next);
      else sendCached(request, response, schema, SCHEMA_MAX_AGE_S);
    })
    .options((_request, response) => {
      response.status(204).set(PREFLIGHT_HEADERS).end();
    })
    .all(methodNotAllowed('GET', 'HEAD', 'OPTIONS'));
  return router;
}
