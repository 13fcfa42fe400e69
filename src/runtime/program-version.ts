import { readFileSync } from 'node:fs';

/** As package.json has it, which lies beside src in a clone and in a package. */
export function programVersion(): string {
  const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string;
  };
  return manifest.version;
}
