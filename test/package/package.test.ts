import { execFile } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { extract } from 'tar';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listFiles, sha256, unfitForWindows } from '../../.config/package/file-list.ts';
import { requireFittingVersion } from '../../src/runtime/upgrade/check-version.ts';
import { BridgeProcess, eventually, payloadOf, PROJECT } from '../e2e/bridge-process.ts';
import { leadRequest, writeDealership } from '../e2e/dealership.ts';
import { builtPackages } from './built-packages.ts';
import { Larkspur } from './crm.ts';
import { readZip, type ZipEntry } from './read-zip.ts';

const run = promisify(execFile);
const version = (JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string })
  .version;
const built = await builtPackages(version);
const isHere = process.platform === 'linux' && process.arch === 'x64';

/** What both systems get. */
const FILES = [
  'LICENSE',
  'README.md',
  'SHA256SUMS',
  'THIRD-PARTY-LICENCES.txt',
  'adapters/crm/adf-email/adapter.js',
  'adapters/templates/crm/larkspur/adapter.ts',
  'config/bridge.yaml',
  'manifest.json',
  'samples/requests/search.json',
  'sbom.cdx.json',
  'schemas/config.schema.json',
  'src/bridge/worker.js',
];

function expectNoWaste(files: readonly string[]): void {
  const waste = files.filter(
    (file) =>
      /(?:^|\/)(?:cpu-features|vitest|typescript|eslint)\//.test(file) ||
      /^(?:test|bench|\.config|\.git)\//.test(file) ||
      (/\.(?:ts|map)$/.test(file) && !file.startsWith('adapters/templates/')),
  );
  expect(waste).toEqual([]);
}

describe.skipIf(built === undefined || !isHere)('the package for Linux', () => {
  let place: string;
  let program: string;
  let launcher: string;
  beforeAll(async () => {
    place = mkdtempSync(join(tmpdir(), 'bare-'));
    await extract({ file: built!.linux.archive, cwd: place });
    launcher = join(place, 'dealer-bridge', 'dealer-bridge');
    program = join(place, 'dealer-bridge', 'versions', version);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  it('holds what it says, byte for byte, and no more than is run', async () => {
    const files = (await listFiles(program)).filter((file) => file !== 'SHA256SUMS');
    // As an upgrade to it would look at it.
    await requireFittingVersion(program, { version, installed: '0.0.1', mayBeOlder: false });
    for (const file of FILES) expect([file, existsSync(join(program, file))]).toEqual([file, true]);
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([
      'node_modules/better-sqlite3/prebuilds/linux-x64.node',
    ]);
    expectNoWaste(files);
    expect(readFileSync(`${built!.linux.archive}.sha256`, 'utf8')).toBe(
      `${await sha256(built!.linux.archive)}  ${basename(built!.linux.archive)}\n`,
    );
  });

  it('tells what it is made of', () => {
    const manifest = JSON.parse(readFileSync(join(program, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'dealer-bridge', version, platform: 'linux-x64' });
    const bill = JSON.parse(readFileSync(join(program, 'sbom.cdx.json'), 'utf8')) as {
      bomFormat: string;
      metadata: { component: { name: string } };
      components: { name: string }[];
    };
    expect(bill.bomFormat).toBe('CycloneDX');
    expect(bill.metadata.component.name).toBe('dealer-bridge');
    const names = bill.components.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['node', 'better-sqlite3', 'ssh2']));
    expect(names).not.toContain('cpu-features');
    const licences = readFileSync(join(program, 'THIRD-PARTY-LICENCES.txt'), 'utf8');
    expect(licences).toContain('Node.js is licensed for use as follows');
    expect(licences).toMatch(/^better-sqlite3 [\d.]+ \(MIT\)$/m);
  });

  it('says its version with nothing around it', async () => {
    const { stdout } = await run(launcher, ['--version'], { env: {}, cwd: '/' });
    expect(stdout).toBe(`${version}\n`);
  });

  it('says what is wrong when "current" names no version', async () => {
    const installation = join(place, 'broken');
    mkdirSync(installation);
    copyFileSync(launcher, join(installation, 'dealer-bridge'));
    for (const text of [undefined, '', '9.9.9\n']) {
      if (text !== undefined) writeFileSync(join(installation, 'current'), text);
      await expect(
        run(join(installation, 'dealer-bridge'), ['--version'], { env: {} }),
      ).rejects.toMatchObject({
        code: 3,
        stderr: `dealer-bridge: ${installation}/current must name a folder of ${installation}/versions, and names "${(text ?? '').trim()}".\n`,
      });
    }
  });

  it('takes a file in, answers a search, hands a lead to a vendor’s TypeScript adapter, and stops', async () => {
    const crm = await Larkspur.open();
    const configFile = writeDealership(crm.settings);
    const environment = { LARKSPUR_SECRET: 'secret-of-larkspur' };
    const bridge = new BridgeProcess({ configFile, environment, launcher });
    try {
      cpSync(join(PROJECT, 'adapters/templates/crm/larkspur'), bridge.path('adapters/crm/larkspur'), {
        recursive: true,
      });
      await bridge.start();
      copyFileSync(
        join(program, 'samples/feeds/lakeview-aap.csv'),
        bridge.path('inbox', 'stock', 'export.csv'),
      );
      const search = { type: 'inventory.search.request', filters: {}, pagination: { skip: 0, limit: 1 } };
      const found = await eventually('the file is taken in', async () => {
        const { data } = payloadOf(await bridge.ask(search));
        return data.total > 0 ? data : undefined;
      });
      expect(found).toMatchObject({ total: 51, vehicles: [{ dealer_id: 'ONE' }] });
      const leadId = payloadOf(await bridge.ask(leadRequest())).data.lead_id as string;
      const lead = await eventually('the lead is delivered', () => crm.leads[0]);
      expect(lead).toMatchObject({ externalId: leadId, note: 'Do you have snow tires?' });

      const command = (...words: string[]) =>
        run(launcher, [...words, '--config', configFile, '--data', bridge.dataFolder], { env: environment });
      const isDelivered = async () =>
        new RegExp(`${leadId}.*delivered`).test((await command('leads', 'list')).stdout) || undefined;
      // What the CRM has and nobody has noted yet would be sent again.
      await eventually('the delivery is noted', isDelivered);

      // Killed, started again, backed up while it runs, and brought back from that.
      await bridge.stop('SIGKILL');
      await bridge.start();
      expect(payloadOf(await bridge.ask(search)).data.total).toBe(51);
      const made = await command('backup', 'now');
      const [backup = ''] = /\d{8}T\d{6}Z/.exec(made.stdout) ?? [];
      expect(await bridge.stop('SIGTERM')).toBe(0);
      rmSync(bridge.path('leads.db'));
      await command('backup', 'restore', backup, '--yes');
      await bridge.start();
      expect(payloadOf(await bridge.ask(search)).data.total).toBe(51);
      expect(await isDelivered()).toBe(true);
      expect(crm.leads).toHaveLength(1);
      expect(await bridge.stop('SIGTERM')).toBe(0);
    } finally {
      await bridge.dispose();
      crm.close();
    }
  });
});

describe.skipIf(built === undefined)('the package for Windows', () => {
  const below = `versions/${version}`;
  let entries: Map<string, ZipEntry>;
  beforeAll(async () => {
    entries = await readZip(built!.windows.archive, [
      `${below}/node/node.exe`,
      `${below}/node_modules/better-sqlite3/prebuilds/win32-x64.node`,
      `${below}/manifest.json`,
      'dealer-bridge.cmd',
      'current',
    ]);
  });

  it('holds what is run, under names that Windows can keep', () => {
    const files = [...entries.keys()];
    for (const file of FILES) expect(files).toContain(`${below}/${file}`);
    expect(unfitForWindows('dealer-bridge', files)).toEqual([]);
    expect(files.filter((file) => file.endsWith('.node'))).toEqual([
      `${below}/node_modules/better-sqlite3/prebuilds/win32-x64.node`,
    ]);
    expectNoWaste(files.map((file) => file.replace(`${below}/`, '')));
    expect(JSON.parse(entries.get(`${below}/manifest.json`)!.bytes.toString())).toMatchObject({
      platform: 'win32-x64',
    });
  });

  it.each(['node/node.exe', 'node_modules/better-sqlite3/prebuilds/win32-x64.node'])(
    '%s is for its processor',
    (file) => {
      const { bytes } = entries.get(`${below}/${file}`)!;
      const header = bytes.readUInt32LE(0x3c);
      expect(bytes.toString('latin1', 0, 2)).toBe('MZ');
      expect(bytes.toString('latin1', header, header + 4)).toBe('PE\0\0');
      expect(bytes.readUInt16LE(header + 4)).toBe(0x8664);
    },
  );

  it('has a launcher that cmd reads: with CR LF, and the program’s words handed on', () => {
    const text = entries.get('dealer-bridge.cmd')!.bytes.toString();
    expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(text).toContain('set "program=%~dp0versions\\%version%"');
    expect(text).toContain('"%program%\\node\\node.exe" "%program%\\bin\\dealer-bridge.mjs" %*');
    expect(entries.get('current')!.bytes.toString()).toBe(`${version}\n`);
  });
});

describe('names that Windows cannot keep', () => {
  it.each([
    [['a/aux.js'], ['a/aux.js is no name there']],
    [['b:c'], ['b:c is no name there']],
    [['end.'], ['end. is no name there']],
    [['a/B.js', 'a/b.js'], ['a/b.js and a/B.js differ by case only']],
    [['x'.repeat(196)], [`${'x'.repeat(196)} is too long`]],
    [['x'.repeat(195), 'auxiliary.js', 'console/com.js'], []],
  ])('%j', (files, expected) => {
    expect(unfitForWindows('root', files)).toEqual(expected);
  });
});
