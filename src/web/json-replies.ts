import type { ErrorRequestHandler, RequestHandler } from 'express';
import { shorten } from '../agent/shorten.ts';
import type { Log } from '../model/log.ts';

/** The last words of an express app: whatever was not served gets JSON, never a page with a stack on it. */

const MAX_TOLD_CHARACTERS = 100;

/** Names the whole path, also where a router has taken its part off. */
export const notFound: RequestHandler = ({ baseUrl, path }, response) => {
  const place = shorten(`${baseUrl}${path}`, MAX_TOLD_CHARACTERS);
  response.status(404).json({ error: { code: 'NOT_FOUND', message: `There is nothing at ${place}.` } });
};

export function methodNotAllowed(...allowed: readonly string[]): RequestHandler {
  const names = allowed.join(', ');
  return (_request, response) => {
    response.status(405).set('Allow', names);
    response.json({ error: { code: 'METHOD_NOT_ALLOWED', message: `Use ${names}.` } });
  };
}

export function answerFault(log: Log): ErrorRequestHandler {
  return (fault: unknown, request, response, next) => {
    if (response.headersSent) {
      next(fault);
      return;
    }
    const status = clientStatus(fault);
    if (status !== undefined) {
      response
        .status(status)
        .json({ error: { code: 'BAD_REQUEST', message: 'The request cannot be read.' } });
      return;
    }
    log.error({ err: fault, path: request.path }, 'request failed');
    response.status(500).json({ error: { code: 'INTERNAL_ERROR', message: 'Something went wrong.' } });
  };
}

/** Express marks faults of the sender, such as a path that cannot be decoded, with a status of the 400s. */
function clientStatus(fault: unknown): number | undefined {
  if (!(fault instanceof Error) || !('status' in fault)) return undefined;
  const { status } = fault;
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined;
}
