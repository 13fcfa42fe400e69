import type { DealerConfig } from '../../config/config.ts';
import { answered } from './skill.ts';
import type { Skill } from './skill.ts';

/** Who the dealer is, from the config: the same answer until the next start. */
export function dealerInformation(dealer: DealerConfig): Skill {
  const { name, welcome_message, rooftops } = dealer;
  const data = JSON.stringify({ name, welcome_message, rooftops: rooftops.map(({ profile }) => profile) });
  const places = rooftops.length === 1 ? 'one location' : `${rooftops.length} locations`;
  const reply = answered('dealer.information', data, `${name} has ${places}.`);
  return {
    id: 'dealer.information',
    description: 'Who the dealer is: locations, addresses, contacts, opening hours, services and fees.',
    tags: ['dealer', 'information', 'automotive'],
    answer: () => reply,
  };
}
