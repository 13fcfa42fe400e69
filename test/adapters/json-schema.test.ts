import { describe, expect, it } from 'vitest';
import { compileSchema, joinPointer, splitPointer } from '../../src/documents/json-schema.ts';

function faults(schema: object, value: unknown): string[] {
  return compileSchema(schema)(value).map(
    ({ pointer, key, message }) => `${pointer}${key === undefined ? '' : ` [${key}]`}: ${message}`,
  );
}

describe('schema faults', () => {
  it('are all told at once, in words', () => {
    const schema = {
      type: 'object',
      additionalProperties: false,
      required: ['host'],
      properties: {
        host: { type: 'string' },
        port: { type: 'integer', maximum: 65535 },
        mail: { type: 'string', format: 'email' },
        tags: { type: 'array', uniqueItems: true, minItems: 1, items: { type: 'string', minLength: 1 } },
        code: { type: 'string', pattern: '^[A-Z]+$', 'x-hint': 'capital letters' },
        plain: { type: 'string', pattern: '^x$' },
      },
    };
    const value = { port: 70000, mail: 'a', tags: ['a', '', 'a'], code: 'a', plain: 'a', prot: 1, other: 2 };
    expect(faults(schema, value).sort()).toEqual(
      [
        '/code: must be capital letters',
        '/mail: must be an e-mail address',
        '/plain: must be text that matches ^x$',
        '/port: must be at most 65535',
        '/tags/1: must not be empty',
        '/tags/2: is listed twice',
        ': "host" is missing',
        ' [other]: unknown key "other"; known are host, port, mail, tags, code, plain',
        ' [prot]: unknown key "prot"; did you mean "port"?',
      ].sort(),
    );
  });

  it('of alternatives are one fault', () => {
    const oneOfKeys = { type: 'object', anyOf: [{ required: ['a'] }, { required: ['b'] }] };
    expect(faults(oneOfKeys, {})).toEqual([': needs one of a, b']);
    expect(faults(oneOfKeys, { b: 1 })).toEqual([]);
    const oneOfForms = { oneOf: [{ type: 'string' }, { type: 'integer', minimum: 5 }] };
    expect(faults({ properties: { x: oneOfForms } }, { x: 1 })).toEqual([
      '/x: fits none of the allowed forms (must be text, not a number; put it in quotes; must be at least 5)',
    ]);
  });

  it('of conditions and names are told without the machinery', () => {
    const conditional = { if: { properties: { on: { const: true } } }, then: { required: ['host'] } };
    expect(faults(conditional, { on: true })).toEqual([': "host" is missing']);
    expect(faults({ propertyNames: { pattern: '^[a-z]+$' } }, { 'A b': 1 })).toEqual([
      ' [A b]: the key "A b" is not allowed here',
    ]);
    expect(faults({ dependentRequired: { user: ['password'] } }, { user: 'a' })).toEqual([
      ': "password" is missing; "user" needs it',
    ]);
    expect(faults({ properties: { old: false } }, { old: 1 })).toEqual(['/old: is not allowed here']);
  });

  it('never quote the value', () => {
    const schema = {
      properties: { a: { enum: ['x'] }, b: { const: 'x' }, c: { type: 'integer' }, d: { maxLength: 3 } },
    };
    const value = { a: 'hunter2', b: 'hunter2', c: 'hunter2', d: 'hunter2' };
    expect(faults(schema, value)).toHaveLength(4);
    expect(faults(schema, value).join()).not.toContain('hunter2');
  });

  it('do not follow the prototype', () => {
    expect(faults({ type: 'object', required: ['constructor'] }, {})).toEqual([': "constructor" is missing']);
    const own = JSON.parse('{"__proto__":1}') as unknown;
    expect(faults({ type: 'object', additionalProperties: false }, own)).toEqual([
      ' [__proto__]: unknown key "__proto__"',
    ]);
  });

  it('fill defaults in at every level', () => {
    const value = {};
    const inner = { type: 'object', default: {}, properties: { b: { default: 1 } } };
    expect(compileSchema({ type: 'object', properties: { a: inner } })(value)).toEqual([]);
    expect(value).toEqual({ a: { b: 1 } });
  });

  it('of the schema itself are thrown', () => {
    expect(() => compileSchema({ type: 'objekt' })).toThrow();
    expect(() => compileSchema({ requird: [] })).toThrow('unknown keyword');
  });
});

it('pointers take any key there and back', () => {
  const keys = ['a/b', 'm~n', '', '0'];
  expect(joinPointer('', ...keys)).toBe('/a~1b/m~0n//0');
  expect(splitPointer('/a~1b/m~0n//0')).toEqual(keys);
});
