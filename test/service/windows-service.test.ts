import { readFileSync, type existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { InstallOptions } from '../../src/runtime/service/service-manager.ts';
import type { ServiceSettings } from '../../src/runtime/service/service-settings.ts';
import { describeStep } from '../../src/runtime/service/steps.ts';
import {
  accountName,
  mappedDrives,
  planWindowsInstall,
  serviceCommandLine,
} from '../../src/runtime/service/windows-plan.ts';
import { describeWindowsState, recordedService } from '../../src/runtime/service/windows-service.ts';
import { batchCommandLine, windowsCommandLine } from '../../src/runtime/service/windows-words.ts';
import { winswXml } from '../../src/runtime/service/winsw-xml.ts';
import { fileVersion, findWrapper, tooOld, type Wrapper } from '../../src/runtime/service/wrapper.ts';
import { PROJECT } from '../e2e/bridge-process.ts';
import { ON_WINDOWS } from './example-services.ts';

const SHAWL: Wrapper = { kind: 'shawl', file: 'C:\\Program Files\\dealer-bridge\\shawl.exe' };
const WINSW: Wrapper = { kind: 'winsw', file: 'C:\\Program Files\\dealer-bridge\\WinSW-x64.exe' };
const RECORD = 'C:\\ProgramData\\dealer-bridge\\services\\dealer-bridge.json';
const FRESH = { isInstalled: false, hasDataFolder: false, netUse: '' };

function planned(
  changes: Partial<ServiceSettings> = {},
  {
    wrapper = SHAWL,
    facts = FRESH,
    ...options
  }: Partial<InstallOptions> & { wrapper?: Wrapper; facts?: typeof FRESH } = {},
): { steps: string[]; advice: string[] } {
  const plan = planWindowsInstall(
    { ...ON_WINDOWS, ...changes },
    wrapper,
    { start: true, ...options },
    facts,
    RECORD,
  );
  return { steps: plan.steps.map(describeStep), advice: plan.advice };
}

describe('words on a Windows command line', () => {
  it.each([
    [['plain', '--name', 'C:\\a\\b.exe'], 'plain --name C:\\a\\b.exe'],
    [['C:\\Program Files\\x'], '"C:\\Program Files\\x"'],
    [['C:\\my folder\\'], '"C:\\my folder\\\\"'],
    [['C:\\folder\\', 'next'], 'C:\\folder\\ next'],
    [['say "hi"'], '"say \\"hi\\""'],
    [['a\\\\"b'], '"a\\\\\\\\\\"b"'],
    [['', 'x'], '"" x'],
    [['C:\\R&D\\(x86)'], '"C:\\R&D\\(x86)"'],
    [['\\\\nas\\exports'], '\\\\nas\\exports'],
  ])('%j', (words, line) => expect(windowsCommandLine(words)).toBe(line));

  it.each(['C:\\100%\\x', 'C:\\a"b', 'C:\\a\nb'])('%j goes through no batch file', (word) =>
    expect(() => batchCommandLine([word])).toThrow(/percent sign, a quote or a line break/),
  );
});

describe('a service through Shawl', () => {
  it('is one command line, which ends the bridge with Ctrl+C and 30 seconds', () => {
    expect(serviceCommandLine(ON_WINDOWS, SHAWL)).toBe(
      '"C:\\Program Files\\dealer-bridge\\shawl.exe" run --name dealer-bridge --stop-timeout 30000 --no-restart ' +
        '--kill-process-tree --log-dir C:\\ProgramData\\dealer-bridge\\data\\logs\\service ' +
        '--log-cmd-as dealer-bridge-console --cwd C:\\ProgramData\\dealer-bridge\\data -- ' +
        '"C:\\Program Files\\dealer-bridge\\dealer-bridge.cmd" start --config C:\\ProgramData\\dealer-bridge\\bridge.yaml ' +
        '--data C:\\ProgramData\\dealer-bridge\\data',
    );
  });

  it('is registered, started late, started again after faults, and given its folders alone', () => {
    const { steps, advice } = planned();
    expect(steps[0]).toContain(
      'run sc.exe create dealer-bridge binPath= \'"C:\\Program Files\\dealer-bridge\\shawl.exe" run',
    );
    expect(steps[0]).toMatch(
      / start= delayed-auto obj= 'NT SERVICE\\dealer-bridge' password= '' DisplayName= 'dealer-bridge for Example Motors \(dealer-bridge\)'$/,
    );
    expect(steps.slice(2)).toEqual([
      'run sc.exe failure dealer-bridge reset= 86400 actions= restart/10000/restart/60000/restart/300000',
      'run sc.exe failureflag dealer-bridge 1',
      'run sc.exe sidtype dealer-bridge unrestricted',
      'make the folder C:\\ProgramData\\dealer-bridge\\data, mode 700',
      'run icacls.exe C:\\ProgramData\\dealer-bridge\\data /inheritance:r /grant:r *S-1-5-18:(OI)(CI)F *S-1-5-32-544:(OI)(CI)F',
      "run icacls.exe C:\\ProgramData\\dealer-bridge\\data /grant 'NT SERVICE\\dealer-bridge:(OI)(CI)M'",
      "run icacls.exe C:\\ProgramData\\dealer-bridge /grant 'NT SERVICE\\dealer-bridge:(OI)(CI)RX'",
      expect.stringContaining(`write ${RECORD}\n`),
      'run sc.exe start dealer-bridge',
    ]);
    expect(advice).toEqual([]);
  });

  it('is set up again in place: nothing is created twice, and who may read the data stays', () => {
    const { steps } = planned({}, { facts: { isInstalled: true, hasDataFolder: true, netUse: '' } });
    expect(steps[0]).toMatch(/^run sc\.exe config dealer-bridge binPath= /);
    expect(steps.join('\n')).not.toContain('/inheritance:r');
    expect(steps.slice(-2)).toEqual(['run sc.exe stop dealer-bridge', 'run sc.exe start dealer-bridge']);
  });

  it('is not started where that was not asked for', () => {
    expect(planned({}, { start: false }).steps.join('\n')).not.toContain('sc.exe start');
  });
});

describe('a service through WinSW', () => {
  it('is a copy of it under the service’s name, with the settings in config/service beside it', () => {
    const { steps } = planned({}, { wrapper: WINSW });
    expect(steps[0]).toBe(
      `copy ${WINSW.file} to C:\\Program Files\\dealer-bridge\\dealer-bridge-service.exe`,
    );
    expect(steps[2]).toContain(
      'run sc.exe create dealer-bridge binPath= \'"C:\\Program Files\\dealer-bridge\\dealer-bridge-service.exe"\' start= delayed-auto',
    );
    const shipped = readFileSync(join(PROJECT, 'config', 'service', 'dealer-bridge-service.xml'), 'utf8');
    expect(shipped).toBe(winswXml(ON_WINDOWS));
  });

  it('escapes what XML takes for its own, and refuses what WinSW would take for a variable', () => {
    const xml = winswXml({ ...ON_WINDOWS, dealer: 'Lee & Sons <Ford>', dataFolder: 'D:\\Lee & Sons\\' });
    expect(xml).toContain('<name>dealer-bridge for Lee &amp; Sons &lt;Ford&gt; (dealer-bridge)</name>');
    expect(xml).toContain('--data "D:\\Lee &amp; Sons\\\\"</arguments>');
    expect(() => winswXml({ ...ON_WINDOWS, dataFolder: 'D:\\%TEMP%' })).toThrow(/percent sign/);
  });
});

describe('the account', () => {
  it.each([
    [undefined, 'NT SERVICE\\bridge-2'],
    ['LocalService', 'NT AUTHORITY\\LocalService'],
    ['nt authority\\networkservice', 'NT AUTHORITY\\NetworkService'],
    ['MOTORS\\bridge$', 'MOTORS\\bridge$'],
  ])('%s is %s', (account, name) => expect(accountName(account, 'bridge-2')).toBe(name));

  it('with a password is set by hand, where no command line shows it', () => {
    expect(() => accountName('MOTORS\\anna', 'bridge')).toThrow(/services\.msc/);
  });
});

describe('folders that a service does not see', () => {
  const NET_USE = [
    'Neue Verbindungen werden gespeichert.',
    '',
    'Status       Lokal     Remote                    Netzwerk',
    '-------------------------------------------------------------------------------',
    'OK           Z:        \\\\nas\\exports            Microsoft Windows Network',
    'Getrennt     Y:        \\\\old server\\share       Microsoft Windows Network',
  ].join('\r\n');

  it('are told by their share', () => {
    const service = { ...ON_WINDOWS, writes: ['z:\\homenet', 'D:\\local', 'Y:\\x'] };
    expect(mappedDrives(service, NET_USE)).toEqual([
      'z:\\homenet is on a mapped drive, which a service does not see. Write \\\\nas\\exports\\homenet in its place.',
      'Y:\\x is on a mapped drive, which a service does not see. Write \\\\old server\\share\\x in its place.',
    ]);
  });

  it('are no folders of this machine to give rights on', () => {
    const { steps, advice } = planned({ writes: ['\\\\nas\\exports', 'E:\\exports'] });
    expect(steps.filter((step) => step.includes('icacls')).join('\n')).not.toContain('nas');
    expect(steps).toContain("run icacls.exe E:\\exports /grant 'NT SERVICE\\dealer-bridge:(OI)(CI)M'");
    expect(advice).toEqual([expect.stringContaining('this computer’s account')]);
    expect(planned({ writes: ['\\\\nas\\x'] }, { account: 'LocalService' }).advice[0]).toContain(
      'LocalService reaches no share',
    );
  });
});

describe('the wrapper', () => {
  it('is found beside the program first, then on the PATH', () => {
    const there = new Set(['C:\\tools\\shawl.exe', 'C:\\p\\WinSW.exe']);
    const isThere = (file: string): boolean => there.has(file);
    expect(findWrapper(['C:\\p', 'C:\\tools'], isThere as typeof existsSync)).toEqual({
      kind: 'winsw',
      file: 'C:\\p\\WinSW.exe',
    });
    expect(findWrapper(['C:\\q', 'C:\\tools'], isThere as typeof existsSync)?.kind).toBe('shawl');
    expect(findWrapper(['C:\\q'], isThere as typeof existsSync)).toBeUndefined();
  });

  it('tells its version by its own properties', () => {
    const properties = Buffer.alloc(52);
    properties.writeUInt32LE(0xfeef04bd, 0);
    properties.writeUInt32LE(0x00010000, 4);
    properties.writeUInt32LE((1 << 16) | 9, 8);
    properties.writeUInt32LE((2 << 16) | 0, 12);
    const decoy = Buffer.from([0xbd, 0x04, 0xef, 0xfe, 1, 2, 3, 4]);
    expect(fileVersion(Buffer.concat([Buffer.alloc(999), decoy, Buffer.alloc(3), properties]))).toEqual([
      1, 9, 2, 0,
    ]);
    expect(fileVersion(Buffer.from('MZ nothing of the kind'))).toBeUndefined();
  });

  it.each([
    [SHAWL, [1, 8, 0, 0], `${SHAWL.file} is Shawl 1.8.0.0; 1.9 is needed.`],
    [SHAWL, [1, 9, 0, 0], undefined],
    [SHAWL, [2, 0, 0, 0], undefined],
    [WINSW, [2, 11, 0, 0], `${WINSW.file} is WinSW 2.11.0.0; 2.12 is needed.`],
    [WINSW, [2, 12, 0, 0], undefined],
    [WINSW, undefined, `${WINSW.file} does not say which version of WinSW it is.`],
  ])('%j of %j', (wrapper, version, complaint) => expect(tooOld(wrapper, version)).toBe(complaint));
});

describe('what sc.exe says of a service', () => {
  const QUERY = `
SERVICE_NAME: dealer-bridge
        TYP                : 10  WIN32_OWN_PROCESS
        STATUS             : 4  RUNNING
                                (STOPPABLE, NOT_PAUSABLE, ACCEPTS_SHUTDOWN)
        WIN32_EXIT_CODE    : 0  (0x0)
        SERVICE_EXIT_CODE  : 0  (0x0)`;

  it('is understood in any language', () => {
    expect(describeWindowsState('dealer-bridge', 0, QUERY)).toEqual({
      isInstalled: true,
      isRunning: true,
      text: 'dealer-bridge: running',
    });
    const stopped = QUERY.replace('4  RUNNING', '1  STOPPED').replace(
      'SERVICE_EXIT_CODE  : 0',
      'SERVICE_EXIT_CODE  : 3',
    );
    expect(describeWindowsState('dealer-bridge', 0, stopped).text).toBe(
      'dealer-bridge: stopped; it ended with 3, "service logs" tells why',
    );
    expect(
      describeWindowsState('x', 1060, '[SC] EnumQueryServicesStatus:OpenService FAILED 1060:'),
    ).toMatchObject({
      isInstalled: false,
      text: 'x: not installed as a service',
    });
  });
});

it('a service is found again by the data folder that its record names', () => {
  const record = JSON.stringify({ name: 'bridge-2', dataFolder: 'D:\\Data' });
  expect(recordedService('bridge-2.json', record, 'd:\\data')).toBe('bridge-2');
  expect(recordedService('bridge-2.json', record, 'd:\\other')).toBeUndefined();
});
