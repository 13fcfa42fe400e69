import { remembering } from '../mapping/fields/remembering.ts';
import { namesCost } from './cost-names.ts';

/**
 * Columns that ride along in exports and belong to the dealer alone: what a vehicle cost, who owned it, where the
 * leads go. No profile can publish them, and reports do not show their values. `name` is a column or an XML path,
 * perhaps with a choice (`Price[@kind=invoice]`); one secret step is enough.
 */
export function isNeverPublished(name: string): boolean {
  return name.split(STEPS).some(isSecretStep);
}

const STEPS = /[/[\]=]/;

const isSecretStep = remembering((step) => namesCost(step.replace(/^@/, '')));
