import { describe, expect, it } from 'vitest';
import { loadProfile } from '../../src/feeds/profile/profile.ts';
import { runProfile, SHIPPED_PROFILES, valueOf, writeProfiles, type Outcome } from './run-profile.ts';

const VIN = '1HGCV1F31KAA90301';

async function run(map: Record<string, unknown>, text: string): Promise<Outcome> {
  const isXml = text.startsWith('<');
  const own = await writeProfiles({
    own: {
      reader: isXml ? 'xml' : 'csv',
      ...(isXml ? { options: { record: 'unit' } } : {}),
      map: {
        vin: 'vin',
        year: 'year',
        make: 'make',
        model: 'model',
        condition: { constant: 'used' },
        ...map,
      },
    },
  });
  return runProfile(valueOf(await loadProfile('own', { own, builtIn: SHIPPED_PROFILES })), text);
}

function table(column: string, value: string): string {
  return `vin,year,make,model,${column}\n${VIN},2019,Honda,Accord,"${value.replaceAll('"', '""')}"\n`;
}

function unit(content: string): string {
  return `<units><unit><vin>${VIN}</vin><year>2019</year><make>Honda</make><model>Accord</model>${content}</unit></units>`;
}

describe('cost within what is published', () => {
  it.each(['features', 'description', 'trim', 'notes'])(
    'does not get out with a record as the %s',
    async (field) => {
      for (const record of [
        '{"asking":25000,"cost":"15555"}',
        "{'cost': 15555}",
        '{"cost":15555',
        '[{"cost": "15555"}]',
      ]) {
        const outcome = await run({ [field]: 'P' }, table('P', record));
        expect(JSON.stringify(outcome.checked)).not.toContain('15555');
        expect(outcome.vehicles).toHaveLength(1);
      }
    },
  );

  it('does not get out with an attribute, an amount or a warning', async () => {
    const map = { other_attributes: { extra: 'P' }, list_price: 'P', mileage: 'P' };
    const outcome = await run(map, table('P', '{"cost":15555}'));
    expect(JSON.stringify(outcome.checked)).not.toContain('15555');
  });

  it('does not get out as a pair of name and value', async () => {
    const pairs = [
      ['Cost', '15555'],
      ['Seats', 'Heated'],
    ];
    const attributes = pairs.map(([name, value]) => `<a name="${name}" value="${value}"/>`).join('');
    const elements = pairs
      .map(([name, value]) => `<b><name>${name}</name><value>${value}</value></b>`)
      .join('');
    for (const features of ['a/@value', 'b/value']) {
      const outcome = await run({ features }, unit(attributes + elements));
      expect(outcome.vehicles[0]?.features).toEqual(['Heated']);
    }
  });

  it('does not get out with a star', async () => {
    const text = `vin,year,make,model,Feature 1,Feature Cost\n${VIN},2019,Honda,Accord,Sunroof,44444\n`;
    expect((await run({ features: { column: 'Feature*' } }, text)).vehicles[0]?.features).toEqual([
      'Sunroof',
    ]);
  });

  it.each(['{Sale} great car', '[New tires] great car', 'Low-cost financing', '{ } nice'])(
    '%s is a text',
    async (text) => {
      expect((await run({ description: 'P' }, table('P', text))).vehicles[0]?.description).toBe(text);
    },
  );
});

describe('features in HTML', () => {
  it.each([
    '<ul><li>ABS</li><li>Tow hitch</li></ul>',
    'ABS<br>Tow hitch',
    'ABS<br/>Tow hitch<BR />',
    '&lt;li&gt;ABS&lt;/li&gt;&lt;li&gt;Tow hitch&lt;/li&gt;',
    '<p>ABS</p><p>Tow hitch</p>',
  ])('%s are several', async (cell) => {
    expect((await run({ features: 'P' }, table('P', cell))).vehicles[0]?.features).toEqual([
      'ABS',
      'Tow hitch',
    ]);
  });

  it.each(['<b>ABS</b> plus', '<ABS> brakes', 'Range < 5'])('%s is one', async (cell) => {
    expect((await run({ features: 'P' }, table('P', cell))).vehicles[0]?.features).toHaveLength(1);
  });
});

describe('features in JSON', () => {
  it.each([
    ['[{"code":"53T","name":"Tow Package","price":400}]', ['Tow Package']],
    ['[{"code":"53T","description":"Tow Package"},"ABS"]', ['Tow Package', 'ABS']],
    ['[{"id":"ABS"}]', ['ABS']],
    ['[{"name":"Invoice","value":"15555"}]', undefined],
  ])('%s are told by their names', async (cell, features) => {
    expect((await run({ features: 'P' }, table('P', cell))).vehicles[0]?.features).toEqual(features);
  });
});
