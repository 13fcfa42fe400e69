import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

/** docs/protocol.md promises nothing that no test holds. */

const ROOT = join(import.meta.dirname, '../..');

interface Promised {
  id: string;
  promise: string;
  source: string;
  live: string;
  test: string;
}

/** The rows of all tables, without heads and rules. */
function readPromises(page: string): Promised[] {
  return page
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\|[\s|:-]+$/.test(line))
    .map((line) => line.slice(1, line.lastIndexOf('|')).split('|'))
    .map((cells) => cells.map((cell) => cell.trim()))
    .filter(([id]) => id !== 'Id')
    .map(([id = '', promise = '', source = '', live = '', test = '', ...more]) => {
      if (more.length > 0) throw new Error(`a row of more than five cells: ${id}`);
      return { id, promise, source, live, test };
    });
}

/** The titles of the tests in a file, as they are written: `%s` stays. Skipped tests are none. */
function testTitles(file: string): string[] {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, true);
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && isTest(node.expression)) {
      const [title] = node.arguments;
      if (title !== undefined && ts.isStringLiteralLike(title)) titles.push(title.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return titles;
}

/** `it`, `it.each(…)`, `test`, and so on; not `it.skip`. */
function isTest(callee: ts.Expression): boolean {
  if (ts.isIdentifier(callee)) return callee.text === 'it' || callee.text === 'test';
  if (ts.isCallExpression(callee)) return isTest(callee.expression);
  if (!ts.isPropertyAccessExpression(callee)) return false;
  return callee.name.text !== 'skip' && callee.name.text !== 'todo' && isTest(callee.expression);
}

const promises = readPromises(readFileSync(join(ROOT, 'docs/protocol.md'), 'utf8'));
const titlesOf = new Map<string, string[]>();

function titlesIn(path: string): string[] {
  const known = titlesOf.get(path) ?? testTitles(join(ROOT, path));
  titlesOf.set(path, known);
  return known;
}

describe('docs/protocol.md', () => {
  it('gives every promise an id of its own, a sentence and a source', () => {
    expect(promises.length).toBeGreaterThan(80);
    const ids = promises.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    for (const { id, promise, source, live } of promises) {
      expect(id).toMatch(/^[A-Z]{3,4}-\d{2}$/);
      expect(promise, id).toMatch(/^.{20,}\.$/);
      expect(source, id).toMatch(/^(A2A|aap-v1\.3|JSON-RPC|ProtoJSON|MCP|RFC|ours)/);
      expect(live, id).toMatch(/^(live)?$/);
    }
  });

  it('names a test for every promise, and the test is there', () => {
    const untested = promises.filter(({ test }) => {
      const [, path, title] = /^`(test\/[\w./-]+\.test\.ts)` › `?(.+?)`?$/.exec(test) ?? [];
      if (path === undefined || title === undefined || !existsSync(join(ROOT, path))) return true;
      return !titlesIn(path).includes(title);
    });
    expect(untested.map(({ id, test }) => `${id}: ${test}`)).toEqual([]);
  });

  it('holds every id that the title of a test names', () => {
    const ids = new Set(promises.map(({ id }) => id));
    const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' });
    const claimed = files
      .filter((file) => file.endsWith('.test.ts'))
      .map((file) => join(ROOT, 'test', file))
      // Few files name an id; the others need no parsing.
      .filter((file) => /\[[A-Z]{3,4}-\d{2}\]/.test(readFileSync(file, 'utf8')))
      .flatMap((file) => testTitles(file))
      .flatMap((title) => [...title.matchAll(/\[([A-Z]{3,4}-\d{2})\]/g)].map(([, id]) => id ?? ''));
    expect(claimed.filter((id) => !ids.has(id))).toEqual([]);
  });
});
