import type { AlertThresholds } from '../../config/config.ts';
import type { Finding } from '../../model/finding.ts';
import type { HealthFacts, RooftopHealth } from '../../web/health-report.ts';
import { strayFindings } from '../stray-vehicles.ts';

const HOUR_S = 3600;

/** How fresh each rooftop's vehicles are, and which are not shown. */
export function lotFindings(
  { lot }: Pick<HealthFacts, 'lot'>,
  { lot_max_age_hours: limit }: Pick<AlertThresholds, 'lot_max_age_hours'>,
): Finding[] {
  return [...lot.rooftops.map((rooftop) => freshness(rooftop, limit)), ...strayFindings(lot.not_shown ?? [])];
}

function freshness({ rooftop_id: id, vehicles, age_seconds: age }: RooftopHealth, limit: number): Finding {
  const key = `lot-stale:${id}`;
  // One that has none may be new, or sell nothing: its feed tells when something is wrong.
  if (age === undefined) return { key, status: 'ok', text: `The rooftop ${id} has ${vehicles} vehicles.` };
  const hours = Math.floor(age / HOUR_S);
  if (age <= limit * HOUR_S) {
    return {
      key,
      status: 'ok',
      text: `The rooftop ${id} has ${vehicles} vehicles, confirmed ${hours} hours ago.`,
    };
  }
  return {
    key,
    status: 'warn',
    text: `The ${vehicles} vehicles of the rooftop ${id} were last confirmed ${hours} hours ago.`,
    remedy: 'Look why no inventory file comes: dealer-bridge feed runs',
  };
}
