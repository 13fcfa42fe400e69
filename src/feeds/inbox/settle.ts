import type { NoticedFile } from './notice.ts';

/**
 * A file is settled once its size and its time of change were the same in two looks at least `settleMs` apart.
 * Size alone is not enough: some uploaders reserve the whole size first.
 */
export class SettleWatch {
  readonly #settleMs: number;
  readonly #seen = new Map<string, { size: number; modifiedAt: number; since: number; notBefore: number }>();

  constructor(settleMs: number) {
    this.#settleMs = settleMs;
  }

  /** Milliseconds until the file may be settled, 0 when it is. */
  look({ name, size, modifiedAt }: NoticedFile, now: number): number {
    const seen = this.#seen.get(name);
    if (seen?.size !== size || seen.modifiedAt !== modifiedAt) {
      this.#seen.set(name, { size, modifiedAt, since: now, notBefore: now + this.#settleMs });
      return Math.max(this.#settleMs, 1);
    }
    return Math.max(seen.notBefore - now, 0);
  }

  /** Milliseconds for which the file has not changed, as far as looks can tell. */
  quietMs(name: string, now: number): number {
    return now - (this.#seen.get(name)?.since ?? now);
  }

  /** For a file that was not ready after all: one more waiting time. Returns its milliseconds. */
  postpone(name: string, now: number): number {
    const waitMs = Math.max(this.#settleMs, 1);
    const seen = this.#seen.get(name);
    if (seen !== undefined) seen.notBefore = now + waitMs;
    return waitMs;
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
