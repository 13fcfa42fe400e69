import { describe, expect, test } from 'vitest';
import { leadWith } from '../adf/documents.ts';
import { places, shippedAdapter } from './shipped.ts';

const { adapter, options } = await shippedAdapter('adf-file', { folder: 'outgoing' });

async function nameBy(template: string, leadId = 'lead_0001'): Promise<string> {
  const shipped = await shippedAdapter('adf-file', { folder: 'outgoing', name: template });
  const delivery = shipped.adapter.build(leadWith({}, { lead_id: leadId }), shipped.options);
  if (delivery.kind !== 'file') throw new Error(delivery.kind);
  return delivery.name;
}

test('one ADF file a lead, named by time and id', () => {
  const delivery = adapter.build(leadWith(), options);
  expect(delivery).toMatchObject({
    kind: 'file',
    folder: 'outgoing',
    name: '20260430T110510Z-lead_0001.xml',
    content: expect.stringMatching(/^<\?xml [\s\S]*<\/adf>\n$/) as string,
  });
});

describe('the file name', () => {
  test.each([
    ['{rooftop}_{lead_id}.adf', 'LPO03_lead_0001.adf'],
    ['a<b>c:d"e/f\\g|h?i*{lead_id}', 'a-b-c-d-e-f-g-h-i-lead_0001'],
    ['..{lead_id}. .', 'lead_0001'],
    ['CON.{lead_id}', 'lead-CON.lead_0001'],
    ['é{lead_id}\t', '-lead_0001-'],
  ])('%j becomes %j', async (template, name) => {
    expect(await nameBy(template)).toBe(name);
  });

  test('can never leave the folder or grow too long', async () => {
    expect(await nameBy('{lead_id}', '../../etc/passwd')).toBe('-..-etc-passwd');
    expect(await nameBy('{lead_id}', '..')).toBe('lead-');
    expect(await nameBy('{lead_id}', 'x'.repeat(500))).toHaveLength(200);
  });

  test('must hold the id and no place that is not known', async () => {
    const wrong = await shippedAdapter('adf-file', { folder: 'out\0', name: '{lead}-{received_at}.xml' });
    expect(places(wrong.problems)).toEqual(['folder', 'name', 'name']);
  });
});

test('unknown settings and faults of the ADF settings are told by the schema', async () => {
  const wrong = await shippedAdapter('adf-file', {
    folder: 'x',
    adf: { names: 'both', nmes: 1 },
    extra: true,
  });
  expect(wrong.schemaFaults).toHaveLength(3);
});

test('a written file is delivered, anything else waits', () => {
  expect(adapter.classify({ kind: 'file', sent: 'yes', path: '/x/lead.xml' }, options).state).toBe(
    'delivered',
  );
  expect(adapter.classify({ kind: 'file', sent: 'no', error: 'ENOSPC' }, options)).toEqual({
    state: 'retry',
    reason: 'the file could not be written: ENOSPC',
  });
});
