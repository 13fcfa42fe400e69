import { describe, expect, test } from 'vitest';
import type { LeadDocument } from '../../src/adapters/index.ts';
import { leadWith, sampleLead } from '../adf/documents.ts';
import { mailBench } from './mail-bench.ts';
import { places, shippedAdapter } from './shipped.ts';

const { send } = mailBench();

const list = (...names: string[]) => names.map((name) => ({ address: `${name}@crm.example` }));

const TO = {
  default: list('desk'),
  new: list('new', 'manager'),
  used: list('used'),
  service: list('workshop'),
  trade_in: list('appraisals'),
};

const wanting = (condition: 'new' | 'used' | 'cpo'): LeadDocument =>
  leadWith({ vehicle_of_interest: { make: 'Kia', condition } });

describe('departments with addresses of their own', () => {
  test.each<[string, LeadDocument, string[]]>([
    ['a new vehicle', wanting('new'), ['new@crm.example', 'manager@crm.example']],
    ['a used vehicle', wanting('used'), ['used@crm.example']],
    ['a certified vehicle', wanting('cpo'), ['used@crm.example']],
    ['the workshop', sampleLead('service-appointment'), ['workshop@crm.example']],
    ['a trade-in', sampleLead('trade-in-only'), ['appraisals@crm.example']],
    ['a question', sampleLead('general-question'), ['desk@crm.example']],
  ])('%s', async (_, lead, recipients) => {
    const { envelope, mail } = await send(lead, { to: TO });
    expect(envelope.to).toEqual(recipients);
    expect([mail.to].flat().flatMap((header) => header!.value.map(({ address }) => address))).toEqual(
      recipients,
    );
  });

  test('one without an address is the default’s', async () => {
    const { envelope } = await send(wanting('used'), { to: { default: TO.default, new: TO.new } });
    expect(envelope.to).toEqual(['desk@crm.example']);
  });
});

describe('settings', () => {
  const checked = (to: unknown) =>
    shippedAdapter('adf-email', {
      smtp: { host: 'smtp.example.com' },
      from: { address: 'leads@dealer.example' },
      to,
    });

  test('every list is checked, and told where leads go', async () => {
    const wrong = await checked({ default: list('a'), service: [{ address: 'a@b.example, c@d.example' }] });
    expect(places(wrong.problems)).toEqual(['to.service[0].address']);
    const right = await checked({ default: list('a', 'b'), service: list('c') });
    expect(right.problems).toEqual([]);
    expect(right.adapter.place!(right.options)).toMatchObject({
      address: 'default: a@crm.example, b@crm.example; service: c@crm.example by smtp.example.com:587',
    });
  });

  test('a default is needed, and no department may be misspelt or empty', async () => {
    expect((await checked({ service: list('a') })).schemaFaults).toEqual([
      expect.stringContaining('/to') as string,
    ]);
    expect((await checked({ default: list('a'), sevice: list('b') })).schemaFaults).toHaveLength(1);
    expect((await checked({ default: list('a'), new: [] })).schemaFaults).toHaveLength(1);
    expect((await checked({ default: 'a@crm.example' })).schemaFaults).toHaveLength(1);
  });

  test('a name left out is filled in as empty', async () => {
    const { options } = await checked({ default: list('a') });
    expect(options).toMatchObject({ to: { default: [{ name: '', address: 'a@crm.example' }] } });
  });
});
