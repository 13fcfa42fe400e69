import { setTimeout as wait } from 'node:timers/promises';
import type { FeedConfig, SourceConfig } from '../../config/config.ts';
import { globMatcher, isPassedOver } from '../inbox/notice.ts';
import { visibleText } from '../reporting/visible-text.ts';
import type { Look } from './look.ts';
import type { RemoteFile, RemoteFolder } from './remote-folder.ts';
import { SourceFault } from './source-fault.ts';

type Take = Extract<SourceConfig, { take: unknown }>['take'];

/** A name that is one piece of a path on any server, and one line of a protocol. */
const PLAIN_NAME = /^[^/\\\p{Cc}]+$/u;

/**
 * Fetches the new and changed files of a folder into the inbox. A file counts only when the server lists it the
 * same before and after, with the feed's settling time in between: it may still be uploaded while we read it.
 * Returns the names of the files that landed; throws the first fault once the other files had their turn.
 */
export async function fetchFromFolder(folder: RemoteFolder, how: Take, look: Look): Promise<string[]> {
  const { feed, memory, limits, signal } = look;
  const files = readyFiles(await folder.list(interestOf(feed)), feed);
  const landed: string[] = [];
  const faults: unknown[] = [];
  for (const file of choose(files, how, look).slice(0, limits.maxFilesALook)) {
    try {
      const name = await fetchFile(folder, file, look);
      if (name !== undefined) landed.push(name);
    } catch (fault) {
      faults.push(fault);
      // Changes count in their order: none may overtake another.
      if (feed.mode === 'delta' || signal.aborted) break;
    }
  }
  if (faults.length > 0) throw faults[0];
  await memory.keepOnly(new Set(files.map(({ name }) => name)));
  return landed;
}

function interestOf({ files, done_marker: marker }: FeedConfig): (name: string) => boolean {
  const matches = globMatcher(files);
  return (name) => {
    const isMarker = marker !== undefined && name.endsWith(marker);
    return PLAIN_NAME.test(name) && !isPassedOver(name) && (isMarker || matches(name));
  };
}

function readyFiles(files: readonly RemoteFile[], { done_marker: marker }: FeedConfig): RemoteFile[] {
  if (marker === undefined) return [...files];
  const names = new Set(files.map(({ name }) => name));
  return files.filter(({ name }) => !name.endsWith(marker) && names.has(`${name}${marker}`));
}

/** Oldest first, so that the newest is taken in last. */
function choose(files: readonly RemoteFile[], how: Take, { memory }: Look): RemoteFile[] {
  const inOrder = [...files].sort(
    (a, b) => (a.modifiedAt ?? 0) - (b.modifiedAt ?? 0) || (a.name < b.name ? -1 : 1),
  );
  const isNew = ({ name, version }: RemoteFile): boolean => memory.recall(name)?.version !== version;
  if (how === 'all') return inOrder.filter(isNew);
  const newest = inOrder.at(-1);
  if (newest === undefined || !isNew(newest)) return [];
  // Should the newest be withdrawn, the one before it is no news.
  const reached = memory.newestModifiedAt() ?? 0;
  return newest.modifiedAt !== undefined && newest.modifiedAt < reached ? [] : [newest];
}

/** The name under which the file landed; undefined when it is the same as before, or must wait. */
async function fetchFile(folder: RemoteFolder, file: RemoteFile, look: Look): Promise<string | undefined> {
  const { landing, memory } = look;
  const { name, version, modifiedAt } = file;
  if (await landing.isTaken(name)) return undefined;
  const digest = await receive(folder, file, look);
  const isSame = memory.recall(name)?.digest === digest;
  if (isSame) await landing.discard();
  const landedAs = isSame ? undefined : await landing.land(name, modifiedAt);
  const time = modifiedAt === undefined ? {} : { modified_at: modifiedAt };
  await memory.remember(name, { digest, version, ...time });
  return landedAs;
}

async function receive(folder: RemoteFolder, file: RemoteFile, look: Look): Promise<string> {
  const { landing, feed, limits, signal } = look;
  const name = visibleText(file.name);
  if (file.size > limits.maxFileBytes) {
    throw new SourceFault(`${name} is larger than ${limits.maxFileBytes} bytes`);
  }
  const { bytes, digest } = await landing.receive((into) => folder.download(file.name, into));
  try {
    if (bytes !== file.size) throw new SourceFault(`${bytes} bytes of ${name} came of ${file.size}`);
    await wait(feed.settle_ms, undefined, { signal });
    const [listed] = await folder.list((other) => other === file.name);
    if (listed?.version !== file.version) throw new SourceFault(`${name} is still being written there`);
    return digest;
  } catch (fault) {
    await landing.discard();
    throw fault;
  }
}
