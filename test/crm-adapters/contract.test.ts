import { expect, test } from 'vitest';
import { checkCrmAdapter } from '../../src/adapters/contract-checks.ts';
import { CRM_FOLDER, SHIPPED } from './shipped.ts';

test('the three ADF adapters are shipped', () => {
  expect(SHIPPED).toEqual(expect.arrayContaining(['adf-email', 'adf-file', 'adf-http']));
});

test.each(SHIPPED)('%s keeps the contract of CRM adapters', async (name) => {
  expect(await checkCrmAdapter(`${CRM_FOLDER}${name}`)).toEqual([]);
});
