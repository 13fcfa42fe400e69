import { execFile, type ExecFileException } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BIN = fileURLToPath(new URL('../../bin/dealer-bridge.mjs', import.meta.url));

export interface Finished {
  code: number;
  out: string;
  err: string;
}

/** Runs the real program, as an operator's shell would, and waits for its end. */
export function runBridge(
  words: readonly string[],
  options: { cwd?: string; env?: object } = {},
): Promise<Finished> {
  const env = { ...process.env, ...options.env, NODE_OPTIONS: '' };
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      [BIN, ...words],
      { ...options, env },
      (error: ExecFileException | null, out, err) => {
        resolve({ code: error === null ? 0 : Number(error.code), out, err });
      },
    );
  });
}
