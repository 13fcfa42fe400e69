import { execFile } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { BridgeProcess, eventually, payloadOf, PROJECT } from '../e2e/bridge-process.ts';
import { leadRequest, writeDealership } from '../e2e/dealership.ts';
import { builtPackages, type TestedPackage } from './built-packages.ts';
import { addLeadsMigration, edit, OtherVersion, removePlaces } from './next-version.ts';

const version = (JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string })
  .version;
const built = await builtPackages(version);
const isHere = process.platform === 'linux' && process.arch === 'x64';
const KILL_AT = fileURLToPath(new URL('./kill-at.mjs', import.meta.url));

/** A CRM that counts how often it got each lead. */
async function countingCrm(): Promise<{ got: Map<string, number>; settings: string }> {
  const got = new Map<string, number>();
  const server = createServer((request, response) => {
    const id = String(request.headers['idempotency-key']);
    request.resume().on('end', () => {
      got.set(id, (got.get(id) ?? 0) + 1);
      response.end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/leads`;
  return { got, settings: `    - id: crm\n      adapter: adf-http\n      options: { url: "${url}" }` };
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => void server.close(() => resolve()));
  return port;
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** An installation of the light version 0.0.9 with a dealership, on ports that are known before it starts. */
class Dealership {
  readonly bridge: BridgeProcess;
  readonly port: number;
  readonly installation: string;
  readonly crm: Awaited<ReturnType<typeof countingCrm>>;

  private constructor(given: Pick<Dealership, 'installation' | 'crm' | 'port' | 'bridge'>) {
    ({ bridge: this.bridge, port: this.port, installation: this.installation, crm: this.crm } = given);
  }

  static async open(base: OtherVersion, packages: TestedPackage & { version: string }): Promise<Dealership> {
    const crm = await countingCrm();
    const [port, adminPort] = [await freePort(), await freePort()];
    const configFile = writeDealership(crm.settings);
    const server = `server:\n  host: 127.0.0.1\n  port: ${port}\n  admin_port: ${adminPort}\n`;
    writeFileSync(configFile, server + readFileSync(configFile, 'utf8'));
    const installation = base.install(packages);
    const bridge = new BridgeProcess({ configFile, launcher: join(installation, 'dealer-bridge') });
    onTestFinished(() => bridge.dispose());
    return new Dealership({ installation, crm, port, bridge });
  }

  get current(): string {
    return readFileSync(join(this.installation, 'current'), 'utf8').trim();
  }

  get versions(): string[] {
    return readdirSync(join(this.installation, 'versions')).sort();
  }

  /** Of the present leads.db. */
  leads(): { lead_id: string; state: string }[] {
    const database = new Database(this.bridge.path('leads.db'), { readonly: true });
    try {
      return database
        .prepare<[], { lead_id: string; state: string }>(
          'SELECT lead_id, state FROM leads JOIN deliveries USING (lead_id) ORDER BY leads.rowid',
        )
        .all();
    } finally {
      database.close();
    }
  }

  form(): number {
    const database = new Database(this.bridge.path('leads.db'), { readonly: true });
    try {
      return Number(database.pragma('user_version', { simple: true }));
    } finally {
      database.close();
    }
  }

  run(words: readonly string[], environment: Record<string, string> = {}): Promise<Ended> {
    const settings = ['--config', this.bridge.configFile, '--data', this.bridge.dataFolder];
    return new Promise((resolve) => {
      const child = execFile(
        join(this.installation, 'dealer-bridge'),
        [...words, ...settings],
        { env: { PATH: '', ...environment } },
        (_fault, out, err) => resolve({ code: child.exitCode, out, err }),
      );
    });
  }

  /** Leads that this sends have a message of their own, so that none is a repeat. */
  async submit(message: string): Promise<string> {
    const id = payloadOf(await this.bridge.ask(leadRequest({ message }))).data.lead_id as string;
    await this.delivered(id);
    return id;
  }

  async delivered(id: string): Promise<void> {
    await eventually(`${id} is delivered`, () =>
      this.leads().some(({ lead_id, state }) => lead_id === id && state === 'delivered') ? true : undefined,
    );
  }

  /** To whichever version stands on the ports of the settings. */
  async submitToPort(message: string): Promise<string> {
    const body = {
      jsonrpc: '2.0',
      id: '1',
      method: 'SendMessage',
      params: {
        message: { messageId: message, role: 'ROLE_USER', parts: [{ data: leadRequest({ message }) }] },
      },
    };
    return eventually('the new version takes a lead', async () => {
      const response = await fetch(`http://127.0.0.1:${this.port}/a2a`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'a2a-version': '1.0' },
        body: JSON.stringify(body),
      }).catch(() => undefined);
      return response === undefined
        ? undefined
        : (payloadOf((await response.json()) as Parameters<typeof payloadOf>[0]).data.lead_id as string);
    });
  }
}

afterAll(removePlaces);

describe.skipIf(built === undefined || !isHere)(
  'upgrade of an unpacked package',
  { timeout: 240_000 },
  () => {
    let packages: TestedPackage & { version: string };
    let base: OtherVersion;
    beforeAll(async () => {
      packages = { ...built!.linux, version };
      base = await OtherVersion.make(packages, '0.0.9');
    });
    const open = (): Promise<Dealership> => Dealership.open(base, packages);

    it('moves to the archive’s version and back, with everything kept', async () => {
      const { archive } = await OtherVersion.make(packages, '0.2.0');
      const dealership = await open();
      const { bridge } = dealership;
      await bridge.start();
      copyFileSync(
        join(PROJECT, 'samples/feeds/lakeview-aap.csv'),
        bridge.path('inbox', 'stock', 'export.csv'),
      );
      const search = { type: 'inventory.search.request', filters: {}, pagination: { skip: 0, limit: 1 } };
      const vehicles = (): Promise<number> =>
        eventually('vehicles are found', async () => {
          const total = payloadOf(await bridge.ask(search)).data.total as number;
          return total > 0 ? total : undefined;
        });
      expect(await vehicles()).toBe(51);
      const first = await dealership.submit('Before.');

      const asked = await dealership.run(['upgrade', archive]);
      expect(asked).toMatchObject({ code: 1, out: '' });
      expect(asked.err).toContain('Nothing was changed. Add --yes to do it.');
      const done = await dealership.run(['upgrade', archive, '--yes']);
      expect(done).toMatchObject({ code: 0, err: '' });
      expect(done.out).toMatch(
        /^The archive is what was published\.\n.* understands the settings .*\nBackup \w+ is made and verified\.\n/,
      );
      expect(done.out).toContain('0.2.0 is the current version. Start the bridge');
      expect(dealership.current).toBe('0.2.0');
      expect(dealership.versions).toEqual(['0.0.9', '0.2.0']);
      expect(existsSync(bridge.path('upgrade-trial'))).toBe(false);

      await bridge.start();
      expect(((await (await fetch(`${bridge.adminUrl}/health`)).json()) as { version: string }).version).toBe(
        '0.2.0',
      );
      expect(await vehicles()).toBe(51);
      const second = await dealership.submit('After.');

      const back = await dealership.run(['upgrade', '--rollback', '--yes']);
      expect(back).toMatchObject({ code: 0, err: '' });
      expect(dealership.current).toBe('0.0.9');
      await bridge.start();
      expect(await vehicles()).toBe(51);
      expect(dealership.leads().map(({ lead_id }) => lead_id)).toEqual([first, second]);
      expect([...dealership.crm.got.values()]).toEqual([1, 1]);
      const log = readFileSync(join(dealership.installation, 'upgrade.log'), 'utf8');
      expect(log.match(/(?<=0\.0\.9 to .*: ).*/g)).toEqual([
        'trying',
        'backing up',
        'stopping',
        'switching',
        'starting',
        'going back',
      ]);
    });

    it('goes back by itself when the new version never gets ready, and keeps the leads that it took', async () => {
      const next = await OtherVersion.make(packages, '0.2.0', (program) => {
        addLeadsMigration(program);
        edit(program, 'src/bridge/readiness.js', "now !== 'serving'", 'true');
      });
      const dealership = await open();
      await dealership.bridge.start();
      const form = dealership.form();
      const first = await dealership.submit('Before.');
      const upgrading = dealership.run(['upgrade', next.archive, '--yes', '--ready-seconds', '15']);
      const second = await dealership.submitToPort('Meanwhile.');
      const failed = await upgrading;
      expect(failed.code).toBe(1);
      expect(failed.err).toContain('0.2.0 does not run: it was not ready within 15 seconds: ');
      expect(failed.err).toContain('0.0.9 is the current version again.');
      expect(failed.out).toContain('1 lead since then taken over, with what became of them.');
      expect(dealership.current).toBe('0.0.9');
      expect(dealership.form()).toBe(form);
      expect(dealership.leads().map(({ lead_id }) => lead_id)).toEqual([first, second]);
      await dealership.bridge.start();
      await dealership.delivered(second);
      const third = await dealership.submit('Afterwards.');
      expect([...dealership.crm.got.keys()]).toHaveLength(3);
      expect([...dealership.crm.got.values()]).toEqual([1, 1, 1]);
      expect(third).not.toBe(second);
      expect((await dealership.run(['leads', 'audit'])).out).toContain(
        'The consent ledger is whole: 3 records',
      );
    });

    it('goes back by itself when the new version does not start, and says what it said', async () => {
      const next = await OtherVersion.make(packages, '0.2.0', (program) => {
        addLeadsMigration(program);
        edit(program, 'src/bridge/listen.js', 'return await listen()', "throw new Error('no socket today')");
      });
      const dealership = await open();
      await dealership.bridge.start();
      const lead = await dealership.submit('Before.');
      const failed = await dealership.run(['upgrade', next.archive, '--yes']);
      expect(failed.code).toBe(1);
      expect(failed.err).toMatch(/0\.2\.0 does not run: it ended with code 3:\n[^]*no socket today/);
      expect(dealership.current).toBe('0.0.9');
      await dealership.bridge.start();
      expect(dealership.leads()).toEqual([{ lead_id: lead, state: 'delivered' }]);
    });

    it('changes nothing when the new version does not take a copy of the data over', async () => {
      const next = await OtherVersion.make(packages, '0.2.0', (program) => {
        edit(program, 'src/leads/store-schema.js', /\n\];\n/, "\n  'DROP TABLE nonsense',\n];\n");
      });
      const dealership = await open();
      await dealership.bridge.start();
      await dealership.submit('Before.');
      const failed = await dealership.run(['upgrade', next.archive, '--yes']);
      expect(failed.code).toBe(1);
      expect(failed.err).toMatch(
        /0\.2\.0 was tried on a copy of the data and does not take it over:\n[^]*nonsense/,
      );
      expect([dealership.current, dealership.versions]).toEqual(['0.0.9', ['0.0.9']]);
      await dealership.submit('Still serving.');
    });

    it('leaves a version that starts whenever it is killed', async () => {
      const next = await OtherVersion.make(packages, '0.2.0', addLeadsMigration);
      const hollow = await OtherVersion.hollow(packages, '0.2.0');
      const dealership = await open();
      await dealership.bridge.start();
      const lead = await dealership.submit('Before.');
      await dealership.bridge.stop('SIGKILL');
      const kill = (step: string, words: readonly string[]): Promise<Ended> =>
        dealership.run(words, { KILL_AT: step, NODE_OPTIONS: `--import=${KILL_AT}` });
      for (const step of ['0.2.0', 'trying', 'backing up', 'stopping', 'switching']) {
        const killed = await kill(step, ['upgrade', hollow.archive, '--yes']);
        expect([step, killed]).toMatchObject([step, { code: null }]);
        expect(dealership.current).toBe('0.0.9');
      }
      const told = await kill('current', ['upgrade', next.archive, '--yes']);
      expect(told.out).toContain(
        'The upgrade from 0.0.9 to 0.2.0 was cut off (switching); 0.0.9 is current.',
      );
      expect(dealership.current).toBe('0.2.0');
      await dealership.bridge.start();
      expect(dealership.leads()).toEqual([{ lead_id: lead, state: 'delivered' }]);
      const second = await dealership.submit('With the new version.');
      await dealership.bridge.stop();

      const back = ['upgrade', '--rollback', '--yes'];
      // In the middle of the exchange: the present leads.db is aside, the other not yet in its place.
      for (const step of ['going back', 'leads.db', 'current']) {
        // The version that goes back is a process of the one that was asked, and it is the one that dies.
        expect([step, (await kill(step, back)).code]).toEqual([step, 1]);
      }
      expect(await dealership.run(back)).toMatchObject({ code: 0 });
      expect(dealership.current).toBe('0.0.9');
      await dealership.bridge.start();
      expect(dealership.leads().map(({ lead_id }) => lead_id)).toEqual([lead, second]);
      await dealership.submit('With the old one.');
      expect([...dealership.crm.got.values()]).toEqual([1, 1, 1]);
    });

    it('refuses what is not a newer whole version of this program for this machine', async () => {
      const dealership = await open();
      const place = mkdtempSync(join(tmpdir(), 'refused-'));
      const refusal = async (archive: string, ...words: string[]): Promise<string> => {
        const { code, err } = await dealership.run(['upgrade', archive, '--yes', ...words]);
        expect([code, dealership.current, dealership.versions]).toEqual([1, '0.0.9', ['0.0.9']]);
        return err;
      };
      const copy = join(place, 'copy.tar.gz');
      copyFileSync(base.archive, copy);
      expect(await refusal(copy)).toContain('There is no checksum to compare');
      expect(await refusal(copy, '--sha256', '0'.repeat(64))).toContain('is not what was published');
      expect(await refusal(base.archive)).toContain('0.0.9 is the version that is here already');
      const older = await OtherVersion.hollow(packages, '0.0.8');
      expect(await refusal(older.archive)).toContain('0.0.8 is older than 0.0.9');
      const foreign = await OtherVersion.hollow(packages, '0.2.0');
      edit(foreign.program, 'manifest.json', 'linux-x64', 'win32-x64');
      await foreign.close();
      expect(await refusal(foreign.archive)).toContain('it is for win32-x64, and this machine is linux-x64');
    });
  },
);
