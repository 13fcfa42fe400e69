import type { DealerConfig } from '../config/config.ts';
import type { Rooftop } from '../model/rooftop.ts';
import type { Vehicle } from '../model/vehicle.ts';

interface CalledRooftop {
  rooftop: Rooftop;
  id: string;
  name: string;
}

/** As long as the settings stay the same. */
const called = new WeakMap<DealerConfig, CalledRooftop[]>();

/** The rooftop that a buyer's agent names with a vehicle: it passes on what our own listing told it, such as the rooftop's name. */
export function namedRooftop(
  { dealer_id, rooftop }: Pick<Vehicle, 'dealer_id' | 'rooftop'>,
  dealer: DealerConfig,
): Rooftop | undefined {
  const rooftops = called.get(dealer) ?? keepCalled(dealer);
  const [id, name] = [plain(dealer_id ?? ''), plain(rooftop ?? '')];
  const found = rooftops.find((one) => one.id === id) ?? rooftops.find((one) => one.name === name);
  return found?.rooftop;
}

function keepCalled(dealer: DealerConfig): CalledRooftop[] {
  const rooftops = dealer.rooftops.map((rooftop) => ({
    rooftop,
    id: plain(rooftop.id),
    name: plain(rooftop.profile.name),
  }));
  called.set(dealer, rooftops);
  return rooftops;
}

/** Agents pass names through people and models: case, accents and the number of blanks do not tell two rooftops apart. */
function plain(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').trim().replace(/\s+/g, ' ').toLowerCase();
}
