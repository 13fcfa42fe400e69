import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { pack } from './archive.ts';
import { checksums, listFiles, sha256, unfitForWindows } from './file-list.ts';
import { addLauncher } from './launchers.ts';
import { addNode } from './node-runtime.ts';
import { billOfMaterials, writeLicences } from './papers.ts';
import { addPackages, productionPackages } from './production-packages.ts';
import { addProgram, compileProgram } from './program-files.ts';
import { commitInstant, commitName, type Platform, readManifest } from './project.ts';

export interface BuiltPackage {
  platform: Platform;
  /** What the archive holds: launcher, `current`, `versions`. */
  folder: string;
  archive: string;
}

/** The one folder of each archive: an installation, which later versions move into. */
const INSTALLATION = 'dealer-bridge';

/**
 * Builds `<destination>/dealer-bridge-<version>-<platform>` and its archive with a checksum beside it, for each
 * platform. What is there is replaced. Needs the registry once for each version of Node, and rejects when it cannot be
 * had. `compression`: 1 (fast) to 9 (small).
 */
export async function buildPackages(
  platforms: readonly Platform[],
  destination: string,
  compression: number,
): Promise<BuiltPackage[]> {
  const manifest = readManifest();
  const nodeVersion = manifest.devDependencies.node;
  const at = commitInstant();
  const packages = productionPackages();
  const compiled = join(destination, 'compiled');
  await compileProgram(compiled);
  const bill = await billOfMaterials(packages, { nodeVersion, builtAt: at.toISOString() });
  const built = [];
  for (const platform of platforms) {
    const place = join(destination, `dealer-bridge-${manifest.version}-${platform}`);
    await rm(place, { recursive: true, force: true });
    const folder = join(place, INSTALLATION);
    const version = join(folder, 'versions', manifest.version);
    await mkdir(version, { recursive: true });
    await addNode(platform, nodeVersion, join(version, 'node'));
    await addProgram(version, manifest, compiled);
    await addPackages(packages, platform, version);
    await writeLicences(version, packages, nodeVersion);
    await writeFile(join(version, 'sbom.cdx.json'), bill);
    const facts = {
      name: manifest.name,
      version: manifest.version,
      platform,
      node: nodeVersion,
      commit: commitName(),
      built_at: at.toISOString(),
    };
    await writeFile(join(version, 'manifest.json'), `${JSON.stringify(facts, null, 2)}\n`);
    const archive = await closePackage({ platform, folder, version: manifest.version }, at, compression);
    built.push({ platform, folder, archive });
  }
  await rm(compiled, { recursive: true, force: true });
  return built;
}

/** Adds the launcher and the checksums, and packs it all into an archive beside the folder. */
export async function closePackage(
  { platform, folder, version }: { platform: Platform; folder: string; version: string },
  at: Date,
  compression: number,
): Promise<string> {
  const program = join(folder, 'versions', version);
  await rm(join(program, 'SHA256SUMS'), { force: true });
  await writeFile(join(program, 'SHA256SUMS'), await checksums(program, await listFiles(program)));
  await addLauncher({ platform, version }, folder);
  const files = await listFiles(folder);
  const unfit = unfitForWindows(basename(folder), files);
  if (unfit.length > 0) throw new Error(`names that Windows cannot keep: ${unfit.join('; ')}`);
  const archive = await pack({ folder, files, platform, version }, at, compression);
  await writeFile(`${archive}.sha256`, `${await sha256(archive)}  ${basename(archive)}\n`);
  return archive;
}
