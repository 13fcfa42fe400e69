import { createWriteStream } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';
import { ZipFile } from 'yazl';
import type { Platform } from './project.ts';

const COMPRESSION = 6;
const RUN = new Set(['dealer-bridge', 'bin/dealer-bridge.mjs', 'node/node']);

/**
 * Packs the folder, itself included, and answers the archive's path: .tar.gz for Linux, .zip for Windows. The same
 * files give the same bytes: sorted, nobody's, with one time for all.
 */
export async function pack(
  folder: string,
  files: readonly string[],
  { platform, at }: { platform: Platform; at: Date },
): Promise<string> {
  return platform === 'win32-x64' ? packZip(folder, files, at) : packTar(folder, files, at);
}

async function packTar(folder: string, files: readonly string[], at: Date): Promise<string> {
  const archive = `${folder}.tar.gz`;
  for (const file of files) await chmod(join(folder, file), modeOf(file));
  await create(
    {
      file: archive,
      cwd: dirname(folder),
      gzip: { level: COMPRESSION },
      portable: true,
      mtime: at,
      noDirRecurse: true,
    },
    files.map((file) => `${basename(folder)}/${file}`),
  );
  return archive;
}

async function packZip(folder: string, files: readonly string[], at: Date): Promise<string> {
  const archive = `${folder}.zip`;
  const zip = new ZipFile();
  for (const file of files) {
    const options = { mtime: at, mode: 0o100000 | modeOf(file), compressionLevel: COMPRESSION };
    zip.addFile(join(folder, file), `${basename(folder)}/${file}`, options);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(archive));
  return archive;
}

function modeOf(file: string): number {
  return RUN.has(file) ? 0o755 : 0o644;
}
