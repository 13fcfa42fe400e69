import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { closePackage } from '../../.config/package/build-package.ts';
import type { TestedPackage } from './built-packages.ts';

/** What is large, and is the same in each version. */
const SHARED = new Set(['node', 'node_modules', 'docs', 'samples', 'SHA256SUMS']);
const AT = new Date('2026-01-01T00:00:00Z');

const places: string[] = [];

function newPlace(name: string): string {
  const place = mkdtempSync(join(tmpdir(), name));
  places.push(place);
  return place;
}

/** Everything that this file has made. */
export function removePlaces(): void {
  for (const place of places) rmSync(place, { recursive: true, force: true });
}

/** An archive of another version: the program of today under another number, with something in it changed. */
export class OtherVersion {
  /** The installation that the archive holds. */
  readonly folder: string;
  readonly program: string;
  readonly version: string;
  archive = '';

  private constructor(folder: string, version: string) {
    this.folder = folder;
    this.version = version;
    this.program = join(folder, 'versions', version);
  }

  /** `change` gets the folder of the version. Node comes along as a script that starts the one of `built`. */
  static async make(
    { folder: built, version: known }: TestedPackage & { version: string },
    version: string,
    change: (program: string) => void = () => undefined,
  ): Promise<OtherVersion> {
    const place = newPlace('version-');
    const other = new OtherVersion(join(place, 'package', 'dealer-bridge'), version);
    const source = join(built, 'versions', known);
    cpSync(source, other.program, {
      recursive: true,
      filter: (path) => !SHARED.has(relative(source, path)),
    });
    mkdirSync(join(other.program, 'node'));
    const node = join(source, 'node', 'node');
    writeFileSync(join(other.program, 'node', 'node'), `#!/bin/sh\nexec '${node}' "$@"\n`, { mode: 0o755 });
    for (const name of ['package.json', 'manifest.json']) other.#renumber(name);
    change(other.program);
    await other.close();
    return other;
  }

  /** A version that says yes to everything and does nothing: for an upgrade that is not to come to its end. */
  static async hollow(
    { folder: built, version: known }: TestedPackage & { version: string },
    version: string,
  ): Promise<OtherVersion> {
    const place = newPlace('version-');
    const other = new OtherVersion(join(place, 'package', 'dealer-bridge'), version);
    mkdirSync(join(other.program, 'node'), { recursive: true });
    writeFileSync(join(other.program, 'node', 'node'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    cpSync(join(built, 'versions', known, 'manifest.json'), join(other.program, 'manifest.json'));
    other.#renumber('manifest.json');
    await other.close();
    return other;
  }

  /** Packs it, again after a change. */
  async close(): Promise<void> {
    const { folder, version } = this;
    this.archive = await closePackage({ platform: 'linux-x64', folder, version }, AT, 1);
  }

  /** As if somebody had unpacked the archive; packages lie one floor above, for all versions without their own. */
  install(built: TestedPackage & { version: string }): string {
    const folder = join(newPlace('installation-'), 'dealer-bridge');
    cpSync(this.folder, folder, { recursive: true });
    symlinkSync(join(built.folder, 'versions', built.version, 'node_modules'), join(folder, 'node_modules'));
    return folder;
  }

  #renumber(name: string): void {
    const file = join(this.program, name);
    const text = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...text, version: this.version }));
  }
}

/** Puts another text into a file of a version; a text that is not there is a fault of the test. */
export function edit(program: string, file: string, from: string | RegExp, to: string): void {
  const path = join(program, file);
  const before = readFileSync(path, 'utf8');
  const after = before.replace(from, to);
  if (after === before) throw new Error(`${file} has no ${String(from)}`);
  writeFileSync(path, after);
}

/** The next form of leads.db: a column more, as most new forms will be. */
export function addLeadsMigration(program: string): void {
  edit(
    program,
    'src/leads/store-schema.js',
    /\n\];\n/,
    `\n  "ALTER TABLE leads ADD COLUMN colour TEXT NOT NULL DEFAULT 'blue'",\n];\n`,
  );
}
