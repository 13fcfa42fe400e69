import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rename, rm } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { patientFiles, writeWhole } from '../../src/files/patient-files.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'files-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A real folder in which each step fails as on Windows, so many times with these codes, before it is let through. */
function windows(...codes: string[]) {
  const waited: number[] = [];
  const left = [...codes];
  const refusing =
    <Words extends unknown[]>(step: (...words: Words) => Promise<void>) =>
    (...words: Words): Promise<void> => {
      const code = left.shift();
      return code === undefined
        ? step(...words)
        : Promise.reject(Object.assign(new Error(`${code}: held`), { code }));
    };
  const steps = { rename: refusing(rename), rm: refusing(rm) };
  const files = patientFiles(steps, (ms) => Promise.resolve(waited.push(ms)));
  return { files, waited, left };
}

describe('a file that somebody holds', () => {
  it('is renamed once they let go, later and later', async () => {
    const { files, waited } = windows('EBUSY', 'EPERM', 'EACCES');
    writeFileSync(join(folder, 'a'), 'text');
    await files.rename(join(folder, 'a'), join(folder, 'b'));
    expect(readdirSync(folder)).toEqual(['b']);
    expect(waited).toEqual([50, 200, 800]);
  });

  it('is removed once they let go; so is a tree whose names go late', async () => {
    writeFileSync(join(folder, 'a'), '');
    const one = windows('EPERM');
    await one.files.remove(join(folder, 'a'));
    const other = windows('ENOTEMPTY', 'ENOTEMPTY');
    await other.files.removeTree(folder);
    expect([one.waited, other.waited]).toEqual([[50], [50, 200]]);
    expect(existsSync(folder)).toBe(false);
  });

  it('that is never let go is told as it is, after five tries', async () => {
    const { files, waited, left } = windows(...Array<string>(9).fill('EBUSY'));
    await expect(files.rename('a', 'b')).rejects.toMatchObject({ code: 'EBUSY' });
    expect(waited).toEqual([50, 200, 800, 2000]);
    expect(left).toHaveLength(4);
  });

  it.each(['ENOENT', 'EXDEV', 'ENOSPC', 'EROFS', 'ENAMETOOLONG'])('%s is no such thing', async (code) => {
    const { files, waited } = windows(code);
    await expect(files.rename('a', 'b')).rejects.toMatchObject({ code });
    expect(waited).toEqual([]);
  });
});

describe('a text is whole or not there', () => {
  it('replaces what is there once nobody holds it, and leaves nothing beside it', async () => {
    const { files } = windows('EPERM', 'EBUSY');
    writeFileSync(join(folder, 'state.json'), 'old');
    await writeWhole(join(folder, 'state.json'), 'new', { files });
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('leaves the old text where the new one cannot take its name', async () => {
    const { files } = windows(...Array<string>(9).fill('EPERM'));
    writeFileSync(join(folder, 'state.json'), 'old');
    await expect(writeWhole(join(folder, 'state.json'), 'new', { files })).rejects.toMatchObject({
      code: 'EPERM',
    });
    expect(readFileSync(join(folder, 'state.json'), 'utf8')).toBe('old');
    await writeWhole(join(folder, 'state.json'), 'newer');
    expect(readdirSync(folder)).toEqual(['state.json']);
  });
});
