import { expect, it } from 'vitest';
import { describeProblem } from '../../src/model/problem.ts';

it.each([
  ['"a, b" is not one plain mail address', '"a, b" is not one plain mail address. Write one.'],
  ['no such file.', 'no such file. Write one.'],
  ['did you mean "b"?', 'did you mean "b"? Write one.'],
])('ends what happened before it says what to do: %s', (message, told) => {
  expect(describeProblem({ code: 'X', message, remedy: 'Write one.' })).toBe(told);
});

it('leaves a message alone that stands by itself', () => {
  expect(describeProblem({ code: 'X', message: 'must be at least 0', where: { path: 'a' } })).toBe(
    'a: must be at least 0',
  );
});
