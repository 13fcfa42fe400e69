import { expect, it } from 'vitest';
import { newLeadId, newMessageId, newRequestId } from '../../src/model/identifier.ts';

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('gives every message and every request an id of its own', () => {
  const ids = Array.from({ length: 1000 }, () => [newMessageId(), newRequestId()]).flat();
  expect(new Set(ids).size).toBe(2000);
  expect(ids.every((id) => UUID_V7.test(id))).toBe(true);
});

it('gives leads ids that sort by age', () => {
  const ids = Array.from({ length: 1000 }, () => newLeadId());
  expect(ids.toSorted()).toEqual(ids);
});
