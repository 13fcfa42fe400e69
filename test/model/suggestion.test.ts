import { expect, it } from 'vitest';
import { didYouMean, nearest } from '../../src/model/suggestion.ts';

const PROFILES = ['homenet', 'vauto', 'google', 'cdk', 'aap'];

it.each([
  ['homnet', 'homenet'],
  ['HomeNet', 'homenet'],
  ['gogole', 'google'],
  ['vatuo', 'vauto'],
  ['ckd', 'cdk'],
  ['app', 'aap'],
])('%s is nearest to %s', (word, expected) => {
  expect(nearest(word, PROFILES)).toBe(expected);
});

it.each(['dealertrack', 'x', '', 'xyz', 'a'.repeat(1000)])('nothing is near to %s', (word) => {
  expect(nearest(word, PROFILES)).toBeUndefined();
  expect(didYouMean(word, PROFILES)).toBe('');
});

it('reads as the end of a message', () => {
  expect(`no profile "homnet"${didYouMean('homnet', PROFILES)}`).toBe(
    'no profile "homnet"; did you mean "homenet"?',
  );
});
