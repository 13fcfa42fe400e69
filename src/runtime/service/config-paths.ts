import { isAbsolute, relative } from 'node:path';
import type { Config } from '../../config/config.ts';

export interface ConfigPaths {
  /** Files and folders that the bridge reads. */
  reads: string[];
  /** Folders that it writes, or takes files out of. */
  writes: string[];
}

/** Where the bridge goes outside of its data folder; absolute, each once. */
export function pathsOf(config: Config): ConfigPaths {
  const { data_folder: data, server, access, feeds, leads, backup } = config;
  const outside = (paths: readonly (string | undefined)[]): string[] =>
    [
      ...new Set(paths.filter((path) => path !== undefined && isAbsolute(path) && !isInside(path, data))),
    ] as string[];
  return {
    reads: outside([
      server.tls?.cert,
      server.tls?.key,
      access.tokens_file,
      backup.key_file,
      ...feeds.flatMap(({ profile, sample }) => [profile, sample]),
    ]),
    writes: outside([
      ...feeds.map(({ folder }) => folder),
      backup.folder,
      backup.copy_to,
      ...leads.destinations.map(({ options }) => folderOption(options)),
    ]),
  };
}

/** Adapters that write files call their folder so; what else they may have is nobody's business here. */
function folderOption(options: unknown): string | undefined {
  const folder = (options as { folder?: unknown } | null)?.folder;
  return typeof folder === 'string' ? folder : undefined;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return !isAbsolute(way) && way !== '..' && !/^\.\.[\\/]/.test(way);
}
