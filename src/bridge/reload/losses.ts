import type { Config } from '../../config/config.ts';

/**
 * What a change of the settings takes away, in words. A file that was cut off while it was written may be sound, too:
 * so what is gone is told, though nothing is wrong with it. Pure.
 */
export function lossesOf(before: Config, after: Config): string[] {
  return [
    ...gone('rooftop', idsOf(before.dealer.rooftops), idsOf(after.dealer.rooftops)),
    ...gone('feed', idsOf(before.feeds), idsOf(after.feeds)),
    ...gone('destination', idsOf(before.leads.destinations), idsOf(after.leads.destinations)),
    ...gone('skill', enabled(before.skills), enabled(after.skills)),
    ...lostAlerts(before.alerts, after.alerts),
    ...(before.backup.enabled && !after.backup.enabled ? ['the backups'] : []),
    ...(before.backup.copy_to !== undefined && after.backup.copy_to === undefined
      ? ['the second place of backups']
      : []),
  ];
}

function gone(noun: string, before: readonly string[], after: readonly string[]): string[] {
  return before.filter((id) => !after.includes(id)).map((id) => `the ${noun} ${id}`);
}

function idsOf(parts: readonly { id: string }[]): string[] {
  return parts.map(({ id }) => id);
}

function enabled(skills: Config['skills']): string[] {
  return Object.entries(skills).flatMap(([id, isOn]) => (isOn ? [id] : []));
}

function lostAlerts(before: Config['alerts'], after: Config['alerts']): string[] {
  const lost = (['mail', 'webhook'] as const).filter(
    (way) => before[way] !== undefined && after[way] === undefined,
  );
  if (lost.length === 0) return [];
  const isNoneLeft = after.mail === undefined && after.webhook === undefined;
  return isNoneLeft ? ['all alerts'] : lost.map((way) => `the alerts by ${way}`);
}
