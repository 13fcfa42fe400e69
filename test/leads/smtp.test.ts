import { generateKeyPairSync, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { EmailDelivery, SmtpServer } from '../../src/adapters/crm-adapter.ts';
import { composeMail } from '../../src/leads/delivery/compose-mail.ts';
import { deliverMail } from '../../src/leads/delivery/smtp.ts';
import { LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from '../feeds-sources/loopback-certificate.ts';
import { closedPort, readMail, startSmtp, startSocket, startTokenServer } from './crm-servers.ts';
import { smtpServerAt } from './lead-harness.ts';

function mail(
  port: number,
  changes: Partial<EmailDelivery> = {},
  server: Partial<SmtpServer> = {},
): EmailDelivery {
  return {
    kind: 'email',
    server: smtpServerAt(port, server),
    from: { name: 'Dealer Bridge', address: 'bridge@dealer.example' },
    to: [{ name: 'Leads, new', address: 'leads@crm.example' }],
    replyTo: { name: 'Zoë Ångström', address: 'zoe@example.com' },
    subject: 'New lead for Harbor Point Motors',
    text: '<?xml version="1.0"?>\n<adf/>\n',
    attachments: [{ filename: 'lead.xml', contentType: 'application/xml', content: '<adf>\n</adf>\n' }],
    messageId: 'lead_1@dealer.example',
    date: '2026-11-30T12:00:00Z',
    ...changes,
  };
}

it('delivers one mail with the envelope, id and date it was given', async () => {
  const { port, received } = await startSmtp();
  const outcome = await deliverMail(mail(port));
  expect(outcome).toMatchObject({ kind: 'email', sent: 'yes', stage: 'done', code: 250 });
  expect(received).toHaveLength(1);
  const { mail: parsed, recipients } = received[0]!;
  expect(recipients).toEqual(['leads@crm.example']);
  expect(parsed.messageId).toBe('<lead_1@dealer.example>');
  expect(parsed.date).toEqual(new Date('2026-11-30T12:00:00Z'));
  expect(parsed.from?.value).toEqual([{ name: 'Dealer Bridge', address: 'bridge@dealer.example' }]);
  expect(parsed.replyTo?.value).toEqual([{ name: 'Zoë Ångström', address: 'zoe@example.com' }]);
  expect(parsed.subject).toBe('New lead for Harbor Point Motors');
  expect(parsed.text).toBe('<?xml version="1.0"?>\n<adf/>\n');
  expect(parsed.attachments[0]?.content.toString()).toBe('<adf>\n</adf>\n');
});

it('composes the same bytes every time', async () => {
  expect(await composeMail(mail(25))).toEqual(await composeMail(mail(25)));
});

it('lets no field add a header, a recipient or a file', async () => {
  const { port, received } = await startSmtp();
  await deliverMail(
    mail(port, {
      subject: 'Lead\r\nBcc: thief@evil.example\r\n\r\nbody',
      replyTo: { name: 'X\r\nBcc: thief@evil.example', address: 'a@b.example, thief@evil.example' },
      messageId: 'id>\r\nBcc: <thief@evil.example',
      attachments: [
        { filename: 'a"\r\nX-Evil: 1', contentType: 'text/plain\r\nX-Evil: 1', content: '/etc/passwd' },
      ],
    }),
  );
  const { mail: parsed, recipients } = received[0]!;
  expect(recipients).toEqual(['leads@crm.example']);
  expect(parsed.bcc).toBeUndefined();
  expect(parsed.replyTo).toBeUndefined();
  expect(parsed.subject).toBe('Lead Bcc: thief@evil.example body');
  expect([...parsed.headers.keys()].sort()).toEqual(
    ['content-type', 'date', 'from', 'message-id', 'mime-version', 'subject', 'to'].sort(),
  );
  expect(parsed.attachments[0]?.content.toString()).toBe('/etc/passwd');
});

it('sends nothing to an address that is more than one', async () => {
  const { port, received } = await startSmtp();
  const to = [{ name: '', address: 'leads@crm.example, thief@evil.example' }];
  expect(await deliverMail(mail(port, { to }))).toMatchObject({ sent: 'no', stage: 'envelope' });
  expect(received).toHaveLength(0);
});

it('knows that a server that is not there has nothing', async () => {
  const outcome = await deliverMail(mail(await closedPort()));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'connect' });
  expect(outcome.error).toContain('ECONNREFUSED');
});

it('gives up a server that never says hello', async () => {
  const port = await startSocket(() => undefined);
  expect(await deliverMail(mail(port, {}, { timeoutMs: 200 }))).toMatchObject({
    sent: 'no',
    stage: 'connect',
  });
});

it('gives up a server that drips its answer for ever', async () => {
  const port = await startSocket((socket) => {
    socket.write('220-');
    const drip = setInterval(() => socket.write('x'), 20);
    socket.on('close', () => clearInterval(drip));
  });
  const outcome = await deliverMail(mail(port, {}, { timeoutMs: 100 }));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'connect' });
});

it('never sends in the clear what must be encrypted', async () => {
  const { port, received } = await startSmtp();
  const outcome = await deliverMail(mail(port, {}, { security: 'starttls' }));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'tls' });
  expect(received).toHaveLength(0);
});

it.each(['tls', 'starttls'] as const)(
  'refuses a certificate that nobody vouches for (%s)',
  async (security) => {
    const { port, received } = await startSmtp({ secure: security === 'tls', disabledCommands: [] });
    const outcome = await deliverMail(mail(port, {}, { security }));
    expect(outcome).toMatchObject({ sent: 'no', stage: 'tls' });
    expect(received).toHaveLength(0);
  },
);

it('tells a refused password from a refused lead', async () => {
  const { port } = await startSmtp({
    onAuth: (_auth, _session, done) => done(Object.assign(new Error('no'), { responseCode: 535 })),
  });
  const outcome = await deliverMail(mail(port, {}, { user: 'bridge', password: 'wrong' }));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'auth', code: 535 });
  expect(JSON.stringify(outcome)).not.toContain('wrong');
});

it('reports a refused recipient before any content went out', async () => {
  const { port } = await startSmtp({
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('no such box'), { responseCode: 550 })),
  });
  const outcome = await deliverMail(mail(port));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'envelope', code: 550 });
});

it('reports what the server thinks of the content', async () => {
  const { port } = await startSmtp({
    onData: (stream, _session, done) => {
      void readMail(stream).then(() => done(Object.assign(new Error('spam'), { responseCode: 554 })));
    },
  });
  const outcome = await deliverMail(mail(port));
  expect(outcome).toMatchObject({ sent: 'yes', stage: 'data', code: 554 });
});

it('cannot know what became of a mail when the server falls silent after it', async () => {
  const { port } = await startSmtp({ onData: (stream) => void readMail(stream) });
  const outcome = await deliverMail(mail(port, {}, { timeoutMs: 300 }));
  expect(outcome).toMatchObject({ sent: 'maybe', stage: 'data' });
  expect(outcome.code).toBeUndefined();
});

/** Speaks just enough SMTP to take a mail, and hangs up at a chosen place. */
function hangUpAt(place: 'after DATA' | 'after the closing dot') {
  return startSocket((socket) => {
    let inMail = false;
    let text = '';
    socket.write('220 crm ready\r\n');
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (inMail) {
        if (text.endsWith('\r\n.\r\n')) socket.destroy();
      } else if (text.endsWith('\r\n')) {
        inMail = text.endsWith('DATA\r\n');
        if (inMail && place === 'after DATA') socket.destroy();
        else socket.write(inMail ? '354 go ahead\r\n' : '250 fine\r\n');
        text = '';
      }
    });
  });
}

it('cannot know what became of a mail when the server hangs up after it', async () => {
  const port = await hangUpAt('after the closing dot');
  expect(await deliverMail(mail(port))).toMatchObject({ sent: 'maybe', stage: 'data' });
});

it('knows that a server that hung up before the content has nothing', async () => {
  const port = await hangUpAt('after DATA');
  expect(await deliverMail(mail(port))).toMatchObject({ sent: 'no', stage: 'envelope' });
});

/** Speaks just enough SMTP to answer one line with 421 and to leave the connection open. */
function closingAt(place: 'greeting' | 'MAIL' | 'closing dot') {
  const closing = '421 4.7.0 closing, try later\r\n';
  return startSocket((socket) => {
    let inMail = false;
    let text = '';
    socket.write(place === 'greeting' ? closing : '220 crm ready\r\n');
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (inMail) {
        if (text.endsWith('\r\n.\r\n')) socket.write(closing);
      } else if (text.endsWith('\r\n')) {
        inMail = text.endsWith('DATA\r\n');
        const isClosing = place === 'MAIL' && text.startsWith('MAIL');
        socket.write(isClosing ? closing : inMail ? '354 go ahead\r\n' : '250 fine\r\n');
        text = '';
      }
    });
  });
}

it.each([
  ['greeting', { sent: 'no', stage: 'connect' }],
  ['MAIL', { sent: 'no', stage: 'envelope' }],
  ['closing dot', { sent: 'yes', stage: 'data' }],
] as const)('hears the answer of a server that closes with it (421 at the %s)', async (place, expected) => {
  const outcome = await deliverMail(mail(await closingAt(place)));
  expect(outcome).toMatchObject({ ...expected, code: 421 });
  expect(outcome.response).toContain('closing, try later');
  // Nobody has to look: it passes.
  expect(outcome.needsPerson).toBeUndefined();
});

it('speaks of TLS only where there is any: a server that greets with a refusal', async () => {
  const port = await startSocket((socket) => void socket.write('554 no service here\r\n'));
  const outcome = await deliverMail(mail(port));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'connect', code: 554 });
  expect(outcome.needsPerson).toBeUndefined();
});

it('shows what looks like an encoded word as it was written', async () => {
  const { port, received } = await startSmtp();
  const to = [{ name: 'Zoe =?utf-8?B?QmNj?=', address: 'leads@crm.example' }];
  await deliverMail(mail(port, { to, subject: 'Lead of =?utf-8?B?QmNj?= Ångström' }));
  await deliverMail(mail(port, { to, subject: 'Lead of =?utf-8?B?QmNj?= Miller' }));
  const subjects = received.map(({ mail: parsed }) => parsed.subject);
  expect(subjects).toEqual(['Lead of =?utf-8?B?QmNj?= Ångström', 'Lead of =?utf-8?B?QmNj?= Miller']);
  expect(received[1]!.raw).not.toContain('=?utf-8?B?QmNj?=');
});

it('gives nobody the content when one of the recipients is refused', async () => {
  const { port, received } = await startSmtp({
    onRcptTo: ({ address }, _session, done) =>
      done(
        address.startsWith('gone') ? Object.assign(new Error('no such box'), { responseCode: 550 }) : null,
      ),
  });
  const to = [
    { name: '', address: 'gone@crm.example' },
    { name: '', address: 'copy@dealer.example' },
  ];
  const outcome = await deliverMail(mail(port, { to }));
  expect(outcome).toMatchObject({ sent: 'no', stage: 'envelope', code: 550, response: '550 no such box' });
  expect(received).toEqual([]);
});

it('trusts a private authority when the settings name it', async () => {
  const certificate = { cert: LOOPBACK_CERTIFICATE, key: LOOPBACK_KEY };
  const { port, received } = await startSmtp({ disabledCommands: [], ...certificate });
  const outcome = await deliverMail(mail(port, {}, { security: 'starttls', ca: LOOPBACK_CERTIFICATE }));
  expect(outcome).toMatchObject({ sent: 'yes', code: 250 });
  expect(received).toHaveLength(1);
});

it('signs with DKIM, the same bytes every time, and sends nothing with a key that cannot', async () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const dkim = { domain: 'dealer.example', selector: 'bridge', privateKey: key };
  const { port, received } = await startSmtp();
  await deliverMail(mail(port, { dkim }));
  await deliverMail(mail(port, { dkim }));
  const [first, second] = received.map(({ raw }) => raw.slice(raw.indexOf('DKIM-Signature:')));
  expect(first).toBe(second);
  const header = /^DKIM-Signature: ((?:.|\r\n[ \t])+)/.exec(first!)![1]!;
  const tags = Object.fromEntries(
    header.split(';').map((tag) => {
      const [name, ...value] = tag.trim().split('=');
      return [name, value.join('=').replace(/\s+/g, '')];
    }),
  ) as Record<string, string>;
  expect(tags).toMatchObject({
    v: '1',
    a: 'rsa-sha256',
    c: 'relaxed/relaxed',
    d: 'dealer.example',
    s: 'bridge',
  });
  // RFC 6376 section 3.4, by hand: relaxed header lines in the order of h=, then the signature's own without b=.
  const head = first!.slice(0, first!.indexOf('\r\n\r\n'));
  const unfolded = head.replace(/\r\n[ \t]/g, ' ').split('\r\n');
  const relaxed = (line: string) => {
    const colon = line.indexOf(':');
    return `${line.slice(0, colon).toLowerCase().trim()}:${line
      .slice(colon + 1)
      .replace(/\s+/g, ' ')
      .trim()}`;
  };
  const lines = tags
    .h!.split(':')
    .map((name) => relaxed(unfolded.find((line) => line.toLowerCase().startsWith(`${name}:`))!));
  const own = relaxed(unfolded[0]!).replace(/\bb=[^;]*$/, 'b=');
  const isValid = verify(
    'RSA-SHA256',
    Buffer.from([...lines, own].join('\r\n'), 'latin1'),
    publicKey,
    Buffer.from(tags.b!, 'base64'),
  );
  expect(isValid).toBe(true);
  const broken = await deliverMail(mail(port, { dkim: { ...dkim, privateKey: 'no key' } }));
  expect(broken).toMatchObject({ sent: 'no' });
  expect(received).toHaveLength(2);
});

describe('login by access token', () => {
  const server = async (accepted: (token: string) => boolean) => {
    const tokens = await startTokenServer();
    const seen: string[] = [];
    const smtp = await startSmtp({
      // As Microsoft and Google offer them: a password login first.
      authMethods: ['LOGIN', 'PLAIN', 'XOAUTH2'],
      onAuth: ({ username, accessToken = '', password }, _session, done) => {
        expect(password).toBeUndefined();
        seen.push(`${username} ${accessToken}`);
        if (accepted(accessToken)) done(null, { user: username });
        else done(null, { data: { status: '401', schemes: 'bearer', scope: 'mail' } });
      },
    });
    const token = {
      url: tokens.url,
      form: { grant_type: 'client_credentials', client_id: 'app', client_secret: 's3cret' },
      timeoutMs: 10_000,
    };
    const send = () => deliverMail(mail(smtp.port, {}, { user: 'leads@dealer.example', token }));
    return { tokens, seen, send, received: smtp.received };
  };

  it('fetches the token once and logs in with it', async () => {
    const { tokens, seen, send, received } = await server(() => true);
    expect(await send()).toMatchObject({ sent: 'yes', code: 250 });
    expect(await send()).toMatchObject({ sent: 'yes' });
    expect(seen).toEqual(Array(2).fill('leads@dealer.example token-1'));
    expect([tokens.received.length, received.length]).toEqual([1, 2]);
  });

  it('gets a fresh one when the kept one is refused', async () => {
    const dead = new Set<string>();
    const { seen, send, received } = await server((token) => !dead.has(token));
    await send();
    dead.add('token-1');
    expect(await send()).toMatchObject({ sent: 'yes' });
    expect(seen.map((line) => line.split(' ')[1])).toEqual(['token-1', 'token-1', 'token-2']);
    expect(received).toHaveLength(2);
  });

  it('tells a refused token as a refused login', async () => {
    const { send } = await server(() => false);
    const outcome = await send();
    expect(outcome).toMatchObject({ sent: 'no', stage: 'auth', code: 535 });
    expect(JSON.stringify(outcome)).not.toContain('token-1');
  });

  it('connects to nobody without a token', async () => {
    const tokens = await startTokenServer(() => ({ status: 401, body: { error: 'invalid_client' } }));
    const token = { url: tokens.url, form: { grant_type: 'x' }, timeoutMs: 10_000 };
    const outcome = await deliverMail(mail(await closedPort(), {}, { user: 'u', token }));
    expect(outcome).toMatchObject({ sent: 'no', stage: 'token', needsPerson: true });
  });
});
