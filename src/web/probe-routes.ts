import { Router } from 'express';
import { methodNotAllowed } from './json-replies.ts';
import { LIVE, readyStatus, type Readiness } from './probes.ts';

/**
 * For load balancers and proxies in front: whether the program lives, and whether it can answer. How the dealer's
 * feeds and leads are is nobody's business here; the admin port tells that.
 */
export function probeRoutes(readiness: () => Readiness | Promise<Readiness>): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.use((_request, response, next) => {
    response.set('Cache-Control', 'no-store');
    next();
  });
  router.get('/live', (_request, response) => {
    response.json(LIVE);
  });
  router.get('/ready', async (_request, response) => {
    const answer = await readiness();
    response.status(readyStatus(answer)).json(answer);
  });
  router.get('/', async (_request, response) => {
    const answer = await readiness();
    response.status(readyStatus(answer)).json({ status: answer.ready ? 'ok' : 'unavailable' });
  });
  router.all(['/', '/live', '/ready'], methodNotAllowed('GET', 'HEAD'));
  return router;
}
