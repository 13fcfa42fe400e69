import { expect, it } from 'vitest';
import { faultText } from '../../src/leads/fault-text.ts';

it('leaves out what Node advises its own users', () => {
  const advice = '; if the root CA is installed locally, try running Node.js with --use-system-ca';
  expect(faultText(new Error(`self-signed certificate${advice}`))).toBe('self-signed certificate');
  expect(faultText('anything else; whole')).toBe('anything else; whole');
});
