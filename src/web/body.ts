import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * The whole body, counted while it comes in; `too_large` as soon as there is more than `limitBytes`, with the rest left
 * unread. A sender who asked whether to go on is told so only here. Rejects when the sender hangs up.
 */
export function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  limitBytes: number,
): Promise<Uint8Array | 'too_large'> {
  if (request.headers.expect !== undefined && request.httpVersion === '1.1') response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      if (size <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      request.off('data', take);
      request.pause();
      resolve('too_large');
    };
    request.on('data', take);
    request.on('end', () => resolve(onlyOrAll(chunks)));
    request.on('error', reject);
    request.on('close', () => {
      // Every request closes in the end, and an error is dear to make.
      if (!request.readableEnded) reject(new Error('the sender hung up'));
    });
  });
}

/** Most requests come in one piece. */
function onlyOrAll(chunks: Buffer[]): Buffer {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
}
