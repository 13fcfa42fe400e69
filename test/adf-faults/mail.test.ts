import { expect } from 'vitest';
import { renderAdf } from '../../src/adf/document.ts';
import { readAdf, select } from '../adf/adf-reader.ts';
import { leadWith, SAMPLE_NAMES, sampleLead } from '../adf/documents.ts';
import { mailBench } from '../crm-adapters/mail-bench.ts';
import { shippedAdapter } from '../crm-adapters/shipped.ts';
import { faultsAt } from './faults.ts';

const { send } = mailBench();

faultsAt('mail', (fault) => {
  fault(8, async () => {
    const { mail, raw } = await send(sampleLead('vin-only'));
    expect(mail.headers.get('content-type')).toEqual({ value: 'text/plain', params: { charset: 'utf-8' } });
    expect([mail.html, mail.attachments]).toEqual([false, []]);
    expect(mail.text).toBe(renderAdf(sampleLead('vin-only'), {}));
    expect(raw.toString('latin1')).not.toMatch(/multipart|text\/html/i);
  });

  fault(9, async () => {
    const { mail, raw } = await send(sampleLead('non-ascii'));
    expect(mail.subject).toContain('Lakeview Pre-Owned');
    expect(raw.every((byte) => byte < 0x80)).toBe(true);
    const head = raw.toString('latin1').split('\r\n\r\n')[0]!;
    for (const name of ['From', 'To', 'Subject', 'Date', 'Message-ID', 'MIME-Version']) {
      expect(head.match(new RegExp(`^${name}:\\s`, 'gmi'))).toHaveLength(1);
    }
  });

  fault(10, async () => {
    const lead = sampleLead('test-drive-with-trade-in');
    const body = await send(lead);
    expect(select(readAdf(body.mail.text!), 'prospect')).toHaveLength(1);
    expect(select(readAdf(body.mail.text!), 'prospect/vehicle')).toHaveLength(2);
    const attached = await send(lead, { placement: 'attachment' });
    expect(attached.mail.text).not.toContain('<adf>');
    expect(attached.mail.attachments).toHaveLength(1);
    expect(attached.mail.messageId).toBe(body.mail.messageId);
  });

  fault(12, async () => {
    for (const name of SAMPLE_NAMES) {
      const { mail } = await send(sampleLead(name));
      expect(readAdf(mail.text!).name).toBe('adf');
    }
  });

  fault(13, async () => {
    const file = await shippedAdapter('adf-file', { folder: 'outgoing' });
    const http = await shippedAdapter('adf-http', { url: 'https://crm.example/leads' });
    const lead = leadWith();
    expect(file.adapter.build(lead, file.options)).toMatchObject({ content: renderAdf(lead, {}) });
    expect(http.adapter.build(lead, http.options)).toMatchObject({ body: renderAdf(lead, {}) });
    // Mail itself is encrypted on its way, or not sent.
    const mail = await shippedAdapter('adf-email', {
      smtp: { host: 'smtp.example.com' },
      from: { address: 'a@dealer.example' },
      to: [{ address: 'b@crm.example' }],
    });
    expect(mail.adapter.build(lead, mail.options)).toMatchObject({ server: { security: 'starttls' } });
  });

  fault(26, async () => {
    const { raw } = await send(leadWith(), { placement: 'attachment' });
    const types = [...raw.toString('latin1').matchAll(/^Content-Type: ([^\r]*(?:\r\n [^\r]*)*)/gm)];
    expect(types.map(([, type]) => type!.split(';')[0])).toEqual([
      'multipart/mixed',
      'text/plain',
      'application/xml',
    ]);
    expect(raw.toString('latin1')).not.toMatch(/xhtml|encoding=|^xml version:/im);
  });

  fault(28, async () => {
    const message = ['=3D=\n==', '.', '..', 'From me', 'x'.repeat(3000), '-- ', ' flowed \nlines '].join(
      '\n',
    );
    const lead = leadWith({ message });
    for (const placement of ['body', 'attachment', 'both']) {
      const { mail, raw } = await send(lead, { placement });
      const lines = raw.toString('latin1').split('\r\n');
      expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(77);
      expect(raw.toString('latin1')).not.toMatch(/format=flowed/i);
      const received = placement === 'attachment' ? mail.attachments[0]!.content.toString() : mail.text;
      expect(received).toBe(renderAdf(lead, {}));
    }
  });
});
