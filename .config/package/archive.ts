import { createWriteStream } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { create } from 'tar';
import { ZipFile } from 'yazl';
import type { Platform } from './project.ts';

interface Packed {
  folder: string;
  files: readonly string[];
  platform: Platform;
  version: string;
}

/** What is run by itself. */
const RUN = /^(?:dealer-bridge|versions\/[^/]+\/(?:bin\/dealer-bridge\.mjs|node\/node))$/;

/**
 * Packs the folder, itself included, and answers the archive's path: .tar.gz for Linux, .zip for Windows, beside what
 * the folder lies in. The same files give the same bytes: sorted, nobody's, with one time for all.
 */
export async function pack(packed: Packed, at: Date, compression: number): Promise<string> {
  const { folder, platform, version } = packed;
  const name = join(dirname(dirname(folder)), `dealer-bridge-${version}-${platform}`);
  const archive = `${name}${platform === 'win32-x64' ? '.zip' : '.tar.gz'}`;
  await (platform === 'win32-x64' ? packZip : packTar)(archive, packed, { at, compression });
  return archive;
}

async function packTar(
  archive: string,
  { folder, files }: Packed,
  { at, compression }: { at: Date; compression: number },
): Promise<void> {
  for (const file of files) await chmod(join(folder, file), modeOf(file));
  await create(
    {
      file: archive,
      cwd: dirname(folder),
      gzip: { level: compression },
      portable: true,
      mtime: at,
      noDirRecurse: true,
    },
    files.map((file) => `${basename(folder)}/${file}`),
  );
}

async function packZip(
  archive: string,
  { folder, files }: Packed,
  { at, compression }: { at: Date; compression: number },
): Promise<void> {
  const zip = new ZipFile();
  for (const file of files) {
    const options = { mtime: at, mode: 0o100000 | modeOf(file), compressionLevel: compression };
    zip.addFile(join(folder, file), `${basename(folder)}/${file}`, options);
  }
  zip.end();
  await pipeline(zip.outputStream, createWriteStream(archive));
}

function modeOf(file: string): number {
  return RUN.test(file) ? 0o755 : 0o644;
}
