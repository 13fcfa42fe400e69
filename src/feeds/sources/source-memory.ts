import { createHash } from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { SourceConfig } from '../../config/config.ts';
import { writeWhole } from '../../files/patient-files.ts';

/** What is known of a file that has been fetched once. */
export interface FetchedFile {
  /** SHA-256 of its bytes, in hex. */
  digest: string;
  etag?: string;
  /** As the server wrote it. */
  last_modified?: string;
  /** Size and time of the last change as the server lists them; another text means another file. */
  version?: string;
  /** Milliseconds since 1970. */
  modified_at?: number;
  /** How its rows were to be read then (reading-rule.ts). */
  read_by?: string;
}

/** How the rows of a feed are read now. */
export interface ReadingRule {
  /** To compare. */
  text: string;
  /** Fingerprint of the file that was read last, if that may be read again. */
  lastRead: string | undefined;
}

interface Written {
  /** Which source this is about, as a hash: other settings, other memory. */
  source: string;
  files: Record<string, FetchedFile>;
}

/**
 * What a feed's source has brought so far, by remote name, kept in `<data>/sources/<feed>.json` so that a restart
 * does not fetch everything again. A file that is lost or damaged costs one more download: the same bytes are not
 * taken in twice in a row.
 */
export class SourceMemory {
  readonly #path: string;
  readonly #source: string;
  readonly #files: Map<string, FetchedFile>;
  readonly #rule: ReadingRule | undefined;

  private constructor(
    file: string,
    source: string,
    files: Map<string, FetchedFile>,
    rule: ReadingRule | undefined,
  ) {
    this.#path = file;
    this.#source = source;
    this.#files = files;
    this.#rule = rule;
  }

  /**
   * Blank: as if nothing had come yet. `rule`: how rows are read now; the newest file is unknown where it was read last and
   * in another way.
   */
  static async open(
    dataFolder: string,
    feedId: string,
    source: SourceConfig,
    { isBlank, rule }: { isBlank: boolean; rule?: ReadingRule | undefined },
  ): Promise<SourceMemory> {
    const file = path.join(dataFolder, 'sources', `${feedId}.json`);
    const identity = identityOf(source);
    const written = isBlank ? undefined : await readWritten(file);
    const files = written?.source === identity ? Object.entries(written.files) : [];
    return new SourceMemory(file, identity, new Map(files), rule);
  }

  recall(name: string): FetchedFile | undefined {
    const file = this.#files.get(name);
    return file === undefined || this.#isToBeReadAgain(file) ? undefined : file;
  }

  /** Not what came before, which would bring old prices back, nor what a newer file has been dropped beside since. */
  #isToBeReadAgain({ digest, read_by: readBy, modified_at: at }: FetchedFile): boolean {
    const rule = this.#rule;
    if (rule === undefined || readBy === rule.text) return false;
    return digest === rule.lastRead && at === this.newestModifiedAt();
  }

  /** Time of the newest file fetched so far, in milliseconds since 1970. */
  newestModifiedAt(): number | undefined {
    const times = [...this.#files.values()].flatMap(({ modified_at: at }) => (at === undefined ? [] : [at]));
    return times.length === 0 ? undefined : Math.max(...times);
  }

  async remember(name: string, file: FetchedFile): Promise<void> {
    this.#files.set(name, { ...file, ...(this.#rule && { read_by: this.#rule.text }) });
    await this.#write();
  }

  /** Forgets files that the source no longer has, except the newest: an older one must not come after it. */
  async keepOnly(names: ReadonlySet<string>): Promise<void> {
    const newest = this.newestModifiedAt();
    const gone = [...this.#files].filter(
      ([name, file]) => !names.has(name) && (newest === undefined || file.modified_at !== newest),
    );
    if (gone.length === 0) return;
    for (const [name] of gone) this.#files.delete(name);
    await this.#write();
  }

  async #write(): Promise<void> {
    await mkdir(path.dirname(this.#path), { recursive: true });
    const written: Written = { source: this.#source, files: Object.fromEntries(this.#files) };
    await writeWhole(this.#path, `${JSON.stringify(written, null, 1)}\n`);
  }
}

/** Hashed, since an address may hold a token. */
export function identityOf(source: SourceConfig): string {
  const place =
    source.kind === 'http'
      ? [source.kind, source.url]
      : [source.kind, source.host, source.port, source.user, source.folder ?? ''];
  return createHash('sha256').update(JSON.stringify(place)).digest('hex');
}

async function readWritten(file: string): Promise<Written | undefined> {
  try {
    const written = JSON.parse(await readFile(file, 'utf8')) as Partial<Written> | null;
    const { source, files } = written ?? {};
    const isSound = typeof source === 'string' && typeof files === 'object' && (files as unknown) !== null;
    return isSound ? { source, files } : undefined;
  } catch {
    return undefined;
  }
}
