import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const lock = JSON.parse(readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')) as {
  packages: Record<string, { gypfile?: boolean; hasInstallScript?: boolean; resolved?: string }>;
};

it.each(['better-sqlite3', 'cpu-features', 'ssh2'])(
  '%s is installed without a compiler, by npm 10 too (else: npm run lock)',
  (name) => {
    expect(lock.packages[`node_modules/${name}`]).toMatchObject({ gypfile: false });
    expect(lock.packages[`node_modules/${name}`]).not.toHaveProperty('hasInstallScript');
  },
);

it('the lock file names no place that packages come from', () => {
  expect(Object.values(lock.packages).filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([]);
});
