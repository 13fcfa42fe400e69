import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { LeadStore } from '../../src/leads/lead-store.ts';
import { openLeadStore } from '../../src/leads/store.ts';

export * from './lead-fixtures.ts';

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'leads-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export function openStore(file = join(temporaryFolder(), 'leads.db')): LeadStore {
  const store = openLeadStore(file);
  onTestFinished(() => store.close());
  return store;
}
