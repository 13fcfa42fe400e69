import { setTimeout as wait } from 'node:timers/promises';
import type { FeedConfig, SourceConfig } from '../../config/config.ts';
import { byName } from '../inbox/file-name.ts';
import { globMatcher, isPassedOver } from '../inbox/notice.ts';
import { visibleText } from '../reporting/visible-text.ts';
import type { Findings, Look } from './look.ts';
import type { RemoteFile, RemoteFolder } from './remote-folder.ts';
import { SourceFault } from './source-fault.ts';
import type { FetchedFile } from './source-memory.ts';

type Take = Extract<SourceConfig, { take: unknown }>['take'];

/** A name that is one piece of a path on any server, and one line of a protocol. */
const PLAIN_NAME = /^[^/\\\p{Cc}]+$/u;

/**
 * Fetches the new and changed files of a folder into the inbox. A file counts only when the server lists it the
 * same before and after, with the feed's settling time in between: it may still be uploaded while we read it.
 * Throws the first fault once the other files had their turn.
 */
export async function fetchFromFolder(folder: RemoteFolder, how: Take, look: Look): Promise<Findings> {
  const { feed, memory, limits, signal } = look;
  const files = readyFiles(await folder.list(interestOf(feed)), feed);
  const inOrder = oldestFirst(files, look);
  const findings: Findings = { landed: [], offered: files.length };
  const faults: unknown[] = [];
  for (const file of choose(inOrder, how, look).slice(0, limits.maxFilesALook)) {
    try {
      const { landedAs, waits } = await fetchFile(folder, file, look);
      if (landedAs !== undefined) findings.landed.push(landedAs);
      if (waits === undefined) continue;
      findings.waits = waits;
      // Changes count in their order: none may overtake another.
      if (feed.mode === 'delta') break;
    } catch (fault) {
      faults.push(fault);
      if (feed.mode === 'delta' || signal.aborted) break;
    }
  }
  if (faults.length > 0) throw faults[0];
  await memory.keepOnly(new Set(files.map(({ name }) => name)));
  const newest = inOrder.at(-1);
  const known = newest === undefined ? undefined : recall(newest, look);
  return known === undefined || findings.landed.length > 0 ? findings : { ...findings, unchanged: known };
}

/** Which of the names are files of the feed, or their markers. */
export function interestOf({ files, done_marker: marker }: FeedConfig): (name: string) => boolean {
  const matches = globMatcher(files);
  return (name) => {
    const isMarker = marker !== undefined && name.endsWith(marker);
    return PLAIN_NAME.test(name) && !isPassedOver(name) && (isMarker || matches(name));
  };
}

/** Those that their sender says are whole. */
export function readyFiles(files: readonly RemoteFile[], { done_marker: marker }: FeedConfig): RemoteFile[] {
  if (marker === undefined) return [...files];
  const names = new Set(files.map(({ name }) => name));
  return files.filter(({ name }) => !name.endsWith(marker) && names.has(`${name}${marker}`));
}

/** So that the newest is taken in last. A file that a wrong clock dated into the future is as old as we know it. */
function oldestFirst(files: readonly RemoteFile[], look: Look): RemoteFile[] {
  const dated = files.map((file) => ({
    file,
    at: recall(file, look)?.modified_at ?? pastTime(file, look) ?? 0,
  }));
  dated.sort((a, b) => a.at - b.at || byName(a.file.name, b.file.name));
  return dated.map(({ file }) => file);
}

function choose(inOrder: readonly RemoteFile[], how: Take, look: Look): RemoteFile[] {
  const isNew = (file: RemoteFile): boolean => recall(file, look) === undefined;
  if (how === 'all') return inOrder.filter(isNew);
  const newest = inOrder.at(-1);
  if (newest === undefined || !isNew(newest)) return [];
  // Should the newest be withdrawn, the one before it is no news.
  const reached = look.memory.newestModifiedAt() ?? 0;
  const modifiedAt = pastTime(newest, look);
  return modifiedAt !== undefined && modifiedAt < reached ? [] : [newest];
}

/** What is known of the file, unless it has changed since. */
function recall({ name, version }: RemoteFile, { memory }: Look): FetchedFile | undefined {
  const known = memory.recall(name);
  return known?.version === version ? known : undefined;
}

/** Servers with a wrong clock date files into the future; every later one would then look older. */
function pastTime({ modifiedAt }: RemoteFile, { landing }: Look): number | undefined {
  return modifiedAt === undefined ? undefined : Math.min(modifiedAt, landing.now());
}

/** Neither when the file is the same as before. */
interface Fetched {
  /** The name under which it landed. */
  landedAs?: string | undefined;
  /** Its name, when an earlier one of it still lies in the inbox. */
  waits?: string;
}

async function fetchFile(folder: RemoteFolder, file: RemoteFile, look: Look): Promise<Fetched> {
  const { landing, memory } = look;
  const { name, version } = file;
  landing.checkName(name);
  if (await landing.isTaken(name)) return { waits: name };
  const digest = await receive(folder, file, look);
  const isSame = memory.recall(name)?.digest === digest;
  const modifiedAt = pastTime(file, look);
  if (isSame) await landing.discard();
  const landedAs = isSame ? undefined : await landing.land(name, modifiedAt);
  const time = modifiedAt === undefined ? {} : { modified_at: modifiedAt };
  await memory.remember(name, { digest, version, ...time });
  return { landedAs };
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
