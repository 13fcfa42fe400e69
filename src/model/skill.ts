/** The five skills and the stem of their schema and media-type names (aap-v1.3 section 1). */
export const SKILL_IDS = [
  'dealer.information',
  'inventory.facets',
  'inventory.search',
  'inventory.vehicle',
  'lead.submit',
] as const;
export type SkillId = (typeof SKILL_IDS)[number];

export const SKILL_STEMS: Readonly<Record<SkillId, string>> = {
  'dealer.information': 'dealer-information',
  'inventory.facets': 'inventory-facets',
  'inventory.search': 'inventory-search',
  'inventory.vehicle': 'vehicle-detail',
  'lead.submit': 'lead-submit',
};
