import type { AttemptOutcome } from '../crm-adapter.ts';

/** Answers that a CRM, or something between, has given or could give. Every adapter must be able to judge each. */
export const TRIAL_OUTCOMES: readonly AttemptOutcome[] = [
  { kind: 'email', sent: 'yes', code: 250, response: '250 2.0.0 Ok: queued as 4XyZ', stage: 'done' },
  { kind: 'email', sent: 'yes', stage: 'done' },
  { kind: 'email', sent: 'no', code: 421, response: '421 4.3.2 closing', stage: 'connect' },
  { kind: 'email', sent: 'no', code: 451, response: '451 4.3.0 Try again later', stage: 'envelope' },
  { kind: 'email', sent: 'no', code: 452, response: '452-4.2.2 full\r\n452 4.2.2 later', stage: 'data' },
  { kind: 'email', sent: 'no', code: 550, response: '550 5.1.1 No such user', stage: 'envelope' },
  { kind: 'email', sent: 'no', code: 554, response: '554 5.7.1 spam', stage: 'data' },
  { kind: 'email', sent: 'no', code: 535, response: '535 5.7.8 Bad credentials', stage: 'auth' },
  { kind: 'email', sent: 'no', error: 'invalid_client', stage: 'token', needsPerson: true },
  { kind: 'email', sent: 'no', error: 'certificate has expired', stage: 'tls', needsPerson: true },
  { kind: 'email', sent: 'no', error: 'ECONNREFUSED', stage: 'connect' },
  { kind: 'email', sent: 'no', stage: 'auth' },
  { kind: 'email', sent: 'maybe', error: 'connection lost', stage: 'data' },
  ...[100, 200, 201, 202, 204, 206, 299].map((status) => answered(status, '{"id":"42"}')),
  ...bodies().map((body) => answered(200, body)),
  { kind: 'http', sent: 'yes', status: 204, headers: {} },
  { kind: 'http', sent: 'yes', status: 200, headers: {}, body: '{"id":', error: 'the answer broke off' },
  { kind: 'http', sent: 'yes', status: 302, headers: { location: 'https://crm.example/login' } },
  ...[300, 304, 307, 308, 400, 401, 402, 403, 404, 405, 407, 408, 409, 410, 413, 415, 418, 422, 425, 429].map(
    (status) => answered(status, '<html>no</html>'),
  ),
  { kind: 'http', sent: 'yes', status: 401 },
  { kind: 'http', sent: 'yes', status: 429, headers: { 'retry-after': '120' } },
  { kind: 'http', sent: 'yes', status: 429, headers: { 'retry-after': 'soon' } },
  { kind: 'http', sent: 'yes', status: 503, headers: { 'retry-after': '-1' } },
  { kind: 'http', sent: 'yes', status: 503, headers: { 'retry-after': '9'.repeat(400) } },
  ...[500, 501, 502, 503, 504, 507, 599, 999].map((status) => answered(status, '')),
  { kind: 'http', sent: 'yes', headers: {} },
  { kind: 'http', sent: 'maybe', error: 'headers timeout' },
  { kind: 'http', sent: 'maybe' },
  { kind: 'http', sent: 'no', error: 'ENOTFOUND' },
  { kind: 'http', sent: 'no', error: 'invalid_client', stage: 'token', needsPerson: true },
  { kind: 'http', sent: 'no', error: 'certificate has expired', stage: 'tls', needsPerson: true },
  { kind: 'file', sent: 'yes', path: '/leads/lead.xml' },
  { kind: 'file', sent: 'no', error: 'ENOSPC' },
  { kind: 'file', sent: 'no' },
  { kind: 'sftp', sent: 'yes', path: 'in/lead.xml', stage: 'done' },
  { kind: 'sftp', sent: 'no', error: 'connection refused', stage: 'connect' },
  { kind: 'sftp', sent: 'no', error: 'All methods failed', stage: 'auth', needsPerson: true },
  { kind: 'sftp', sent: 'no', error: 'no space', stage: 'upload' },
  { kind: 'sftp', sent: 'maybe', error: 'connection lost', stage: 'rename' },
];

function answered(status: number, body: string): AttemptOutcome {
  return { kind: 'http', sent: 'yes', status, headers: {}, body };
}

/** What stands where an adapter expects its CRM's answer. */
function bodies(): string[] {
  return [
    '',
    '{',
    'null',
    '42',
    '[]',
    '{}',
    '"text"',
    '{"id":null,"status":null,"error":null,"errors":null,"data":null,"result":null}',
    '{"id":{},"status":[],"error":7,"errors":7,"data":7,"result":7,"success":7}',
    '{"__proto__":{"ok":true},"constructor":1}',
    '<html><body>Please log in</body></html>',
    '<?xml version="1.0"?><response><status>ok',
    '\u0000\ufffd\ud800',
    '['.repeat(60_000),
    'a'.repeat(64 * 1024),
    ' '.repeat(64 * 1024),
  ];
}
