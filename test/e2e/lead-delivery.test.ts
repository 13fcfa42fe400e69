import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterEach, describe, expect, it } from 'vitest';
import { BridgeProcess, eventually, filesIn, payloadOf } from './bridge-process.ts';
import { leadRequest, writeDealership } from './dealership.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function bridgeWith(destinations: string, environment: Record<string, string> = {}): BridgeProcess {
  const bridge = new BridgeProcess({ configFile: writeDealership(destinations), environment });
  closers.push(() => bridge.dispose());
  return bridge;
}

/** A real SMTP server that keeps what it got; `refuse` gives the reply to RCPT TO while it is set. */
async function mailServer(): Promise<{
  port: number;
  mails: ParsedMail[];
  envelopes: string[][];
  refuse?: number;
}> {
  const state: { port: number; mails: ParsedMail[]; envelopes: string[][]; refuse?: number } = {
    port: 0,
    mails: [],
    envelopes: [],
  };
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: (auth, _session, callback) => {
      if (auth.username === 'dealer' && auth.password === 'secret-of-the-dealer')
        callback(null, { user: 'dealer' });
      else callback(new Error('535 5.7.8 wrong user or password'));
    },
    onRcptTo: (_address, _session, callback) => {
      if (state.refuse === undefined) callback();
      else callback(Object.assign(new Error('come back later'), { responseCode: state.refuse }));
    },
    onData: (stream, session, callback) => {
      void simpleParser(stream).then((mail) => {
        state.mails.push(mail);
        state.envelopes.push(session.envelope.rcptTo.map((recipient) => recipient.address));
        callback();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.port = (server.server.address() as AddressInfo).port;
  closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return state;
}

async function submit(bridge: BridgeProcess, changes: object = {}): Promise<string> {
  const reply = payloadOf(await bridge.ask(leadRequest(changes)));
  expect(reply.data.status).toBe('received');
  return reply.data.lead_id as string;
}

describe('leads by e-mail', () => {
  it('arrive as one mail whose body is the ADF and nothing else', async () => {
    const server = await mailServer();
    const bridge = bridgeWith(
      `    - id: crm
      adapter: adf-email
      options:
        smtp: { host: 127.0.0.1, port: ${String(server.port)}, security: none, user: dealer, password: "\${env:SMTP_PASSWORD}" }
        from: { name: One Store Motors, address: bridge@onestore.example }
        to: [{ address: leads@crm.example }]`,
      { SMTP_PASSWORD: 'secret-of-the-dealer' },
    );
    await bridge.start();
    const leadId = await submit(bridge);
    const mail = await eventually('the mail arrives', () => server.mails[0]);
    expect(server.envelopes[0]).toEqual(['leads@crm.example']);
    expect(mail.text?.startsWith('<?xml')).toBe(true);
    expect(mail.text).toContain(leadId);
    expect(mail.subject).toContain('One Store Motors');
    expect(mail.messageId).toContain(leadId);
    const log = await bridge.log();
    expect(log).toContain(leadId);
    for (const secret of [
      'anna.lee@example.com',
      '14155550123',
      'Lee',
      'snow tires',
      'secret-of-the-dealer',
    ]) {
      expect(log).not.toContain(secret);
    }
  });

  it('wait while the server says later, survive kill -9, and go out once with the same Message-ID', async () => {
    const server = await mailServer();
    server.refuse = 451;
    const bridge = bridgeWith(`    - id: crm
      adapter: adf-email
      retry: { first_seconds: 1, max_minutes: 1 }
      options:
        smtp: { host: 127.0.0.1, port: ${String(server.port)}, security: none }
        from: { address: bridge@onestore.example }
        to: [{ address: leads@crm.example }]`);
    await bridge.start();
    const leadId = await submit(bridge);
    await eventually('an attempt was refused', async () =>
      (await bridge.log()).includes('451') ? true : undefined,
    );
    await bridge.stop('SIGKILL');
    expect(server.mails).toHaveLength(0);

    delete server.refuse;
    await bridge.start();
    const mail = await eventually('the mail arrives after the restart', () => server.mails[0]);
    expect(mail.messageId).toContain(leadId);
    const list = await eventually('the delivery is recorded', async () => {
      const health = (await (await fetch(`${bridge.adminUrl}/health`)).json()) as {
        leads: { queued: number };
      };
      return health.leads.queued === 0 ? health : undefined;
    });
    expect(list.leads.queued).toBe(0);
    expect(server.mails).toHaveLength(1);
  });
});

describe('leads by HTTP', () => {
  it('are posted with the lead id as idempotency key and tried again after a 503', async () => {
    const seen: { headers: IncomingMessage['headers']; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8');
      request.on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        seen.push({ headers: request.headers, body });
        response.statusCode = seen.length === 1 ? 503 : 200;
        response.end('{"leadId":"crm-77"}');
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const port = (server.address() as AddressInfo).port;
    const bridge = bridgeWith(`    - id: crm
      adapter: adf-http
      retry: { first_seconds: 1 }
      options:
        url: http://127.0.0.1:${String(port)}/leads`);
    await bridge.start();
    const leadId = await submit(bridge);
    await eventually('the second attempt', () => (seen.length === 2 ? true : undefined));
    expect(seen[0]!.body).toContain('<prospect');
    expect(seen.map((request) => request.headers['idempotency-key'])).toEqual([leadId, leadId]);
  });
});

describe('a lead', () => {
  it('is on disk before it is answered: killed right after the answer, it is delivered at the next start', async () => {
    // The kill may hit an attempt: its lease runs out after 15 s, then it is tried again after the first wait.
    const bridge = bridgeWith(`    - id: pickup
      adapter: adf-file
      retry: { first_seconds: 1 }
      options: { folder: pickup }
    - id: dead-crm
      adapter: adf-http
      options: { url: "http://127.0.0.1:9/leads" }`);
    await bridge.start();
    const ids = [];
    for (let number = 0; number < 5; number += 1) {
      ids.push(
        await submit(bridge, {
          message: `question ${String(number)}`,
          idempotency_key: `key-${String(number)}`,
        }),
      );
    }
    await bridge.stop('SIGKILL');
    await bridge.start();
    const files = await eventually('all five lie in the folder', async () => {
      const names = (await filesIn(bridge.path('pickup'))).filter((name) => name.endsWith('.xml'));
      return names.length === 5 ? names : undefined;
    });
    for (const id of ids) expect(files.filter((name) => name.includes(id))).toHaveLength(1);
    const again = payloadOf(
      await bridge.ask(leadRequest({ message: 'question 3', idempotency_key: 'key-3' })),
    );
    expect(again.data.lead_id).toBe(ids[3]);
    expect(await filesIn(bridge.path('pickup'))).toHaveLength(5);
  });
});
