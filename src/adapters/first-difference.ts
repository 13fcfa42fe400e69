import { isDeepStrictEqual } from 'node:util';

/** Characters of either side shown around the first difference. */
const EXCERPT = 60;

/** Where two JSON values first differ, for a person: `attachments[0].content (line 3): got "…", expected "…"`. */
export function firstDifference(actual: unknown, expected: unknown, path = ''): string {
  if (isContainer(actual) && isContainer(expected) && Array.isArray(actual) === Array.isArray(expected)) {
    for (const key of new Set([...Object.keys(actual), ...Object.keys(expected)])) {
      if (isDeepStrictEqual(actual[key], expected[key])) continue;
      return firstDifference(actual[key], expected[key], extendPath(path, key, Array.isArray(actual)));
    }
  }
  if (typeof actual === 'string' && typeof expected === 'string')
    return textDifference(actual, expected, path);
  return `${path}: got ${show(actual)}, expected ${show(expected)}`;
}

function isContainer(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function extendPath(path: string, key: string, isList: boolean): string {
  if (isList) return `${path}[${key}]`;
  return path === '' ? key : `${path}.${key}`;
}

function textDifference(actual: string, expected: string, path: string): string {
  let start = 0;
  while (start < actual.length && actual[start] === expected[start]) start++;
  const line = actual.slice(0, start).split('\n').length;
  const [got, wanted] = [actual, expected].map((text) => show(text.slice(start, start + EXCERPT)));
  return `${path} (line ${line}): got ${got ?? ''}, expected ${wanted ?? ''}`;
}

function show(value: unknown): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, EXCERPT * 2);
}
