import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { basename, dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isProfilePath, profilePath } from '../../config/profiles.ts';
import { adapterRoots, type Folders } from '../../config/review.ts';
import { secretFiles } from '../../config/secrets.ts';
import { parseYaml } from '../../documents/yaml-document.ts';

/** Texts that differ when the files differ. */
export interface SettingsState {
  /** Of all files. */
  all: string;
  /** Of profiles, presets and vocabularies. */
  profiles: string;
}

const PROGRAM_FOLDER = fileURLToPath(new URL('../../../', import.meta.url));
const VOCABULARY = join(PROGRAM_FOLDER, 'config', 'vocabulary');
/** What is larger is no settings file, and is known by size and time alone. */
const MAX_BYTES = 8 * 1024 * 1024;
/** Of one folder. */
const MAX_FILES = 500;
/** So often even what seems untouched is read: not every file system keeps time well. */
const THOROUGH_EVERY = 10;

interface KnownFile {
  facts: string;
  digest: string;
}

/**
 * The files that decide how the bridge runs: bridge.yaml, the files with secrets that it names, and every profile,
 * preset and vocabulary. They are known by their content, so that saving the same text anew changes nothing. Tokens
 * and certificate are not among them: those are read again by whoever uses them.
 */
export class SettingsFiles {
  readonly #file: string;
  readonly #folders: Folders;
  #known = new Map<string, KnownFile>();
  #named: { digest: string; files: string[]; folders: string[] } | undefined;
  #looks = 0;

  /** Both absolute. */
  constructor(file: string, dataFolder: string) {
    this.#file = file;
    this.#folders = { program: PROGRAM_FOLDER, data: dataFolder, config: dirname(file) };
  }

  async look(): Promise<SettingsState> {
    const isThorough = this.#looks++ % THOROUGH_EVERY === 0;
    const known = new Map<string, KnownFile>();
    const digestOf = async (file: string): Promise<string> => {
      const before = this.#known.get(file);
      const now = await this.#lookAt(file, before, isThorough);
      known.set(file, now);
      return now.digest;
    };
    const main = await digestOf(this.#file);
    const { files, folders } = await this.#namedIn(main);
    const secrets: string[] = [];
    for (const file of files) secrets.push(file, await digestOf(file));
    const profiles: string[] = [];
    for (const folder of [...this.#fixedFolders(), ...folders])
      for (const file of await yamlFilesIn(folder))
        if (file !== this.#file) profiles.push(file, await digestOf(file));
    this.#known = known;
    const profilesDigest = digest(JSON.stringify(profiles));
    return { all: digest(JSON.stringify([main, secrets, profilesDigest])), profiles: profilesDigest };
  }

  #lookAt(file: string, before: KnownFile | undefined, isThorough: boolean): Promise<KnownFile> | KnownFile {
    // Nobody should change what was installed: it is looked at less often and not read, which costs next to nothing.
    if (!isShipped(file)) return lookAt(file, before, isThorough);
    return before !== undefined && !isThorough ? before : lookAt(file, before, false, 0);
  }

  #fixedFolders(): string[] {
    return [
      ...adapterRoots(this.#folders).flatMap((root) => [
        join(root, 'feeds', 'profiles'),
        join(root, 'crm', 'presets'),
      ]),
      VOCABULARY,
    ];
  }

  /** What bridge.yaml as it stands now names: also a profile that is not there yet, or a text that is refused. */
  async #namedIn(main: string): Promise<{ files: string[]; folders: string[] }> {
    if (this.#named?.digest === main) return this.#named;
    const text = await readFile(this.#file, 'utf8').catch(() => '');
    const folders = profilesNamed(parseYaml(text, basename(this.#file)).document?.value).map((profile) =>
      dirname(profilePath(profile, this.#folders)),
    );
    const files = secretFiles(text, this.#folders.config);
    this.#named = { digest: main, files, folders: [...new Set(folders)] };
    return this.#named;
  }
}

function isShipped(file: string): boolean {
  return [join(PROGRAM_FOLDER, 'adapters'), VOCABULARY].some((folder) => file.startsWith(folder + sep));
}

/** The value may be anything: it has not been checked. */
function profilesNamed(value: unknown): string[] {
  const feeds = (value as { feeds?: unknown } | null | undefined)?.feeds;
  if (!Array.isArray(feeds)) return [];
  return (feeds as ({ profile?: unknown } | null)[])
    .map((feed) => feed?.profile)
    .filter((profile) => typeof profile === 'string')
    .filter(isProfilePath);
}

/** The file is read when anything about it has changed. */
async function lookAt(
  file: string,
  before: KnownFile | undefined,
  isThorough: boolean,
  maxBytes = MAX_BYTES,
): Promise<KnownFile> {
  try {
    const { mtimeMs, ctimeMs, size, ino } = await stat(file);
    const facts = [mtimeMs, ctimeMs, size, ino].join(' ');
    if (facts === before?.facts && !isThorough) return before;
    return { facts, digest: size > maxBytes ? facts : digest(await readFile(file)) };
  } catch (fault) {
    // Half way through a rename, or gone: whether it is missed is up to the check.
    const code = (fault as NodeJS.ErrnoException).code ?? 'unreadable';
    return { facts: code, digest: code };
  }
}

async function yamlFilesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  return names
    .filter((name) => /\.ya?ml$/i.test(name))
    .sort()
    .slice(0, MAX_FILES)
    .map((name) => join(folder, name));
}

function digest(content: string | Buffer): string {
  return createHash('sha1').update(content).digest('hex');
}
