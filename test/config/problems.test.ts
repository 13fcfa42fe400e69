import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDealership, SMALL, type Dealership } from './dealership.ts';

let dealer: Dealership;
beforeAll(async () => {
  dealer = await openDealership();
});
afterAll(() => dealer.remove());

/** Settings with two rooftops, into which a test writes its fault. */
function group(parts: { rooftop?: string; top?: string; feeds?: string; leads?: string }): string {
  return `dealer:
  id: group
  name: Group
  rooftops:
    - id: AAA1
      name: First
${parts.rooftop ?? ''}    - id: BBB2
      name: Second
${parts.top ?? ''}feeds:
${parts.feeds ?? '  - { id: one, profile: plainlist, rooftop: AAA1 }\n'}leads:
${
  parts.leads ??
  `  default_rooftop: AAA1
  destinations:
    - { id: crm, adapter: pickup, options: { folder: leads } }
`
}`;
}

describe('a config with five faults', () => {
  it('lists exactly five, each with its line, column and path', async () => {
    const yaml = `dealer:
  id: group
  name: Group
  rooftops:
    - id: HPM01
      name: First
      timezone: America/New_Yrok
      fees:
        - { name: Doc fee, amount: 38.5 }
server:
  prot: 8080
feeds:
  - id: one
    profile: plianlist
    rooftop: HMP01
leads:
  destinations:
    - id: crm
      adapter: pickup
      options: { folder: leads }
`;
    expect(await dealer.problems(yaml)).toEqual([
      'bridge.yaml:7:7 dealer.rooftops[0].timezone: no time zone "America/New_Yrok"; did you mean "America/New_York"?',
      'bridge.yaml:9:28 dealer.rooftops[0].fees[0].amount: must be a whole number, without decimals',
      'bridge.yaml:11:3 server.prot: unknown key "prot"; did you mean "port"?',
      'bridge.yaml:14:5 feeds[0].profile: no profile "plianlist"; did you mean "plainlist"?',
      'bridge.yaml:15:5 feeds[0].rooftop: no rooftop "HMP01"; did you mean "HPM01"?',
    ]);
  });
});

describe('YAML faults', () => {
  it('are told with their position', async () => {
    expect(await dealer.problems('dealer:\n  id: a\n   name: b\n')).toEqual([
      'bridge.yaml:2:7: Nested mappings are not allowed in compact mappings: check the indentation, and put texts with a colon in quotes',
    ]);
    expect(await dealer.problems('feeds:\n  - { id: odd profile: a }\n')).toEqual([
      'bridge.yaml:2:11: Block collections are not allowed within flow collections: check the commas and brackets of this line',
    ]);
    expect(await dealer.problems('dealer:\n  id: "a\n')).toEqual([
      'bridge.yaml:3:1: Missing closing "quote: check quotes, brackets and colons before this place',
    ]);
  });

  it('include keys written twice, beside the other faults', async () => {
    const yaml = SMALL.replace('  name: Small Dealer\n', '  name: Small Dealer\n  name: Again\n  nam: x\n');
    expect(await dealer.problems(yaml)).toEqual([
      'bridge.yaml:4:3: the key "name" is written twice. Keep one of the two.',
      'bridge.yaml:5:3 dealer.nam: unknown key "nam"; did you mean "name"?',
    ]);
  });

  it.each([
    [
      '__proto__: { polluted: true }',
      'bridge.yaml:1:1 __proto__: the key "__proto__" is not allowed. Remove it.',
    ],
    [
      '<<: { log: {} }',
      'bridge.yaml:1:1 ["<<"]: the merge key "<<" is not supported. Write the keys out, or use an alias for a whole value.',
    ],
    ['? [a, b]\n: c', 'bridge.yaml:1:3: With stringKeys, all keys must be strings'],
  ])('include keys that are no names: %s', async (line, expected) => {
    expect(await dealer.problems(`${line}\n${SMALL}`)).toEqual([expected]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });

  it('say what to do about a Windows path in double quotes and about a second document', async () => {
    expect(await dealer.problems('dealer: "C:\\inbox"\n')).toEqual([
      expect.stringMatching(
        /^bridge\.yaml:1:\d+: Invalid escape sequence \\i: put a Windows path in single quotes/,
      ),
    ]);
    expect(await dealer.problems(`${SMALL}---\n${SMALL}`)).toEqual([
      'bridge.yaml:12:1: a line "---" begins a second document; remove it',
    ]);
  });

  it('include tags of other languages', async () => {
    const problems = await dealer.problems(SMALL.replace('Small Dealer\n', '!!js/function Small Dealer\n'));
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/^bridge\.yaml:3:9: Unresolved tag/);
  });

  it('include files that are empty, no text, or no group of keys', async () => {
    expect(await dealer.problems('# nothing\n')).toEqual([
      'bridge.yaml: the file holds no settings. Start from config/bridge.yaml.',
    ]);
    expect(await dealer.problems('- a\n')).toEqual(['bridge.yaml:1:1: must be a group of keys, not a list']);
    expect(await dealer.problems('just text')).toEqual([
      'bridge.yaml:1:1: must be a group of keys, not text',
    ]);
  });

  it('do not let aliases grow without bound', async () => {
    const levels = Array.from({ length: 12 }, (_, level) => {
      const items =
        level === 0
          ? 'x'
          : Array(8)
              .fill(`*a${level - 1}`)
              .join(', ');
      return `a${level}: &a${level} [${items}]`;
    });
    expect(await dealer.problems(levels.join('\n'))).toEqual([
      expect.stringContaining('nested too deeply or its aliases make it too large'),
    ]);
  });

  it('do not let nesting overflow', async () => {
    const problems = await dealer.problems(`a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    expect(problems.length).toBeGreaterThan(0);
    expect(problems.length).toBeLessThanOrEqual(20);
  });

  it('do not break aliases for a whole value', async () => {
    const yaml = group({
      rooftop: `      schedules:
        - name: sales
          value: &hours { monday: { open: '09:00', close: '18:00' } }
        - name: service
          value: *hours
`,
    });
    const loaded = await dealer.load(yaml);
    expect(loaded).toMatchObject({ ok: true });
    expect(await dealer.problems(yaml.replace("'09:00'", "'9:00'"))).toEqual([
      'bridge.yaml:9:37 dealer.rooftops[0].schedules[0].value.monday.open: must be a time such as "09:00" or "18:30"',
    ]);
  });
});

describe('a file that is not there', () => {
  it('is named whole, with the reason', async () => {
    const loaded = await dealer.load(SMALL, { file: `${dealer.folder}/none.yaml` });
    expect(loaded).toMatchObject({
      ok: false,
      problems: [
        {
          code: 'CONFIG_FILE_UNREADABLE',
          message: 'the file can not be read: it is not there.',
          where: { file: `${dealer.folder}/none.yaml` },
        },
      ],
    });
  });

  it('and one in another encoding says how to save it', async () => {
    const file = await dealer.write('latin.yaml', '');
    const { writeFile } = await import('node:fs/promises');
    await writeFile(file, Buffer.from([0x6e, 0x3a, 0x20, 0xe9, 0x0a]));
    expect(await dealer.problems(SMALL, { file })).toEqual([
      'latin.yaml: the file is not UTF-8 text. Save it as UTF-8 (in Notepad: Save as, Encoding UTF-8).',
    ]);
  });
});

describe('cross checks', () => {
  const cases: [name: string, yaml: string, expected: string[]][] = [
    [
      'two rooftops of one id and name',
      group({ rooftop: '    - id: AAA1\n      name: First\n' }),
      [
        'bridge.yaml:7:7 dealer.rooftops[1].id: the id "AAA1" is taken by dealer.rooftops[0].id. Every one needs an id of its own.',
        'bridge.yaml:8:7 dealer.rooftops[1].name: the name "First" is taken by dealer.rooftops[0].name. Buyers tell rooftops apart by name.',
      ],
    ],
    [
      'a feed id of two rooftops, whatever its case and blanks',
      group({ rooftop: '      feed_ids: ["b bb2", own]\n' }),
      [
        'bridge.yaml:7:18 dealer.rooftops[0].feed_ids[0]: the feed id "b bb2" already stands for dealer.rooftops[1]. A row of a file must lead to one rooftop only.',
      ],
    ],
    [
      'a fee listed twice',
      group({ rooftop: '      fees: [{ name: Doc, amount: 1 }, { name: Doc, amount: 2 }]\n' }),
      [
        'bridge.yaml:7:42 dealer.rooftops[0].fees[1].name: the fee "Doc" is listed twice. Give each charge a name of its own.',
      ],
    ],
    [
      'hours that end before they begin',
      group({
        rooftop: "      schedules: [{ value: { monday: { open: '18:00', close: '09:00' } } }]\n",
      }),
      [
        'bridge.yaml:7:30 dealer.rooftops[0].schedules[0].value.monday: it closes at "09:00", before it opens at "18:00". Use the 24-hour clock, and null for a closed day.',
      ],
    ],
    [
      'a public address without https',
      group({ top: 'server:\n  public_url: http://agent.dealer.example\n' }),
      [
        'bridge.yaml:10:3 server.public_url: the public address must begin with https://. Write it like https://agent.dealer.example, without a path.',
      ],
    ],
    [
      'a public address with a path',
      group({ top: 'server:\n  public_url: https://dealer.example/agent\n' }),
      [
        'bridge.yaml:10:3 server.public_url: the public address must end after the host name. Write it like https://agent.dealer.example, without a path.',
      ],
    ],
    [
      'a public address on this machine is fine',
      group({ top: 'server: { public_url: "http://localhost:8080" }\n' }),
      [],
    ],
    [
      'the same port twice',
      group({ top: 'server:\n  port: 8081\n' }),
      ['bridge.yaml:9:1 server.admin_port: port and admin_port are both 8081. The two need different ports.'],
    ],
    [
      'a page larger than allowed',
      group({ top: 'search: { default_limit: 200 }\n' }),
      [
        'bridge.yaml:9:11 search.default_limit: default_limit 200 is larger than max_limit 100. Lower the one or raise the other.',
      ],
    ],
    [
      'feeds that share their id',
      group({
        feeds:
          '  - { id: one, profile: plainlist, rooftop: AAA1 }\n  - { id: one, profile: plainlist, rooftop: BBB2 }\n',
      }),
      [
        'bridge.yaml:11:7 feeds[1].id: the id "one" is taken by feeds[0].id. Every one needs an id of its own.',
      ],
    ],
    [
      'feeds that share their folder',
      group({
        feeds:
          '  - { id: one, profile: plainlist, rooftop: AAA1, folder: drop }\n  - { id: two, profile: plainlist, rooftop: BBB2, folder: ./drop/ }\n',
      }),
      [
        'bridge.yaml:11:51 feeds[1].folder: its folder is also the folder of feed "one". Each feed needs a folder of its own.',
      ],
    ],
    [
      'files that are not there',
      group({ feeds: '  - { id: one, profile: ./own.yaml, rooftop: AAA1, sample: no.csv }\n' }),
      [
        'bridge.yaml:10:16 feeds[0].profile: there is no profile file "./own.yaml". A path is taken relative to the folder of the settings file.',
        'bridge.yaml:10:52 feeds[0].sample: there is no file "no.csv". A path is taken relative to the folder of the settings file.',
      ],
    ],
    [
      'fees to add that are not disclosed',
      group({ feeds: '  - { id: one, profile: plainlist, rooftop: BBB2, price_basis: base_plus_fees }\n' }),
      [
        'bridge.yaml:10:51 feeds[0].price_basis: rooftop "BBB2" has no fees, so base_plus_fees has nothing to add. List its fees completely ([] for none), or choose another price_basis.',
      ],
    ],
    [
      'a folder name that Windows reserves, and one that climbs',
      group({
        feeds:
          '  - { id: nul, profile: plainlist, rooftop: AAA1 }\n  - { id: ../up, profile: plainlist, rooftop: AAA1 }\n',
      }),
      [10, 11].map(
        (line, index) =>
          `bridge.yaml:${line}:7 feeds[${index}].id: must be lower-case letters, digits and hyphens, at most 64 (it becomes a folder name; con, nul and the like are reserved by Windows)`,
      ),
    ],
    [
      'a rooftop reference in a wrong form',
      group({ feeds: '  - { id: one, profile: plainlist, rooftop: { from: file, otherwise: CCC3 } }\n' }),
      [
        'bridge.yaml:10:47 feeds[0].rooftop.from: must be "column"',
        'bridge.yaml:10:59 feeds[0].rooftop.otherwise: no rooftop "CCC3". Use the id of one of the dealer.rooftops.',
      ],
    ],
    [
      'no default rooftop, and a rooftop without destination',
      group({
        leads: '  destinations: [{ id: crm, adapter: pickup, options: { folder: x }, rooftops: [AAA1] }]\n',
      }),
      [
        'bridge.yaml:7:7 dealer.rooftops[1]: the leads of rooftop "BBB2" have no destination. Add the rooftop to a destination, or switch the skill lead.submit off.',
        'bridge.yaml:11:1 leads: "default_rooftop" is missing. A lead that names no vehicle of yours must go somewhere: give the id of a rooftop.',
      ],
    ],
    [
      'destinations without an adapter that is there',
      group({
        leads: `  default_rooftop: AAA2
  destinations:
    - { id: a, adapter: pikcup }
    - { id: b, preset: acme-crn }
    - { id: c }
    - { id: d, adapter: adf-file, preset: acme-crm }
`,
      }),
      [
        'bridge.yaml:12:3 leads.default_rooftop: no rooftop "AAA2"; did you mean "AAA1"?',
        'bridge.yaml:14:16 leads.destinations[0].adapter: no adapter "pikcup"; did you mean "pickup"?',
        'bridge.yaml:15:16 leads.destinations[1].preset: no preset "acme-crn"; did you mean "acme-crm"?',
        'bridge.yaml:16:7 leads.destinations[2]: names neither an adapter nor a preset. Name one of the two, such as adapter: adf-email.',
        'bridge.yaml:17:16 leads.destinations[3].adapter: the preset "acme-crm" is for the adapter "pickup", not "adf-file". Leave the adapter out; the preset names it.',
      ],
    ],
    [
      'options that the adapter does not take',
      group({
        leads: `  default_rooftop: AAA1
  destinations:
    - { id: a, adapter: pickup, options: { foldr: x, pace: { a_minute: 0 } } }
    - { id: b, adapter: pickup }
    - { id: c, adapter: pickup, options: { folder: forbidden, key: k } }
`,
      }),
      [
        'bridge.yaml:14:33 leads.destinations[0].options: "folder" is missing',
        'bridge.yaml:14:44 leads.destinations[0].options.foldr: unknown key "foldr"; did you mean "folder"?',
        'bridge.yaml:14:62 leads.destinations[0].options.pace.a_minute: must be at least 1',
        'bridge.yaml:15:7 leads.destinations[1].options: "folder" is missing',
        'bridge.yaml:16:44 leads.destinations[2].options.folder: folder forbidden with key k is taken',
      ],
    ],
    [
      'a missing dealer only once',
      'feeds:\n  - { id: one, profile: plainlist, rooftop: AAA1 }\nleads:\n  destinations:\n    - { id: crm, adapter: pickup, options: { folder: x } }\n',
      ['bridge.yaml:1:1: "dealer" is missing'],
    ],
    [
      'sections with nothing in them',
      `${SMALL}feeds:\nserver:\n`,
      [
        'bridge.yaml:12:1 feeds: must be a list, but nothing is written here',
        'bridge.yaml:13:1 server: must be a group of keys, but nothing is written here',
      ],
    ],
    [
      'text that YAML takes for a number',
      group({ rooftop: '      phones: [{ value: +12075550110 }]\n      address: { zip: 04101 }\n' }),
      [
        'bridge.yaml:7:18 dealer.rooftops[0].phones[0].value: must be text, not a number; put it in quotes',
        'bridge.yaml:8:18 dealer.rooftops[0].address.zip: must be text, not a number; put it in quotes',
      ],
    ],
    [
      'switches and levels that do not exist',
      group({ top: 'skills: { lead.sumbit: false }\nlog: { level: inof }\n' }),
      [
        'bridge.yaml:9:11 skills["lead.sumbit"]: unknown key "lead.sumbit"; did you mean "lead.submit"?',
        'bridge.yaml:10:8 log.level: must be one of debug, info, warn, error; did you mean "info"?',
      ],
    ],
  ];

  it.each(cases)('tell %s', async (_name, yaml, expected) => {
    expect(await dealer.problems(yaml)).toEqual(expected);
  });

  it('tell an adapter of the dealer that does not load, with path and reason', async () => {
    await dealer.write('data/adapters/crm/broken/adapter.json', '{"name":"broken"}');
    const file = `${dealer.data}/adapters/crm/broken/adapter.json`;
    const problems = await dealer.problems(SMALL.replace('adapter: pickup', 'adapter: broken'));
    expect(problems).toEqual(
      ['kind', 'version', 'contract'].map(
        (key) =>
          `bridge.yaml:10:7 leads.destinations[0].adapter: the adapter "broken" does not load: ${file}: adapter.json: "${key}" is missing. schemas/adapter.schema.json says what belongs into it.`,
      ),
    );
    expect(await dealer.problems(SMALL)).toEqual([]);
  });

  it('tell a data folder that is a file', async () => {
    const dataFolder = await dealer.write('a-file', '');
    expect(await dealer.problems(SMALL.replace('pickup', 'adf-file'), { dataFolder })).toEqual([
      `the data folder ${JSON.stringify(dataFolder)} is a file. Name a folder with --data.`,
    ]);
  });
});
