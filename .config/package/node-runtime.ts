import { existsSync } from 'node:fs';
import { copyFile, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { extract } from 'tar';
import { npm } from './npm.ts';
import { PROJECT, type Platform } from './project.ts';

const CACHE = join(PROJECT, 'node_modules', '.cache', 'dealer-bridge-package');

/** The registry cannot be had, or has not this version. */
export class NodeNotFetched extends Error {}

function nodeFileName(platform: Platform): string {
  return platform === 'win32-x64' ? 'node.exe' : 'node';
}

/** Puts Node and its licence into `folder`: the platform's package in the registry, fetched once for each version. */
export async function addNode(platform: Platform, version: string, folder: string): Promise<void> {
  const unpacked = await fetchNode(platform, version);
  const file = nodeFileName(platform);
  await mkdir(folder, { recursive: true });
  await copyFile(join(unpacked, 'bin', file), join(folder, file));
  // The package for Windows leaves the licence out; it is one for all systems.
  const licensed = await fetchNode('linux-x64', version);
  await copyFile(join(licensed, 'LICENSE'), join(folder, 'LICENSE'));
}

async function fetchNode(platform: Platform, version: string): Promise<string> {
  const place = join(CACHE, `node-${platform}-${version}`);
  if (existsSync(place)) return place;
  await mkdir(CACHE, { recursive: true });
  const folder = await mkdtemp(join(CACHE, 'fetching-'));
  try {
    const name = `node-${registryName(platform)}@${version}`;
    await npm(['pack', name, '--pack-destination', folder]).catch((cause: unknown) => {
      throw new NodeNotFetched(`npm cannot fetch ${name} from the registry`, { cause });
    });
    const archive = join(folder, `node-${registryName(platform)}-${version}.tgz`);
    await extract({
      file: archive,
      cwd: folder,
      strip: 1,
      filter: (path) => /\/(?:bin\/node(?:\.exe)?|LICENSE)$/.test(path),
    });
    await rm(archive);
    await rename(folder, place);
    return place;
  } catch (fault) {
    await rm(folder, { recursive: true, force: true });
    throw fault;
  }
}

/** The registry's package for Windows is called after the product, not after Node's own word for it. */
function registryName(platform: Platform): string {
  return platform.replace('win32', 'win');
}
