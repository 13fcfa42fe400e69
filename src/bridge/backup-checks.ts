import { leadCopyFaults } from '../leads/store-copy-check.ts';
import type { DatabaseChecks } from '../runtime/backup/check-copy.ts';

/** What must hold in the copies of our databases beside what SQLite checks. */
export const BACKUP_CHECKS: DatabaseChecks = { 'leads.db': leadCopyFaults };
