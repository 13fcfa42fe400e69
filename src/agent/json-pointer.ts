import { splitPointer } from '../documents/json-schema.ts';

/** A JSON Pointer as a person writes it: `filters.make`, `parts[0]`; the root is `the request`. */
export function describePlace(pointer: string): string {
  if (pointer === '') return 'the request';
  return splitPointer(pointer).reduce((path, token) => {
    if (/^\d+$/.test(token)) return `${path}[${token}]`;
    return path === '' ? token : `${path}.${token}`;
  }, '');
}
