import { expect, test } from 'vitest';
import { otherForms } from '../../../src/inventory/lot/other-forms.ts';

test.each([
  ['trucks', ['truck']],
  ['suvs', ['suv']],
  ['evs', ['ev']],
  ['coupes', ['coupe']],
  ['bodies', ['body', 'bodie']],
  ['hatches', ['hatche', 'hatch']],
  ['buses', ['buse', 'bus']],
  ['grey', ['gray']],
  ['gray', ['grey']],
  ['tyres', ['tires', 'tyre']],
])('%s may stand on the lot as %j', (word, forms) => {
  expect(otherForms(word)).toEqual(forms);
});

test.each(['truck', 'ss', 's', 'as', 'class', '3s', '2020', ''])('%j has no other form', (word) => {
  expect(otherForms(word)).toEqual([]);
});
