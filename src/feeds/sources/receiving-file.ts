import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import { Writable } from 'node:stream';
import { SourceFault } from './source-fault.ts';

export interface ReceivingBounds {
  maxFileBytes: number;
  quietMs: number;
}

/**
 * A file on disk that a download is written into: counted, hashed, ended with a fault when it grows too large or
 * when nothing comes for too long. It is on disk once the stream has finished.
 */
export class ReceivingFile extends Writable {
  bytes = 0;
  readonly #handle: FileHandle;
  readonly #bounds: ReceivingBounds;
  readonly #hash = createHash('sha256');
  #quiet: NodeJS.Timeout;

  private constructor(handle: FileHandle, bounds: ReceivingBounds) {
    super();
    this.#handle = handle;
    this.#bounds = bounds;
    this.#quiet = this.#startQuiet();
  }

  static async open(file: string, bounds: ReceivingBounds): Promise<ReceivingFile> {
    return new ReceivingFile(await open(file, 'w'), bounds);
  }

  /** SHA-256 of what was written, in hex. To be asked once, at the end. */
  digest(): string {
    return this.#hash.digest('hex');
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    clearTimeout(this.#quiet);
    this.bytes += chunk.length;
    if (this.bytes > this.#bounds.maxFileBytes) {
      done(new SourceFault(`the file is larger than ${this.#bounds.maxFileBytes} bytes`));
      return;
    }
    this.#hash.update(chunk);
    this.#handle.writeFile(chunk).then(() => {
      this.#quiet = this.#startQuiet();
      done();
    }, done);
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#handle.datasync().then(() => done(), done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    clearTimeout(this.#quiet);
    this.#handle.close().then(() => done(error), done);
  }

  #startQuiet(): NodeJS.Timeout {
    const { quietMs } = this.#bounds;
    return setTimeout(
      () => this.destroy(new SourceFault(`nothing came for ${Math.round(quietMs / 1000)} seconds`)),
      quietMs,
    );
  }
}
