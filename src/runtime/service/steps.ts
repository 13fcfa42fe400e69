import { execFile } from 'node:child_process';
import { chmod, chown, copyFile, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { disk, writeWhole } from '../../files/patient-files.ts';
import { OperatorFault } from '../../model/operator-fault.ts';

/** One thing that is done to the machine. A plan is a list of them, which can be read before it is carried out. */
export type Step =
  | { do: 'write'; file: string; text: string; mode: number }
  | { do: 'make folder'; path: string; mode: number }
  | { do: 'copy'; from: string; to: string }
  | { do: 'remove'; file: string }
  /** The group may read the file, nobody else but its owner. */
  | { do: 'share'; file: string; group: string }
  | { do: 'run'; words: readonly [string, ...string[]]; mayFail?: true };

/** The step for a person who wants to know before it happens; texts of files included. */
export function describeStep(step: Step): string {
  switch (step.do) {
    case 'write':
      return `write ${step.file}\n${step.text.replace(/^(?=.)/gm, '    ')}`.trimEnd();
    case 'make folder':
      return `make the folder ${step.path}, mode ${step.mode.toString(8)}`;
    case 'copy':
      return `copy ${step.from} to ${step.to}`;
    case 'remove':
      return `remove ${step.file}`;
    case 'share':
      return `let the group ${step.group} read ${step.file}`;
    case 'run':
      return `run ${step.words.map((word) => (/[\s"]|^$/.test(word) ? `'${word}'` : word)).join(' ')}`;
  }
}

/** In order; the first that fails ends it, with a fault that says which one it was. */
export async function carryOut(steps: readonly Step[]): Promise<void> {
  for (const step of steps) await carryOutStep(step);
}

async function carryOutStep(step: Step): Promise<void> {
  switch (step.do) {
    case 'write':
      await mkdir(dirname(step.file), { recursive: true });
      await writeWhole(step.file, step.text, { mode: step.mode });
      return;
    case 'make folder':
      await mkdir(step.path, { recursive: true, mode: step.mode });
      return;
    case 'copy':
      await copyFile(step.from, step.to);
      return;
    case 'remove':
      return disk.remove(step.file);
    case 'share':
      return share(step.file, step.group);
    case 'run':
      await run(step.words, step.mayFail === true);
  }
}

async function share(file: string, group: string): Promise<void> {
  const { out } = await runAndListen('getent', ['group', group]);
  const id = Number(out.split(':')[2]);
  if (!Number.isInteger(id)) throw new OperatorFault(`There is no group ${group}.`);
  const { uid, mode } = await stat(file);
  await chown(file, uid, id);
  await chmod(file, (mode & 0o700) | 0o040);
}

async function run([program, ...words]: readonly [string, ...string[]], mayFail: boolean): Promise<void> {
  const { code, out, err } = await runAndListen(program, words);
  if (code === 0 || mayFail) return;
  const said = (err.trim() || out.trim()).replace(/\s*\n\s*/g, ' ');
  throw new OperatorFault(`"${[program, ...words].join(' ')}" answered ${code}: ${said || 'nothing more'}`);
}

export interface Listened {
  /** 127 where the program is not there, as a shell says. */
  code: number;
  out: string;
  err: string;
}

/** Runs a program and hears what it says. Never rejects. */
export function runAndListen(program: string, words: readonly string[]): Promise<Listened> {
  return new Promise((resolve) => {
    execFile(program, [...words], { windowsHide: true }, (fault, out, err) => {
      if (fault === null) resolve({ code: 0, out, err });
      else if (typeof fault.code === 'number') resolve({ code: fault.code, out, err });
      else resolve({ code: 127, out, err: err === '' ? `${program} cannot be run: ${fault.message}` : err });
    });
  });
}
