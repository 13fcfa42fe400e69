import { expect, it } from 'vitest';
import type { EmailDelivery, SmtpServer } from '../../src/adapters/crm-adapter.ts';
import { composeMail } from '../../src/leads/delivery/compose-mail.ts';
import { deliverMail } from '../../src/leads/delivery/smtp.ts';
import { closedPort, readMail, startSmtp, startSocket } from './crm-servers.ts';
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
