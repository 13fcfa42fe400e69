import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ourDtdFile = fileURLToPath(new URL('../../schemas/adf/adf-emit.dtd', import.meta.url));

/** A second statement of ADF 1.0, kept beside the repository where it is developed. */
const OTHER_DTD = fileURLToPath(new URL('../../../shared/spec/adf-1.0-strict.dtd', import.meta.url));

export const hasXmllint = spawnSync('xmllint', ['--version']).error === undefined;
export const otherDtdFile = existsSync(OTHER_DTD) ? OTHER_DTD : undefined;

if (!hasXmllint) {
  process.stderr.write(
    'xmllint is not installed (Debian: apt-get install libxml2-utils): ADF is checked by the order checker only\n',
  );
} else if (otherDtdFile === undefined) {
  process.stderr.write('no second ADF DTD beside the repository: ADF is checked against schemas/adf only\n');
}

/** What xmllint has to say against the documents; empty = all are valid. Without xmllint nothing is said. */
export function xmllintFaults(documents: readonly string[]): string {
  if (!hasXmllint) return '';
  const folder = mkdtempSync(join(tmpdir(), 'adf-'));
  try {
    const files = documents.map((document, index) => {
      const file = join(folder, `${index}.xml`);
      writeFileSync(file, document);
      return file;
    });
    return [ourDtdFile, otherDtdFile]
      .filter((dtd) => dtd !== undefined)
      .map((dtd) => {
        const run = spawnSync('xmllint', ['--noout', '--nonet', '--dtdvalid', dtd, ...files], {
          encoding: 'utf8',
        });
        return run.status === 0 ? '' : `${run.status} ${run.stderr}`;
      })
      .join('');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
