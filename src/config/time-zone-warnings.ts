import { basename } from 'node:path';
import type { Problem } from '../model/problem.ts';
import type { Config } from './config.ts';

/** What is meant by names that know no summer time; CST, PST and EST5EDT do. */
const MEANT: Readonly<Record<string, string>> = {
  EST: 'America/New_York',
  MST: 'America/Denver, or America/Phoenix in Arizona',
  'ETC/GMT+4': 'America/Puerto_Rico or America/Halifax',
  'ETC/GMT+5': 'America/New_York',
  'ETC/GMT+6': 'America/Chicago',
  'ETC/GMT+7': 'America/Denver, or America/Phoenix in Arizona',
  'ETC/GMT+8': 'America/Los_Angeles',
  'ETC/GMT+9': 'America/Anchorage',
};

/** In Hawaii it is always standard time. */
const RIGHT = new Set(['HST', 'ETC/GMT+10']);

/**
 * Abbreviations and offsets that have no summer time, for which no dealership stands: from March to November every visit
 * would be told an hour off. Zones of places, such as America/Phoenix, are believed.
 */
export function timeZoneWarnings({ dealer, file }: Pick<Config, 'dealer' | 'file'>): Problem[] {
  return dealer.rooftops.flatMap(({ profile }, index) => {
    const message = warningOf(profile.timezone ?? '');
    if (message === undefined) return [];
    const where = { file: basename(file), path: `dealer.rooftops[${index}].timezone` };
    return [{ code: 'CONFIG_TIMEZONE_FIXED', message, where }];
  });
}

function warningOf(name: string): string | undefined {
  const zone = name.toUpperCase();
  if (zone === 'AST') {
    return 'AST is read as the time of Alaska. Write America/Anchorage if it is meant, America/Puerto_Rico or America/Halifax if not.';
  }
  const isOfPlace = zone.includes('/') && !zone.startsWith('ETC/');
  if (zone === '' || isOfPlace || RIGHT.has(zone) || hasSummerTime(name)) return undefined;
  const meant = MEANT[zone] ?? 'the name of the zone with a city, such as America/New_York';
  return `${name} has no daylight saving time: from March to November visits would be told an hour off. Write ${meant}.`;
}

function hasSummerTime(timeZone: string): boolean {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const offsetIn = (month: number): string | undefined =>
    format.formatToParts(Date.UTC(2026, month, 1)).find(({ type }) => type === 'timeZoneName')?.value;
  return offsetIn(0) !== offsetIn(6);
}
