import type { DealerConfig } from '../config/config.ts';
import type { LeadSubmitRequest } from '../model/lead.ts';
import type { Rooftop } from '../model/rooftop.ts';

/** The rooftop that a buyer's agent names: it passes on what our own listing told it, such as the rooftop's name. */
export function namedRooftop(
  { vehicle_of_interest }: LeadSubmitRequest,
  { rooftops }: DealerConfig,
): Rooftop | undefined {
  const { dealer_id, rooftop } = vehicle_of_interest ?? {};
  const [id, name] = [plain(dealer_id ?? ''), plain(rooftop ?? '')];
  return (
    rooftops.find((one) => plain(one.id) === id) ??
    rooftops.find(({ profile }) => plain(profile.name) === name)
  );
}

/** Agents pass names through people and models: case, accents and the number of blanks do not tell two rooftops apart. */
function plain(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').trim().replace(/\s+/g, ' ').toLowerCase();
}
