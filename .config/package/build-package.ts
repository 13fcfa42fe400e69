import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pack } from './archive.ts';
import { checksums, listFiles, sha256, unfitForWindows } from './file-list.ts';
import { addLauncher } from './launchers.ts';
import { addNode } from './node-runtime.ts';
import { writeBillOfMaterials, writeLicences } from './papers.ts';
import { addPackages, productionPackages } from './production-packages.ts';
import { addProgram } from './program-files.ts';
import { commitInstant, commitName, type Platform, readManifest } from './project.ts';

export interface BuiltPackage {
  folder: string;
  archive: string;
}

/**
 * Builds `<destination>/dealer-bridge-<version>-<platform>` and its archive with a checksum beside it. What is there
 * is replaced. Needs the registry once for each version of Node, and rejects when it cannot be had.
 */
export async function buildPackage(platform: Platform, destination: string): Promise<BuiltPackage> {
  const manifest = readManifest();
  const nodeVersion = manifest.devDependencies.node;
  const at = commitInstant();
  const folder = join(destination, `dealer-bridge-${manifest.version}-${platform}`);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });

  await addNode(platform, nodeVersion, join(folder, 'node'));
  await addProgram(folder, manifest);
  const packages = productionPackages();
  await addPackages(packages, platform, folder);
  await addLauncher(platform, folder);
  await writeLicences(folder, packages, nodeVersion);
  await writeBillOfMaterials(folder, packages, { nodeVersion, builtAt: at.toISOString() });
  const facts = {
    name: manifest.name,
    version: manifest.version,
    platform,
    node: nodeVersion,
    commit: commitName(),
    built_at: at.toISOString(),
  };
  await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(facts, null, 2)}\n`);

  const files = await listFiles(folder);
  const unfit = unfitForWindows(basename(folder), files);
  if (unfit.length > 0) throw new Error(`names that Windows cannot keep: ${unfit.join('; ')}`);
  await writeFile(join(folder, 'SHA256SUMS'), await checksums(folder, files));
  const archive = await pack(folder, [...files, 'SHA256SUMS'], { platform, at });
  await writeFile(`${archive}.sha256`, `${await sha256(archive)}  ${basename(archive)}\n`);
  return { folder, archive };
}
