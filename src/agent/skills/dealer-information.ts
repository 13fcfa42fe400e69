import type { DealerConfig } from '../../config/config.ts';
import type { Inventory } from '../../inventory/inventory.ts';
import type { Clock } from '../../model/clock.ts';
import { rooftopFreshnessText } from './freshness-text.ts';
import { answered } from './skill.ts';
import type { Skill } from './skill.ts';

/** Who the dealer is, from the config: the same until the next start, but for how fresh the inventory is. */
export function dealerInformation(dealer: DealerConfig, inventory: Inventory, clock: Clock): Skill {
  const { name, welcome_message, rooftops } = dealer;
  const data = JSON.stringify({ name, welcome_message, rooftops: rooftops.map(({ profile }) => profile) });
  return {
    id: 'dealer.information',
    description: 'Who the dealer is: locations, addresses, contacts, opening hours, services and fees.',
    tags: ['dealer', 'information', 'automotive'],
    answer: () => {
      const message = rooftopFreshnessText(dealer, inventory.status(), clock.now());
      return answered('dealer.information', data, message);
    },
  };
}
