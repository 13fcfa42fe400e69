import { open, rename, rm } from 'node:fs/promises';
import { patiently, type Wait } from './patience.ts';

/** The steps of a file system that Windows refuses while a file is held. */
export interface FileSteps {
  rename(from: string, to: string): Promise<void>;
  rm(path: string, options: { force: true; recursive?: true }): Promise<void>;
}

export interface PatientFiles {
  /** Files and folders. What lies under the new name is replaced, where it is a file. */
  rename(from: string, to: string): Promise<void>;
  /** A file that is gone already is no fault. */
  remove(file: string): Promise<void>;
  /** With everything in it; what is gone already is no fault. */
  removeTree(path: string): Promise<void>;
}

/** Renames and removes with patience for whoever has a hand on the file. `steps` and `wait`: for trials. */
export function patientFiles(steps: FileSteps, wait?: Wait): PatientFiles {
  return {
    rename: (from, to) => patiently(() => steps.rename(from, to), wait),
    remove: (file) => patiently(() => steps.rm(file, { force: true }), wait),
    removeTree: (path) => patiently(() => steps.rm(path, { force: true, recursive: true }), wait),
  };
}

export const disk = patientFiles({ rename, rm });

/**
 * The text is under its name at once or not at all, and on disk, whenever the power goes. The unfinished file is
 * closed before it is renamed: Windows renames no file that is open. Its name is the same each time, so that a crash
 * leaves one at most, which the next call writes over.
 */
export async function writeWhole(
  path: string,
  text: string | AsyncIterable<string>,
  { files = disk, mode }: { files?: PatientFiles; mode?: number } = {},
): Promise<void> {
  const unfinished = `${path}.part`;
  const handle = await open(unfinished, 'w', mode);
  try {
    await handle.writeFile(text);
    await handle.datasync();
  } finally {
    await handle.close();
  }
  await files.rename(unfinished, path);
}
