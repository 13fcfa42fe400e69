import { expect, it, vi } from 'vitest';
import { newLeadId, newMessageId, newRequestId } from '../../src/model/identifier.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const UUID_V7 = /^lead_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

it('gives every message and every request an id of its own', () => {
  const ids = Array.from({ length: 1000 }, () => [newMessageId(), newRequestId()]).flat();
  expect(new Set(ids).size).toBe(2000);
  expect(ids.every((id) => UUID.test(id))).toBe(true);
});

it('gives leads ids that sort by age', () => {
  vi.spyOn(Date, 'now').mockReturnValue(Date.UTC(2026, 10, 30));
  const ids = Array.from({ length: 10_000 }, () => newLeadId());
  // Also when the clock is set back by an hour.
  vi.mocked(Date.now).mockReturnValue(Date.UTC(2026, 10, 29, 23));
  ids.push(newLeadId());
  vi.mocked(Date.now).mockReturnValue(Date.UTC(2026, 11, 1));
  ids.push(newLeadId());
  vi.restoreAllMocks();
  expect(ids.toSorted()).toEqual(ids);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => UUID_V7.test(id))).toBe(true);
});
