import type { NoticedFile } from './notice.ts';

/**
 * A file is settled once its size and its time of change were the same in two looks at least `settleMs` apart.
 * Size alone is not enough: some uploaders reserve the whole size first.
 */
export class SettleWatch {
  readonly #settleMs: number;
  readonly #seen = new Map<string, { size: number; modifiedAt: number; since: number }>();

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** Milliseconds until the file may be settled, 0 when it is. */
  look(file: NoticedFile, now: number): number {
    const seen = this.#seen.get(file.name);
    if (seen?.size !== file.size || seen.modifiedAt !== file.modifiedAt) {
      this.#seen.set(file.name, { size: file.size, modifiedAt: file.modifiedAt, since: now });
      return Math.max(this.#settleMs, 1);
    }
    return Math.max(seen.since + this.#settleMs - now, 0);
  }

  /** Forgets the files that are no longer there, so that memory stays with what lies in the inbox. */
  keepOnly(files: readonly NoticedFile[]): void {
    const names = new Set(files.map((file) => file.name));
    for (const name of this.#seen.keys()) if (!names.has(name)) this.#seen.delete(name);
  }

  forget(name: string): void {
    this.#seen.delete(name);
  }
}
