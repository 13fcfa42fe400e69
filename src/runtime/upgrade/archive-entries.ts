import { OperatorFault } from '../../model/operator-fault.ts';
import { isVersion } from './version-order.ts';

/** Far above what a version has (3,000 files, 200 MB), and below what fills a disk. */
const MAX_FILES = 50_000;
const MAX_BYTES = 2 * 1024 ** 3;
const MAX_PATH = 400;
const VERSION_PREFIX = /^dealer-bridge\/versions\/([^/]+)\/(.+)$/;
const RUN = /^(?:bin\/dealer-bridge\.mjs|node\/node)$/;
/** Out of the folder, to a drive or a stream of Windows, or into a name that Windows keeps for a device. */
// eslint-disable-next-line no-control-regex
const UNSAFE_STEP = /^\.{0,2}$|[\\:*?"<>|\u0000-\u001f]|[. ]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

export interface AcceptedEntry {
  /** `<version>/…`, with slashes. */
  path: string;
  mode: number;
}

/**
 * Decides on the entries of an archive one after the other: which are files of the version, and that no more come than
 * a version has. The launcher and `current` of the archive are for a first installation and are passed over.
 */
export class ArchiveEntries {
  version: string | undefined;
  #files = 0;
  #bytes = 0;

  /** Undefined for what is passed over. Throws an OperatorFault at what is none of ours. */
  take(path: string, bytes: number): AcceptedEntry | undefined {
    this.#files += 1;
    this.#bytes += bytes;
    if (this.#files > MAX_FILES || this.#bytes > MAX_BYTES || !Number.isFinite(bytes)) {
      refuse('it holds more than a version of dealer-bridge');
    }
    if (path.length > MAX_PATH || path.split('/').some((step) => UNSAFE_STEP.test(step))) {
      refuse(`it has a path that may lead out of its folder: ${JSON.stringify(path.slice(0, 200))}`);
    }
    if (/^dealer-bridge\/[^/]+$/.test(path)) return undefined;
    const [, version = '', below = ''] = VERSION_PREFIX.exec(path) ?? [];
    if (!isVersion(version) || (this.version ?? version) !== version) {
      refuse(`it holds ${JSON.stringify(path.slice(0, 200))} beside one version of dealer-bridge`);
    }
    this.version = version;
    return { path: `${version}/${below}`, mode: RUN.test(below) ? 0o755 : 0o644 };
  }

  /** At the end of the archive. */
  requireVersion(): string {
    return this.version ?? refuse('it holds no version of dealer-bridge');
  }
}

export function refuse(reason: string): never {
  throw new OperatorFault(`The archive is refused: ${reason}. Nothing was changed.`);
}
