import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { credentialName } from '../../src/model/credential-name.ts';
import type { ServiceSettings } from '../../src/runtime/service/service-settings.ts';
import { systemdUnit } from '../../src/runtime/service/systemd-unit.ts';
import { systemdWord } from '../../src/runtime/service/systemd-words.ts';
import { PROJECT } from '../e2e/bridge-process.ts';
import { ON_LINUX } from './example-services.ts';

const hasAnalyze = spawnSync('systemd-analyze', ['--version']).status === 0;
if (!hasAnalyze)
  process.stderr.write('The unit is not looked at by systemd: systemd-analyze is not installed.\n');

const folder = mkdtempSync(join(tmpdir(), 'unit-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function linesOf(changes: Partial<ServiceSettings> = {}): string[] {
  return systemdUnit({ ...ON_LINUX, ...changes }, 'dealer-bridge').split('\n');
}

const AWKWARD: Partial<ServiceSettings> = {
  dealer: 'Fünf 100%\nMotors',
  configFile: '/srv/our "own" $HOME/bridge 50%.yaml',
  dataFolder: '/srv/da ta',
  writes: ['/srv/ex ports/in', '/home/scan/exports'],
  reads: ['/home/it/ce:rt.pem'],
  secretFiles: ['/srv/secrets/crm key', '/srv/other/crm key'],
  needsLowPort: true,
};

describe('the unit', () => {
  it('is the one in config/service, for the places that the guide names', () => {
    const shipped = readFileSync(join(PROJECT, 'config', 'service', 'dealer-bridge.service'), 'utf8');
    expect(shipped).toBe(systemdUnit(ON_LINUX, 'dealer-bridge'));
  });

  it('hands words over as they are, whatever stands in them', () => {
    const lines = linesOf(AWKWARD);
    expect(lines).toContain('Description=dealer-bridge for Fünf 100%% Motors');
    expect(lines).toContain(
      'ExecStart=:/opt/dealer-bridge/dealer-bridge start ' +
        '--config "/srv/our \\"own\\" $HOME/bridge 50%%.yaml" --data "/srv/da ta"',
    );
    expect(lines).toContain('WorkingDirectory=/srv/da ta');
    expect(systemdWord('a\\b c')).toBe('"a\\\\b c"');
    expect(() => systemdWord('a\nExecStart=/bin/sh')).toThrow(/control character/);
  });

  it('opens only the folders that the settings name, and of the homes nothing else', () => {
    const lines = linesOf(AWKWARD);
    expect(lines.filter((line) => /^(ReadWritePaths|ProtectHome|Bind|StateDirectory)/.test(line))).toEqual([
      'ReadWritePaths="-/srv/da ta"',
      'ReadWritePaths="-/srv/ex ports/in"',
      'ReadWritePaths=-/home/scan/exports',
      'ProtectHome=tmpfs',
      'BindPaths=-/home/scan/exports',
      'BindReadOnlyPaths="-/home/it/ce\\\\:rt.pem"',
    ]);
    expect(linesOf()).toEqual(
      expect.arrayContaining(['ProtectHome=yes', 'StateDirectory=dealer-bridge', 'ProtectSystem=strict']),
    );
  });

  it('has secrets read by root, each under a name of its own', () => {
    const [one, other] = AWKWARD.secretFiles ?? [];
    expect(credentialName(one!)).toMatch(/^crm_key-[0-9a-f]{12}$/);
    expect(credentialName(one!)).not.toBe(credentialName(other!));
    expect(linesOf(AWKWARD)).toEqual(
      expect.arrayContaining([
        `LoadCredential=${credentialName(one!)}:/srv/secrets/crm key`,
        `LoadCredential=${credentialName(other!)}:/srv/other/crm key`,
      ]),
    );
  });

  it('has no capability but that for a low port, where there is one', () => {
    const capabilities = (lines: string[]): string[] => lines.filter((line) => line.includes('apabilit'));
    expect(capabilities(linesOf())).toEqual(['CapabilityBoundingSet=', 'AmbientCapabilities=']);
    expect(capabilities(linesOf({ needsLowPort: true }))).toEqual([
      'CapabilityBoundingSet=CAP_NET_BIND_SERVICE',
      'AmbientCapabilities=CAP_NET_BIND_SERVICE',
    ]);
  });
});

describe.skipIf(!hasAnalyze)('what systemd says of it', () => {
  /** systemd also looks whether the program is there. */
  function written(name: string, changes: Partial<ServiceSettings>): string {
    const program = join(folder, 'pro gram', 'dealer-bridge');
    mkdirSync(join(program, '..'), { recursive: true });
    writeFileSync(program, '#!/bin/sh\n');
    chmodSync(program, 0o755);
    const file = join(folder, `${name}.service`);
    writeFileSync(file, systemdUnit({ ...ON_LINUX, ...changes, name, program: [program] }, 'daemon'));
    return file;
  }

  it.each([
    ['dealer-bridge', {}],
    ['awkward', AWKWARD],
  ])('nothing against %s', (name, changes) => {
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', written(name, changes)], {
      encoding: 'utf8',
    });
    expect({ status, stderr: stderr.split('\n').filter((line) => line.includes(name)) }).toEqual({
      status: 0,
      stderr: [],
    });
  });

  it.each([
    ['dealer-bridge', {}],
    ['awkward', AWKWARD],
  ])('%s is sandboxed: exposure of at most 2.0 of 10', (name, changes) => {
    const said = execFileSync(
      'systemd-analyze',
      ['security', '--offline=true', '--threshold=20', '--no-pager', written(name, changes)],
      { encoding: 'utf8' },
    );
    expect(Number(/Overall exposure level.*: ([\d.]+)/.exec(said)?.[1])).toBeLessThanOrEqual(2);
  });
});
