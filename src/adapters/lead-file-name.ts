import type { LeadDocument } from '../model/lead.ts';
import { isDeviceName } from '../files/portable-name.ts';
import { fillTemplate } from './text-template.ts';

export const FILE_NAME_PLACES = ['lead_id', 'received_at', 'rooftop'] as const;

/** Windows allows 255 characters; room stays for the ending of a temporary name. */
const LONGEST_NAME = 200;

/** The name of a lead's file by a template with these places: one plain file name on every system. */
export function leadFileName(template: string, lead: LeadDocument): string {
  return safeFileName(
    fillTemplate(template, {
      lead_id: lead.lead_id,
      received_at: compactInstant(lead.received_at),
      rooftop: lead.rooftop.id,
    }),
  );
}

/** A name that is one file in the folder on every system: no separators, no hidden file, no device. */
function safeFileName(name: string): string {
  const cleaned = name
    .replaceAll(/[<>:"/\\|?*]|[^\x20-\x7e]/gu, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^[. ]+/, '')
    .replace(/[. ]+$/, '');
  return isDeviceName(cleaned) || cleaned === '' ? `lead-${cleaned}` : cleaned;
}

/** `2026-04-30T11:05:10Z` as `20260430T110510Z`: sorts by time and needs no colon. */
function compactInstant(instant: string): string {
  return instant.replaceAll(/[-:]|\.\d+/g, '');
}
