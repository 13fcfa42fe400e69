import type { IncomingMessage } from 'node:http';

/** How much of a body that is too large is still read, so that the sender hears our answer before we hang up. */
const MAX_DRAINED_BYTES = 1_048_576;

/**
 * The whole body, counted while it comes in. Beyond `limitBytes` nothing is kept any more. Rejects when the
 * sender hangs up.
 */
export function readBody(request: IncomingMessage, limitBytes: number): Promise<Uint8Array | 'too_large'> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      chunks = [];
      if (size > limitBytes + MAX_DRAINED_BYTES) {
        request.pause();
        resolve('too_large');
      }
    });
    request.on('end', () => resolve(size > limitBytes ? 'too_large' : onlyOrAll(chunks)));
    request.on('error', reject);
    request.on('close', () => {
      // Every request closes in the end, and an error is dear to make.
      if (!request.readableEnded) reject(new Error('the sender hung up'));
    });
  });
}

/** Whether more may follow than is worth waiting for, only to throw it away. */
export function isLong({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > MAX_DRAINED_BYTES
  );
}

/** Most requests come in one piece. */
function onlyOrAll(chunks: Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
