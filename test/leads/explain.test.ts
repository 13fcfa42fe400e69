import { expect, it } from 'vitest';
import type { AttemptOutcome } from '../../src/adapters/crm-adapter.ts';
import { explain } from '../../src/leads/delivery/explain.ts';

const mail = (outcome: Partial<Extract<AttemptOutcome, { kind: 'email' }>>): AttemptOutcome => ({
  kind: 'email',
  sent: 'no',
  stage: 'envelope',
  ...outcome,
});
const http = (outcome: Partial<Extract<AttemptOutcome, { kind: 'http' }>>): AttemptOutcome => ({
  kind: 'http',
  sent: 'yes',
  ...outcome,
});

it.each<[AttemptOutcome, RegExp, RegExp]>([
  [
    mail({
      stage: 'auth',
      code: 535,
      response: '535 5.7.139 Authentication unsuccessful, basic authentication is disabled.',
    }),
    /Microsoft 365 refuses logins by password/,
    /smtp\.oauth2/,
  ],
  [
    mail({ code: 530, response: '530 5.7.57 Client not authenticated to send mail' }),
    /wants a login/,
    /smtp\.user/,
  ],
  [
    mail({ stage: 'auth', code: 535, response: '535-5.7.8 Username and Password not accepted' }),
    /does not accept the login/,
    /password/,
  ],
  [
    mail({
      stage: 'data',
      sent: 'yes',
      code: 550,
      response: '550 5.7.60 SMTP; not allowed to send as this sender',
    }),
    /name of this sender/,
    /from\.address/,
  ],
  [mail({ code: 550, response: '550 5.7.1 Relaying denied' }), /no mail for other domains/, /relay/],
  [mail({ code: 550, response: '550 5.1.1 User unknown' }), /no mailbox/, /letter by letter/],
  [mail({ code: 530, response: '530 5.7.0 Authentication required' }), /after a login/, /smtp\.password/],
  [
    mail({ error: 'Message size larger than allowed 1000' }),
    /larger than the server takes/,
    /comments_limit/,
  ],
  [
    mail({ code: 552, response: '552 5.3.4 Message size exceeds fixed limit' }),
    /larger than the server takes/,
    /limit/,
  ],
  [mail({ code: 552, response: '552 5.2.2 over quota' }), /mailbox .* full/, /room/],
  [
    mail({ stage: 'data', sent: 'yes', code: 550, response: '550 5.7.26 Unauthenticated email: SPF' }),
    /does not believe/,
    /SPF/,
  ],
  [
    mail({ code: 554, response: '554 5.7.1 blocked using zen.spamhaus.org' }),
    /internet address/,
    /your provider/,
  ],
  [mail({ code: 450, response: '450 4.2.0 Greylisted' }), /second time/, /Nothing/],
  [mail({ stage: 'tls', error: 'Error upgrading connection with STARTTLS' }), /no encryption/, /587/],
  [
    mail({
      stage: 'token',
      error: 'no access token, the token server answered 401 invalid_client: AADSTS7000215',
    }),
    /client secret/,
    /new client secret/,
  ],
  [
    mail({ stage: 'connect', error: 'getaddrinfo ENOTFOUND smpt.example.com' }),
    /No machine of that name/,
    /spelling/,
  ],
  [mail({ stage: 'connect', error: 'connect ECONNREFUSED 127.0.0.1:25' }), /nothing listens/, /587/],
  [mail({ stage: 'connect', error: 'Connection timeout' }), /in time/, /port/],
  [http({ sent: 'no', stage: 'tls', error: 'certificate has expired' }), /expired/, /clock/],
  [
    http({ sent: 'no', stage: 'tls', error: 'self-signed certificate' }),
    /Nobody that this machine trusts/,
    /smtp\.ca .* tls\.ca/,
  ],
  [
    http({ sent: 'no', stage: 'tls', error: "Hostname/IP does not match certificate's altnames" }),
    /another name/,
    /host/,
  ],
  [
    http({ sent: 'no', stage: 'proxy', error: 'the proxy answered 407' }),
    /proxy wants a login/,
    /proxy\.user/,
  ],
  [http({ status: 401 }), /login or token/, /auth/],
  [http({ status: 403 }), /forbids/, /address/],
  [http({ status: 301 }), /another address/, /url/],
  [http({ status: 304 }), /not modified/, /cache/],
  [http({ status: 404 }), /nothing at this address/, /url/],
  [http({ status: 415 }), /type of content/, /content_type/],
  [http({ status: 200 }), /answer\.rules/, /rule is wrong/],
  [http({ sent: 'maybe', error: 'no answer within 30000 ms' }), /in time/, /timeout_seconds/],
  [http({ sent: 'maybe', error: 'other side closed' }), /hung up/, /tls\.cert/],
  [
    { kind: 'sftp', sent: 'no', stage: 'connect', error: 'the server shows the key SHA256:x, not' },
    /another key/,
    /host_key/,
  ],
  [
    { kind: 'sftp', sent: 'no', stage: 'auth', error: 'All configured authentication methods failed' },
    /does not accept the login/,
    /public half/,
  ],
  [{ kind: 'sftp', sent: 'no', stage: 'upload', error: 'No such file' }, /folder is not there/, /folder/],
  [{ kind: 'file', sent: 'no', error: 'EACCES: permission denied' }, /may not write/, /right/],
  [{ kind: 'file', sent: 'no', error: 'ENOSPC: no space left on device' }, /disk is full/, /room/],
])('%j', (outcome, means, remedy) => {
  const explanation = explain(outcome);
  expect(explanation?.means).toMatch(means);
  expect(explanation?.remedy).toMatch(remedy);
});
