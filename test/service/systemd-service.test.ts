import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isServiceName } from '../../src/runtime/service/service-settings.ts';
import { carryOut, describeStep } from '../../src/runtime/service/steps.ts';
import {
  describeUnitState,
  planSystemdInstall,
  serviceNameOf,
} from '../../src/runtime/service/systemd-service.ts';
import { systemdUnit } from '../../src/runtime/service/systemd-unit.ts';
import { runBridge } from '../cli/bridge-command.ts';
import { PROJECT } from '../e2e/bridge-process.ts';
import { ON_LINUX } from './example-services.ts';

const DEMO = join(PROJECT, 'config', 'bridge.yaml');
/** Where no service can see a program: where a clone lies that was made to try something out. */
const IS_HIDDEN = /^\/(?:(?:var\/)?tmp|root)\//.test(PROJECT);

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'service-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function planned(changes: object = {}, options: object = {}, hasUser = false): string[] {
  const { steps } = planSystemdInstall({ ...ON_LINUX, ...changes }, { start: true, ...options }, hasUser);
  return steps.map((step) => describeStep(step).split('\n')[0] ?? '');
}

describe('what an installation does', () => {
  it('the first time', () => {
    expect(planned()).toEqual([
      'run useradd --system --user-group --home-dir /var/lib/dealer-bridge --no-create-home --shell /usr/sbin/nologin dealer-bridge',
      'let the group dealer-bridge read /etc/dealer-bridge/bridge.yaml',
      'write /etc/systemd/system/dealer-bridge.service',
      'run systemctl daemon-reload',
      'run systemctl enable dealer-bridge.service',
      'run systemctl restart dealer-bridge.service',
    ]);
  });

  it('again, with a data folder elsewhere, another account, and not to be started', () => {
    expect(planned({ dataFolder: '/srv/data' }, { account: 'it', start: false }, true)).toEqual([
      'make the folder /srv/data, mode 750',
      'run chown -R -h it:it /srv/data',
      'let the group it read /etc/dealer-bridge/bridge.yaml',
      'write /etc/systemd/system/dealer-bridge.service',
      'run systemctl daemon-reload',
      'run systemctl enable dealer-bridge.service',
    ]);
  });

  it.each([
    [{ dataFolder: '/tmp/data' }, /data folder must not lie in \/tmp\/data: a service has temporary folders/],
    [{ programFolder: '/root/dealer-bridge' }, /program must not lie in \/root/],
    [{ configFile: '/var/tmp/bridge.yaml' }, /settings file must not lie in/],
  ])('is refused for what the service could not see: %j', (changes, reason) => {
    expect(() => planned(changes)).toThrow(reason);
  });

  it('is refused for an account that is not there', () => {
    expect(() => planned({}, { account: 'it' })).toThrow('There is no account it on this machine.');
  });
});

describe('steps', () => {
  it('are carried out in order, up to the first that fails, which is told', async () => {
    const file = join(folder, 'deep', 'unit');
    const write = { do: 'write', file, text: 'one\n', mode: 0o640 } as const;
    await carryOut([
      write,
      { do: 'run', words: ['false'], mayFail: true },
      { do: 'copy', from: file, to: `${file}2` },
    ]);
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['one\n', 0o640]);
    await expect(
      carryOut([
        { do: 'run', words: ['sh', '-c', 'echo no such luck >&2; exit 4'] },
        { do: 'remove', file },
      ]),
    ).rejects.toThrow('"sh -c echo no such luck >&2; exit 4" answered 4: no such luck');
    await expect(carryOut([{ do: 'run', words: ['no-such-program'] }])).rejects.toThrow(
      /answered 127: .*ENOENT/,
    );
    expect(readFileSync(`${file}2`, 'utf8')).toBe('one\n');
    await carryOut([
      { do: 'remove', file },
      { do: 'remove', file },
    ]);
    expect(() => statSync(file)).toThrow(/ENOENT/);
  });

  it.skipIf(process.getuid?.() !== 0)('let a group read a file, and nobody else', async () => {
    const file = join(folder, 'bridge.yaml');
    writeFileSync(file, '');
    chmodSync(file, 0o644);
    await carryOut([{ do: 'share', file, group: 'daemon' }]);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(statSync(file).gid).not.toBe(0);
  });
});

describe('what systemd says of a service', () => {
  const RUNNING =
    'LoadState=loaded\nActiveState=active\nSubState=running\nStatusText=serving\n' +
    'ActiveEnterTimestamp=Mon 2026-11-30 02:30:00 UTC\nNRestarts=2\nResult=success\n';

  it('is one line', () => {
    expect(describeUnitState('dealer-bridge', RUNNING)).toEqual({
      isInstalled: true,
      isRunning: true,
      text: 'dealer-bridge: running since Mon 2026-11-30 02:30:00 UTC – serving – started again 2 times by itself; "service logs" tells why',
    });
    const failed = RUNNING.replace('=active', '=failed')
      .replace('=running', '=failed')
      .replace('=success', '=watchdog');
    expect(
      describeUnitState('x', failed.replace('=serving', '=').replace('NRestarts=2', 'NRestarts=0')),
    ).toEqual({
      isInstalled: true,
      isRunning: false,
      text: 'x: failed (failed, watchdog)',
    });
    expect(describeUnitState('x', 'LoadState=not-found\nActiveState=inactive\n')).toMatchObject({
      isInstalled: false,
    });
    expect(describeUnitState('x', '')).toMatchObject({ isInstalled: false });
  });

  it('its unit is known again by its data folder', () => {
    const unit = systemdUnit({ ...ON_LINUX, dataFolder: '/srv/da ta' }, 'it');
    expect(serviceNameOf('bridge-2.service', unit, '/srv/da ta')).toBe('bridge-2');
    expect(serviceNameOf('bridge-2.service', unit, '/srv/da')).toBeUndefined();
    expect(serviceNameOf('other.service', unit.replace(/^.*\n/, ''), '/srv/da ta')).toBeUndefined();
  });
});

it.each([
  ['dealer-bridge', true],
  ['bridge-2', true],
  ['Bridge', false],
  ['a b', false],
  ['-a', false],
  ['a-', false],
  ['../x', false],
  ['a'.repeat(32), false],
])('%s is a service name: %s', (name, isOne) => expect(isServiceName(name)).toBe(isOne));

describe.skipIf(process.platform !== 'linux')('dealer-bridge service', () => {
  const install = () =>
    runBridge(['service', 'install', '--dry-run', '--name', 'bridge-2', '--config', DEMO]);

  it.skipIf(IS_HIDDEN)(
    'install --dry-run shows what would be done, with the folders and ports of the settings, and does nothing',
    async () => {
      const { code, out } = await install();
      expect(code).toBe(0);
      expect(out).toContain('run useradd --system --user-group --home-dir /var/lib/bridge-2');
      expect(out).toContain('    StateDirectory=bridge-2\n');
      expect(out).toContain(` start --config ${DEMO} --data /var/lib/bridge-2\n`);
      // A secret that only a comment names would keep systemd from starting anything.
      expect(out).not.toContain('LoadCredential');
      expect(existsSync('/etc/systemd/system/bridge-2.service')).toBe(false);
    },
  );

  it.runIf(IS_HIDDEN)(
    'install tells that a service would not see a program where this one lies',
    async () => {
      const { code, err } = await install();
      expect(code).toBe(3);
      expect(err).toMatch(
        /program must not lie in \/.*: a service has temporary folders|\/root, which only root may enter/,
      );
    },
  );

  it('says which settings it misses, and tells a wrong name', async () => {
    expect(await runBridge(['service', 'install', '--name', 'no-such-bridge'])).toMatchObject({
      code: 3,
      err: expect.stringMatching(
        /^dealer-bridge: \/etc\/no-such-bridge\/bridge\.yaml is not there\. Copy config\/starter/,
      ),
    });
    expect(await runBridge(['service', 'status', '--name', 'No such'])).toMatchObject({ code: 2 });
  });

  it('status answers 1 for a service that is not there', async () => {
    expect(await runBridge(['service', 'status', '--name', 'no-such-bridge'])).toEqual({
      code: 1,
      out: 'no-such-bridge: not installed as a service\n',
      err: '',
    });
  });

  it('uninstall --dry-run keeps settings and data', async () => {
    const { out } = await runBridge(['service', 'uninstall', '--dry-run']);
    expect(out).toBe(
      'run systemctl disable --now dealer-bridge.service\nremove /etc/systemd/system/dealer-bridge.service\n' +
        'run systemctl daemon-reload\nrun systemctl reset-failed dealer-bridge.service\n',
    );
  });
});
