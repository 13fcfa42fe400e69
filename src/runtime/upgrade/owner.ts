import { stat } from 'node:fs/promises';

export interface Owner {
  uid: number;
  gid: number;
}

/**
 * Whom the data folder belongs to, when that is another than root, who runs this: the account of the bridge. What root
 * would make there the bridge could neither open nor take away. Undefined where we are nobody but ourselves.
 */
export async function otherOwner(dataFolder: string): Promise<Owner | undefined> {
  if (process.geteuid?.() !== 0) return undefined;
  const { uid, gid } = await stat(dataFolder);
  return uid === 0 ? undefined : { uid, gid };
}

/** Does the work as that account, and is root again afterwards. One at a time: it is the whole process that changes. */
export async function actingAs<T>(owner: Owner | undefined, work: () => T | Promise<T>): Promise<T> {
  if (owner === undefined) return work();
  process.setegid?.(owner.gid);
  process.seteuid?.(owner.uid);
  try {
    return await work();
  } finally {
    process.seteuid?.(0);
    process.setegid?.(0);
  }
}
