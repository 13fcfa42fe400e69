import { vi } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import type { Finished } from './bridge-command.ts';

/**
 * Runs a command line inside this process and hears what it says. Much quicker than `runBridge`, for all that needs
 * no shell.
 */
export async function runCommand(words: readonly string[]): Promise<Finished> {
  const said = { out: '', err: '' };
  const hear = (stream: 'out' | 'err') => (text: unknown) => {
    said[stream] += String(text);
    return true;
  };
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(hear('out')),
    vi.spyOn(process.stderr, 'write').mockImplementation(hear('err')),
    vi.spyOn(console, 'log').mockImplementation((text: unknown) => hear('out')(`${String(text)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((text: unknown) => hear('err')(`${String(text)}\n`)),
  ];
  try {
    return { code: await runProgram(words), ...said };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
