import type { LeadDocument } from '../../../src/adapters/index.ts';

/**
 * The lead's id at the dealership's web domain: the same for every destination and every attempt, so that mail
 * systems see a second copy for what it is.
 */
export function messageIdOf({ lead_id, rooftop }: LeadDocument): string {
  return `${lead_id.replaceAll(/[^A-Za-z0-9_-]/g, '-')}@${domainOf(rooftop.profile.website)}`;
}

function domainOf(website: string | undefined): string {
  const host = website !== undefined && URL.canParse(website) ? new URL(website).hostname : '';
  return /^[a-z0-9-]+(?:\.[a-z0-9-]+)+$/.test(host) ? host : 'dealer-bridge.invalid';
}
