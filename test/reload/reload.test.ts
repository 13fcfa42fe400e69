import { once } from 'node:events';
import { createWriteStream, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { BridgeProcess, eventually, filesIn, payloadOf, PROJECT } from '../e2e/bridge-process.ts';
import { leadRequest, writeDealership } from '../e2e/dealership.ts';

const HEADER = 'vin,stock,year,make,model,condition,status,list_price\n';

let bridge: BridgeProcess;
let text: string;
beforeEach(async () => {
  const configFile = writeDealership('    - { id: crm, adapter: adf-file, options: { folder: out } }');
  text = readFileSync(configFile, 'utf8');
  bridge = new BridgeProcess({ configFile });
  await bridge.start();
});
afterEach(() => bridge.dispose());

/** As editors save: a new file takes the name of the old. */
function saveByRename(changed: string): void {
  writeFileSync(`${bridge.configFile}~`, changed);
  renameSync(`${bridge.configFile}~`, bridge.configFile);
}

async function cardText(): Promise<string> {
  return (await fetch(`${bridge.url}/.well-known/agent-card.json`)).text();
}

interface Health {
  settings: { in_use_since: string; refused?: { reasons: string[] } };
  checks: { key: string; status: string }[];
}

async function health(): Promise<Health> {
  return (await (await fetch(`${bridge.adminUrl}/health`)).json()) as Health;
}

const refused = async (reason: RegExp): Promise<string[] | undefined> => {
  const reasons = (await health()).settings.refused?.reasons;
  return reasons?.some((told) => reason.test(told)) === true ? reasons : undefined;
};

/** The log's lines of changes that were refused. */
async function refusals(): Promise<string[]> {
  return (await bridge.log()).split('\n').filter((line) => line.includes('changed settings are refused'));
}

async function stocks(): Promise<unknown[]> {
  const request = { type: 'inventory.search.request', sort: { field: 'stock', order: 'asc' } };
  const vehicles = payloadOf(await bridge.ask(request)).data.vehicles as Record<string, unknown>[];
  return vehicles.map(({ stock, trim }) =>
    [stock, trim].filter((word) => typeof word === 'string').join(' '),
  );
}

const onTheLot = (wanted: unknown[]) =>
  eventually(wanted.join(), async () =>
    JSON.stringify(await stocks()) === JSON.stringify(wanted) ? true : undefined,
  );

/** Until `end`: searches and leads on several connections, as the machine bears it. Every refusal is kept. */
function startLoad() {
  const faults: unknown[] = [];
  const leads: string[] = [];
  let searches = 0;
  let isOver = false;
  const search = async (): Promise<void> => {
    while (!isOver) {
      const reply = await bridge.ask({ type: 'inventory.search.request' });
      if (reply.error !== undefined) faults.push(reply.error);
      searches += 1;
      await pause(20);
    }
  };
  const send = async (): Promise<void> => {
    while (!isOver) {
      const message = `lead ${crypto.randomUUID()}`;
      const email = `${crypto.randomUUID()}@example.com`;
      const customer = { first_name: 'Anna', last_name: 'Lee', email, phone: '+14155550123' };
      const reply = await bridge.ask(leadRequest({ message, customer }));
      if (reply.error === undefined) leads.push(String(payloadOf(reply).data.lead_id));
      else faults.push(reply.error);
      await pause(20);
    }
  };
  const workers = [search(), search(), send(), send()].map((work) =>
    work.catch((fault: unknown) => faults.push(fault)),
  );
  return {
    leads,
    end: async () => {
      isOver = true;
      await Promise.all(workers);
      return { faults, searches };
    },
  };
}

const BROKEN = [
  (sound: string) => sound.replace('leads:', 'leads: ['),
  (sound: string) => sound.replace('profile: aap', 'profile: appp'),
  (sound: string) => sound.replace('adapter: adf-file', 'adapter: adf-flie'),
  (sound: string) => sound.replace('rooftop: ONE', 'rooftop: TWO'),
  () => '',
];

it('changes twenty times under load, five of them broken: no call fails, no lead is lost or doubled', async () => {
  const load = startLoad();
  const startedWith = await cardText();
  let sound = text;
  let brokenOnes = 0;
  for (let change = 1; change <= 20; change += 1) {
    if (change % 4 === 0) {
      const broken = BROKEN[brokenOnes]?.(sound) ?? '';
      brokenOnes += 1;
      const before = await cardText();
      writeFileSync(bridge.configFile, broken);
      await eventually('a refusal', async () =>
        (await refusals()).length === brokenOnes ? true : undefined,
      );
      expect(await cardText()).toBe(before);
      continue;
    }
    sound = text
      .replace('name: One Store Motors\n  rooftops', `name: Store ${change} Motors\n  rooftops`)
      // The lane to the destination is handed over each time.
      .replace('adapter: adf-file,', `adapter: adf-file, max_at_once: ${1 + (change % 3)},`);
    // A line a call would be most of the log.
    sound += 'log: { level: warn }\n';
    if (change > 9)
      sound = sound
        .replace(
          'leads:',
          '  - { id: second, profile: aap, rooftop: ONE, settle_ms: 200, mode: delta }\nleads:',
        )
        .replace(
          'destinations:',
          'destinations:\n    - { id: later, adapter: adf-file, options: { folder: out-later } }',
        );
    if (change > 13) sound += 'skills: { inventory.facets: false }\n';
    if (change % 2 === 0) saveByRename(sound);
    else {
      writeFileSync(bridge.configFile, sound.slice(0, 40 * change));
      const rest = createWriteStream(bridge.configFile, { flags: 'a' });
      rest.end(sound.slice(40 * change));
      await once(rest, 'close');
    }
    await eventually(`change ${change}`, async () =>
      (await cardText()).includes(`Store ${change} Motors`) ? true : undefined,
    );
    if (change === 10) {
      const inbox = bridge.path('inbox', 'second');
      await eventually('the inbox of the added feed', async () =>
        (await filesIn(bridge.path('inbox'))).includes('second') ? true : undefined,
      );
      writeFileSync(join(inbox, 'a.csv'), `${HEADER},T1,2020,Ford,F-150,used,available,30000\n`);
    }
  }
  const sentBeforeTheEnd = load.leads.length;
  await eventually('leads by the last settings', () =>
    load.leads.length > sentBeforeTheEnd ? true : undefined,
  );
  const { faults, searches } = await load.end();
  expect(faults).toEqual([]);
  expect(searches).toBeGreaterThan(0);

  const finalCard = await cardText();
  expect(startedWith).toContain('inventory.facets');
  expect(finalCard).toContain('Store 19 Motors');
  expect(finalCard).not.toContain('inventory.facets');
  await onTheLot(['T1']);
  // The last change is a broken one: what is wrong with it is told, the one before is in use.
  const { settings, checks } = await health();
  expect(settings.refused?.reasons.join()).toContain('bridge.yaml');
  expect(checks).toContainEqual(expect.objectContaining({ key: 'settings-refused', status: 'warn' }));
  const reasons = (await refusals()).map((line) =>
    (JSON.parse(line) as { reasons: string[] }).reasons.join(),
  );
  expect(reasons[0]).toMatch(/bridge\.yaml:\d+:\d+/);
  expect(reasons[1]).toMatch(/bridge\.yaml:\d+:\d+ feeds\[0\]\.profile: .*appp/);
  expect(reasons[2]).toMatch(/bridge\.yaml:\d+:\d+ leads\.destinations\[0\]\.adapter: .*adf-flie/);
  expect(reasons[3]).toMatch(/bridge\.yaml:\d+:\d+ feeds\[0\]\.rooftop: .*TWO/);
  expect(bridge.output).toContain('changed settings are refused');

  const database = new Database(bridge.path('leads.db'), { readonly: true });
  const deliveries = () =>
    database
      .prepare('SELECT lead_id, destination, state, attempts FROM deliveries ORDER BY delivery_id')
      .all() as { lead_id: string; destination: string; state: string; attempts: number }[];
  await eventually('all leads to be out', () =>
    deliveries().every(({ state }) => state === 'delivered') ? true : undefined,
  );
  expect(deliveries().filter(({ attempts }) => attempts !== 1)).toEqual([]);
  expect(
    deliveries()
      .filter(({ destination }) => destination === 'crm')
      .map(({ lead_id }) => lead_id)
      .sort(),
  ).toEqual([...load.leads].sort());
  database.close();
  const written = async (folder: string) => (await filesIn(bridge.path(folder))).length;
  expect(await written('out')).toBe(load.leads.length);
  expect(await written('out-later')).toBeGreaterThan(0);
  expect(await written('out-later')).toBeLessThan(load.leads.length);
}, 240_000);

it('a changed profile reads the next file, known rows included; a broken one leaves the old one in use', async () => {
  const profileFile = join(dirname(bridge.configFile), 'mine.yaml');
  const profile = readFileSync(join(PROJECT, 'adapters', 'feeds', 'profiles', 'aap.yaml'), 'utf8');
  writeFileSync(profileFile, profile);
  writeFileSync(bridge.configFile, text.replace('profile: aap', 'profile: ./mine.yaml'));
  const taken = (message: string, times: number) =>
    eventually(`${message}, ${times} times`, async () =>
      (await bridge.log()).split(`"msg":"${message}"`).length > times ? true : undefined,
    );
  await taken('the feeds go by the new settings', 1);

  const rows = `vin,stock,year,make,model,trim,grade,condition\n,T1,2020,Ford,F-150,XL,Lariat,used\n`;
  const drop = (name: string, content: string) => writeFileSync(bridge.path('inbox', 'stock', name), content);
  drop('1.csv', rows);
  await onTheLot(['T1 XL']);

  writeFileSync(profileFile, profile.replace('trim: trim', 'trim: [grade'));
  const reasons = await eventually('refusal', () => refused(/mine\.yaml/));
  expect(reasons.join()).toMatch(/bridge\.yaml feeds\[0\]\.profile: .*mine\.yaml:\d+:\d+/);
  drop('2.csv', `${rows},T2,2021,Ford,F-150,XLT,Lariat,used\n`);
  await onTheLot(['T1 XL', 'T2 XLT']);

  writeFileSync(profileFile, profile.replace('trim: trim', 'trim: grade'));
  await taken('the feeds go by the new settings', 2);
  expect((await health()).settings.refused).toBeUndefined();
  drop('3.csv', `${rows},T2,2021,Ford,F-150,XLT,Lariat,used\n`);
  await onTheLot(['T1 Lariat', 'T2 Lariat']);
});

it('changed fees reach the vehicles that are on the lot, also when they change while the bridge is down', async () => {
  const withFees = (amount: number): string =>
    text
      .replace('    rooftop: ONE\n', '    rooftop: ONE\n    price_basis: base_plus_fees\n')
      .replace('      phones:', `      fees: [{ name: Doc, amount: ${amount} }]\n      phones:`);
  const isAdvertised = (price: number, fee: number) =>
    eventually(`a price of ${price}`, async () => {
      const { data } = payloadOf(await bridge.ask({ type: 'inventory.search.request' }));
      const [vehicle] = data.vehicles as Record<string, unknown>[];
      return vehicle?.price === price && JSON.stringify(vehicle.fees).includes(`:${fee}`) ? true : undefined;
    });
  saveByRename(withFees(389));
  await eventually('the new settings', async () =>
    (await bridge.log()).includes('the feeds go by the new settings') ? true : undefined,
  );
  writeFileSync(
    bridge.path('inbox', 'stock', 'a.csv'),
    `${HEADER},S1,2020,Ford,F-150,used,available,25995\n`,
  );
  await isAdvertised(26_384, 389);
  saveByRename(withFees(799));
  await isAdvertised(26_794, 799);
  await bridge.stop();
  saveByRename(withFees(100));
  await bridge.start();
  await isAdvertised(26_095, 100);
});

it('a change with a part that needs a restart waits as a whole, until that part is taken out', async () => {
  const named = text.replaceAll('One Store Motors', 'Moved Motors');
  writeFileSync(bridge.configFile, `${named}server: { limits: { max_headers: 50 } }\n`);
  await eventually('refusal', () => refused(/^bridge\.yaml server\.limits: .*Restart the bridge/));
  expect(await cardText()).toContain('One Store Motors');
  saveByRename(named);
  await eventually('the rest', async () => ((await cardText()).includes('Moved Motors') ? true : undefined));
  expect((await health()).settings.refused).toBeUndefined();

  saveByRename(`${named}watch_settings: false\n`);
  await eventually('the end of watching', async () =>
    (await bridge.log()).includes('"changed":["watch_settings"]') ? true : undefined,
  );
  expect(await bridge.stop()).toBe(0);
});
