import { open, readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { sha256Of } from './archive-checksum.ts';
import { refuse } from './archive-entries.ts';
import { compareVersions } from './version-order.ts';

const SUMS = 'SHA256SUMS';
const AT_ONCE = 64;
const SUM_LINE = /^([0-9a-f]{64}) {2}(.+)$/;

/** What a version says about itself in manifest.json. */
interface VersionManifest {
  name: string;
  version: string;
  platform: string;
}

/**
 * Whether an unpacked version is whole, for this machine, and not older than the one that is there. On disk when this
 * resolves; refuses with an OperatorFault.
 */
export async function requireFittingVersion(
  folder: string,
  { version, installed, mayBeOlder }: { version: string; installed: string; mayBeOlder: boolean },
): Promise<void> {
  const manifest = await readVersionManifest(folder);
  if (manifest.name !== 'dealer-bridge' || manifest.version !== version) {
    refuse('its manifest.json is of another program or version');
  }
  const platform = `${process.platform}-${process.arch}`;
  if (manifest.platform !== platform)
    refuse(`it is for ${manifest.platform}, and this machine is ${platform}`);
  if (version === installed) refuse(`${version} is the version that is here already`);
  if (compareVersions(version, installed) < 0 && !mayBeOlder) {
    refuse(
      `${version} is older than ${installed}, which is here. "upgrade --rollback" goes back to the version before; ` +
        '--allow-downgrade takes this one as it is',
    );
  }
  await requireWhole(folder);
}

async function readVersionManifest(folder: string): Promise<VersionManifest> {
  try {
    const manifest = JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')) as unknown;
    if (typeof manifest === 'object' && manifest !== null) return manifest as VersionManifest;
  } catch {
    // Told below.
  }
  return refuse('it has no manifest.json that can be read');
}

/** Each file as SHA256SUMS has it, and no other. */
async function requireWhole(folder: string): Promise<void> {
  const lines = (await readFile(join(folder, SUMS), 'utf8').catch(() => refuse(`it has no ${SUMS}`)))
    .split('\n')
    .filter((line) => line !== '');
  const sums = new Map(
    lines.map((line) => {
      const [, sum, path] = SUM_LINE.exec(line) ?? refuse(`its ${SUMS} is damaged`);
      return [path, sum];
    }),
  );
  const paths = await filesBelow(folder);
  for (const path of paths) {
    if (path === SUMS) continue;
    const file = join(folder, ...path.split('/'));
    if (sums.get(path) !== (await sha256Of(file))) refuse(`${path} is not as its ${SUMS} has it`);
    sums.delete(path);
  }
  const [missing] = sums.keys();
  if (missing !== undefined) refuse(`${missing} is missing`);
  await flush(folder, paths);
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
}

/** A power cut after the switch must find them on the disk. Many at once: the disk brings them together. */
async function flush(folder: string, paths: readonly string[]): Promise<void> {
  for (let at = 0; at < paths.length; at += AT_ONCE) {
    await Promise.all(
      paths.slice(at, at + AT_ONCE).map((path) => flushFile(join(folder, ...path.split('/')))),
    );
  }
}

async function flushFile(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.datasync();
  } finally {
    await handle.close();
  }
}
