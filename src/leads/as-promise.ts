/** Runs work of a synchronous engine behind a promise: what it throws, such as a full disk, rejects. */
export function asPromise<T>(work: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(work());
  });
}
