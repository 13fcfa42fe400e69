import { spawn } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runBridge } from './bridge-command.ts';
import { runCommand } from './run-command.ts';

describe('the program in a shell', () => {
  it('explains itself, with examples and exit codes', async () => {
    const { code, out, err } = await runBridge(['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    for (const command of ['start', 'check', 'feed', 'lead', 'leads']) {
      expect(out).toMatch(new RegExp(`^ {2}${command} `, 'm'));
    }
    expect(out).toContain('Examples:');
    expect(out).toContain('Exit codes:');
  });

  it('ends with 2 on a wrong word', async () => {
    const { code, out, err } = await runBridge(['check', '--confg', 'x']);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toBe(
      "error: unknown option '--confg'\n(Did you mean --config?)\n(--help explains the command)\n",
    );
  });
});

describe('the command line', () => {
  it.each([
    [
      ['feed', '--help'],
      ['preview', 'run'],
    ],
    [['lead', '--help'], ['preview']],
    [
      ['leads', '--help'],
      ['list', 'show', 'resend'],
    ],
    [
      ['start', '--help'],
      ['--config', '--data', '--port', '--admin-port', 'Examples:', 'Exit codes:'],
    ],
    [
      ['help', 'check'],
      ['--config', '--data', 'Examples:', 'Exit codes:'],
    ],
  ])('explains %s', async (words, expected) => {
    const { code, out } = await runCommand(words);
    expect(code).toBe(0);
    for (const word of expected) expect(out).toContain(word);
  });

  it.each([
    [['chek'], "error: unknown command 'chek'\n(Did you mean check?)"],
    [['check', 'extra'], "error: too many arguments for 'check'"],
    [['start', '--port', '70000'], 'A port is a number from 0 to 65535.'],
    [['start', '--port', '8080x'], 'A port is a number from 0 to 65535.'],
    [['check', '--data', ''], 'Name a folder.'],
    [[], 'Usage: dealer-bridge'],
    [['feed'], 'Usage: dealer-bridge feed'],
  ])('refuses %j with exit code 2', async (words, message) => {
    const { code, out, err } = await runCommand(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toContain(message);
    expect(err).not.toContain('    at ');
  });

  it('prints its version', async () => {
    expect(await runCommand(['--version'])).toEqual({ code: 0, out: '0.1.0\n', err: '' });
  });
});

describe('the launcher on a Node that is too old', () => {
  let program: string;
  const real = fileURLToPath(new URL('../../bin/dealer-bridge.mjs', import.meta.url));

  beforeAll(async () => {
    program = await mkdtemp(join(tmpdir(), 'launcher-'));
    await mkdir(join(program, 'bin'));
    await cp(real, join(program, 'bin/dealer-bridge.mjs'));
    // This Node, made to look old to the launcher.
    await writeFile(
      join(program, 'old.cjs'),
      "Object.defineProperty(process.versions, 'node', { value: process.env.PRETENDED_NODE });",
    );
  });
  afterAll(() => rm(program, { recursive: true, force: true }));

  function launch(words: readonly string[], version: string) {
    const child = spawn(
      process.execPath,
      ['--require', join(program, 'old.cjs'), join(program, 'bin/dealer-bridge.mjs'), ...words],
      { env: { ...process.env, PRETENDED_NODE: version }, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    let output = '';
    const seen = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        for (const look of seen) look();
      });
    }
    const until = (text: string): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!output.includes(text)) return;
          seen.delete(look);
          resolve();
        };
        seen.add(look);
        look();
      });
    const ended = new Promise<{ code: number | null; signal: string | null; output: string }>((resolve) => {
      child.on('close', (code, signal) => resolve({ code, signal, output }));
    });
    return { child, until, ended };
  }

  it.each(['12.22.0', '20.20.2', '22.17.1'])('says on %s which Node it needs', async (version) => {
    const { code, output } = await launch(['check'], version).ended;
    expect(code).toBe(3);
    expect(output).toContain(`dealer-bridge needs Node 22.18 or newer; this is Node ${version}.`);
  });

  it.skipIf(process.platform === 'win32')(
    'uses the Node that came along: words, signals, exit code',
    async () => {
      const bundled = join(program, 'node_modules/node/bin/node');
      await mkdir(join(bundled, '..'), { recursive: true });
      // Stands for the newer Node: tells its words, then waits for the signal. Not a shell: dash now and then misses
      // a signal that comes while it starts a command.
      await writeFile(
        bundled,
        `#!${process.execPath}
process.on('SIGTERM', () => {
  console.log('got TERM');
  process.exit(7);
});
setTimeout(() => process.exit(1), 50_000);
console.log('words: ' + process.argv.slice(3).join(' '));
`,
        { mode: 0o755 },
      );
      const { child, until, ended } = launch(['start', '--port', '0'], '20.20.2');
      await until('words: start --port 0');
      child.kill('SIGTERM');
      expect(await ended).toEqual({ code: 7, signal: null, output: 'words: start --port 0\ngot TERM\n' });
    },
  );
});
