import type { Command } from 'commander';
import { strayVehicles } from '../bridge/stray-vehicles.ts';
import { systemClock } from '../model/clock.ts';
import { loadConfigOrExit, withConfigOptions, type ConfigOptions } from './config-options.ts';
import { withExistingInventory } from './feed-services.ts';
import { stop } from './held-run.ts';

/** `feed forget`: ends the waiting of vehicles whose feed or rooftop does not come back. */
export function addFeedForgetCommand(feed: Command): void {
  withConfigOptions(feed.command('forget'))
    .summary('take the vehicles of a feed or rooftop that is gone off the lot for good')
    .description(
      'Vehicles of a feed or rooftop that the settings do not have (any more) are kept and not shown, in case it ' +
        'comes back. This takes them off the lot for good. The bridge may be running.',
    )
    .argument('<id>', 'the feed or rooftop, as /health and check --probe name it')
    .action(forget);
}

async function forget(id: string, options: ConfigOptions): Promise<void> {
  const config = await loadConfigOrExit(options);
  const { feeds, dealer } = config;
  await withExistingInventory(config, async (store) => {
    await Promise.resolve();
    const strays = strayVehicles(store.vehicleOwners(), { feeds, rooftops: dealer.rooftops });
    const meant = strays.filter((stray) => stray.id === id);
    if (meant.length === 0) {
      const isKnown = [...feeds, ...dealer.rooftops].some((known) => known.id === id);
      const others = strays.map(({ kind, id: other }) => `the ${kind} ${other}`).join(', ');
      stop(
        (isKnown
          ? `${id} stands in the settings: its vehicles are not forgotten. `
          : `No vehicles are kept of ${id}. `) +
          (others === '' ? 'All vehicles have a feed and a rooftop.' : `Not shown are those of ${others}.`),
      );
    }
    for (const { kind } of meant) {
      const vehicles = store.takeOffLot(kind, id, systemClock.now());
      console.log(
        `${vehicles} ${vehicles === 1 ? 'vehicle' : 'vehicles'} of the ${kind} ${id} are off the lot.`,
      );
    }
  });
}
