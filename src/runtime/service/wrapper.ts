import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { win32 } from 'node:path';
import { OperatorFault } from '../../model/operator-fault.ts';

/**
 * Windows' service manager speaks to programs in a way of its own, which Node does not know. A wrapper speaks for the
 * bridge: it starts it, sends it Ctrl+C when the service stops, and says whether it runs.
 */
export interface Wrapper {
  kind: 'shawl' | 'winsw';
  /** Absolute. */
  file: string;
}

/** By the names that their publishers give them. */
const NAMES: readonly { kind: Wrapper['kind']; name: string }[] = [
  { kind: 'shawl', name: 'shawl.exe' },
  { kind: 'winsw', name: 'WinSW.exe' },
  { kind: 'winsw', name: 'WinSW-x64.exe' },
];

/** Shawl 1.9 no longer dies of a Ctrl+C that a child sends; WinSW 2.12 ends services in order at shutdown. */
const OLDEST: Readonly<Record<Wrapper['kind'], { title: string; version: readonly [number, number] }>> = {
  shawl: { title: 'Shawl', version: [1, 9] },
  winsw: { title: 'WinSW', version: [2, 12] },
};

/** The first one in the folders, in their order. */
export function findWrapper(folders: readonly string[], isThere = existsSync): Wrapper | undefined {
  for (const folder of folders) {
    for (const { kind, name } of NAMES) {
      const file = win32.join(folder, name);
      if (isThere(file)) return { kind, file };
    }
  }
  return undefined;
}

/** The wrapper to use, new enough. Throws an OperatorFault that says where to get one and where to put it. */
export async function chooseWrapper(programFolder: string, path = ''): Promise<Wrapper> {
  const found = findWrapper([programFolder, ...path.split(';').filter((folder) => win32.isAbsolute(folder))]);
  if (found === undefined) throw new OperatorFault(howToGetOne(programFolder));
  const complaint = tooOld(found, fileVersion(await readFile(found.file)));
  if (complaint !== undefined) throw new OperatorFault(`${complaint} ${howToGetOne(programFolder)}`);
  return found;
}

function howToGetOne(programFolder: string): string {
  return (
    'To run as a service on Windows, the bridge needs Shawl beside it, a small program that speaks to the service ' +
    'manager: get shawl-v1.9.0-win64.zip or newer from https://github.com/mtkennerly/shawl/releases and put shawl.exe ' +
    `into ${programFolder}. Where WinSW is preferred: WinSW-x64.exe 2.12 or newer from ` +
    'https://github.com/winsw/winsw/releases, into the same folder.'
  );
}

/** Why this version will not do; undefined when it will. */
export function tooOld({ kind, file }: Wrapper, version: readonly number[] | undefined): string | undefined {
  const { title, version: oldest } = OLDEST[kind];
  if (version === undefined) return `${file} does not say which version of ${title} it is.`;
  const [major = 0, minor = 0] = version;
  const isOld = major < oldest[0] || (major === oldest[0] && minor < oldest[1]);
  return isOld ? `${file} is ${title} ${version.join('.')}; ${oldest.join('.')} is needed.` : undefined;
}

/** VS_FIXEDFILEINFO begins with it. */
const SIGNATURE = Buffer.from([0xbd, 0x04, 0xef, 0xfe]);

/** The version in the properties of a Windows program: four numbers. Read, not asked for, so that nothing is run. */
export function fileVersion(program: Buffer): number[] | undefined {
  for (let at = program.indexOf(SIGNATURE); at >= 0; at = program.indexOf(SIGNATURE, at + 1)) {
    // The version of the structure itself: the signature alone may stand anywhere.
    if (at + 16 > program.length || program.readUInt32LE(at + 4) !== 0x00010000) continue;
    return [at + 10, at + 8, at + 14, at + 12].map((place) => program.readUInt16LE(place));
  }
  return undefined;
}
