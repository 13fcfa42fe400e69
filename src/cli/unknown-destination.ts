import type { Config } from '../config/config.ts';
import type { DeliveryRecord } from '../leads/delivery-records.ts';

/**
 * Why nobody tries a delivery that is not over: its destination was taken out of the settings, or renamed there. Nothing
 * is known of settings that cannot be used.
 */
export function unknownDestination(
  { destination, state }: Pick<DeliveryRecord, 'destination' | 'state'>,
  config: Pick<Config, 'leads'> | undefined,
): { waits?: string } {
  const isOpen = state === 'queued' || state === 'sending' || state === 'uncertain';
  if (!isOpen || config === undefined || config.leads.destinations.some(({ id }) => id === destination))
    return {};
  return { waits: `destination ${destination} is not in the settings` };
}
