import type { AddressInfo } from 'node:net';
import { simpleParser } from 'mailparser';
import type { ParsedMail } from 'mailparser';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, expect } from 'vitest';
import type { EmailDelivery, LeadDocument } from '../../src/adapters/index.ts';
import { deliverMail } from '../../src/leads/delivery/smtp.ts';
import { shippedAdapter } from './shipped.ts';

interface Received {
  envelope: { from: string; to: string[] };
  raw: Buffer;
}

/** How the bench's dealership writes to its CRM, but for the server. */
const ADDRESSES = {
  from: { name: 'Lakeview, "Pre-Owned" <x>', address: 'leads@lakeview.example' },
  to: [{ name: 'Store; 7, CRM', address: 'store@crm.example' }, { address: 'copy@lakeview.example' }],
};

/** Starts a real mail server for the tests of the file, and gives the way through adapter, delivery and parser. */
export function mailBench() {
  const inbox: Received[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        inbox.push({
          envelope: {
            from: mailFrom === false ? '' : mailFrom.address,
            to: rcptTo.map(({ address }) => address),
          },
          raw: Buffer.concat(chunks),
        });
        done();
      });
    },
  });
  let port = 0;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    port = (server.server.address() as AddressInfo).port;
  });

  afterAll(async () => {
    await new Promise<void>((resolve) => server.close(resolve));
  });

  /** Adapter, the bridge's own SMTP delivery, a real server, and a receiver's parser. */
  async function send(
    lead: LeadDocument,
    changes: object = {},
  ): Promise<Received & { mail: ParsedMail; delivery: EmailDelivery }> {
    const { adapter, options, schemaFaults, problems } = await shippedAdapter('adf-email', {
      smtp: { host: '127.0.0.1', port, security: 'none', timeout_seconds: 20 },
      ...ADDRESSES,
      ...changes,
    });
    expect([schemaFaults, problems]).toEqual([[], []]);
    const delivery = adapter.build(lead, options);
    if (delivery.kind !== 'email') throw new Error(delivery.kind);
    const outcome = await deliverMail(delivery);
    expect(adapter.classify(outcome, options).state).toBe('delivered');
    expect(inbox).toHaveLength(1);
    const received = inbox.pop()!;
    return { ...received, delivery, mail: await simpleParser(received.raw) };
  }

  return { send };
}
