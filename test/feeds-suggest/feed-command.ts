import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { Finished } from '../cli/bridge-command.ts';
import { runCommand } from '../cli/run-command.ts';
import { CASES_FOLDER } from '../feeds-intake/case-files.ts';

let folder: string;

/** Gives each test of the file that calls it a folder of its own. */
export function useTemporaryFolder(): void {
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'feed-command-'));
  });
  afterEach(async () => {
    await rm(folder, { recursive: true });
  });
}

/** A place in the folder of the test that runs. */
export function inFolder(...names: string[]): string {
  return path.join(folder, ...names);
}

/** With the demo's settings, which know the rooftops of the case files, unless others are named. */
export function feed(...words: string[]): Promise<Finished> {
  return runCommand(['feed', ...words]);
}

/** Names the data folder of the test that runs. */
export function data(): string[] {
  return ['--data', inFolder('data')];
}

export function caseFile(name: string): string {
  return path.join(CASES_FOLDER, name);
}
