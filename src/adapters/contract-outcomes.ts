import type { AttemptOutcome } from './crm-adapter.ts';

/** Answers every adapter must be able to judge, even those its own transport never gives. */
export const ATTEMPT_OUTCOMES: readonly AttemptOutcome[] = [
  { kind: 'email', sent: 'yes', code: 250, response: '250 2.0.0 Ok: queued as 4XyZ', stage: 'done' },
  { kind: 'email', sent: 'no', code: 451, response: '451 4.3.0 Try again later', stage: 'envelope' },
  { kind: 'email', sent: 'no', code: 550, response: '550 5.1.1 No such user', stage: 'envelope' },
  { kind: 'email', sent: 'no', code: 535, response: '535 5.7.8 Bad credentials', stage: 'auth' },
  { kind: 'email', sent: 'no', error: 'certificate has expired', stage: 'tls' },
  { kind: 'email', sent: 'no', error: 'ECONNREFUSED', stage: 'connect' },
  { kind: 'email', sent: 'maybe', error: 'connection lost', stage: 'data' },
  { kind: 'http', sent: 'yes', status: 200, headers: {}, body: '{"id":"42"}' },
  { kind: 'http', sent: 'yes', status: 204, headers: {} },
  { kind: 'http', sent: 'yes', status: 302, headers: { location: 'https://crm.example/login' } },
  { kind: 'http', sent: 'yes', status: 400, headers: {}, body: '<html>Bad Request</html>' },
  { kind: 'http', sent: 'yes', status: 401, headers: {} },
  { kind: 'http', sent: 'yes', status: 409, headers: {} },
  { kind: 'http', sent: 'yes', status: 429, headers: { 'retry-after': '120' } },
  { kind: 'http', sent: 'yes', status: 429, headers: { 'retry-after': 'soon' } },
  { kind: 'http', sent: 'yes', status: 500, headers: {}, body: '' },
  { kind: 'http', sent: 'maybe', error: 'headers timeout' },
  { kind: 'http', sent: 'no', error: 'ENOTFOUND' },
  { kind: 'file', sent: 'yes', path: '/leads/lead.xml' },
  { kind: 'file', sent: 'no', error: 'ENOSPC' },
];
