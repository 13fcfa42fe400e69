import { visibleText } from '../feeds/reporting/visible-text.ts';
import type { Mention } from '../feeds/tracing/report-mentions.ts';
import type { FeedTrace, Sighting } from '../feeds/tracing/trace.ts';

/** What `feed explain --json` prints. Times are RFC 3339 in UTC. */
export interface Explanation {
  asked: string;
  /** Those on the lot first. */
  vehicles: ExplainedVehicle[];
  /** Only feeds that have something to tell. */
  feeds: Omit<FeedTrace, 'reports'>[];
}

export interface ExplainedVehicle {
  rooftopId: string;
  /** The feed that brought it last. */
  feedId: string;
  name: string;
  vin?: string;
  stock?: string;
  firstSeen: string;
  /** When the dealer's system last wrote a file with it. */
  confirmedAt: string;
  /** Absent while it is on the lot. */
  leftAt?: string;
  /** The run that took it off, where its report is still there. */
  leftWith?: { runId: string; fileName: string };
}

const MENTIONS_SHOWN = 10;

export function explanationText({ asked, vehicles, feeds }: Explanation): string {
  if (vehicles.length + feeds.length === 0) {
    return `Nothing is known of ${visibleText(asked)}: not on the lot, not left, not in the last reports and files.`;
  }
  const onLot =
    vehicles.length === 0
      ? [`${visibleText(asked)} is not on the lot, and no vehicle that left went by it.`]
      : [];
  return [...onLot, ...vehicles.map(vehicleText), ...feeds.map((feed) => feedText(feed, vehicles))].join(
    '\n\n',
  );
}

function vehicleText(vehicle: ExplainedVehicle): string {
  const { rooftopId, feedId, name, vin, stock, firstSeen, confirmedAt, leftAt, leftWith } = vehicle;
  const numbers = [vin, stock === undefined ? undefined : `stock ${stock}`].filter(
    (text) => text !== undefined,
  );
  const left = leftWith === undefined ? '' : `, with ${visibleText(leftWith.fileName)} (${leftWith.runId})`;
  const lines = [
    `${visibleText(name)} (${visibleText(numbers.join(', '))})`,
    leftAt === undefined
      ? `  On the lot at ${rooftopId}, since ${firstSeen}`
      : `  Left the lot of ${rooftopId} at ${leftAt}${left}; came at ${firstSeen}`,
    `  Brought by feed ${feedId}, last confirmed at ${confirmedAt}`,
  ];
  return lines.join('\n');
}

function feedText(feed: Explanation['feeds'][number], vehicles: readonly ExplainedVehicle[]): string {
  const { feedId, mentions, lastSeen, held } = feed;
  const isOnItsLot = vehicles.some((vehicle) => vehicle.feedId === feedId && vehicle.leftAt === undefined);
  const lines = [
    `Feed ${feedId}`,
    ...(lastSeen === undefined ? [] : [`  Last seen in ${place(lastSeen)}`]),
    ...held.flatMap((sighting) => heldText(sighting, isOnItsLot)),
    ...mentions.slice(0, MENTIONS_SHOWN).map(mentionText),
    ...(mentions.length > MENTIONS_SHOWN
      ? [`  … and ${mentions.length - MENTIONS_SHOWN} more (--json)`]
      : []),
  ];
  return lines.join('\n');
}

function heldText(sighting: Sighting, isOnItsLot: boolean): string[] {
  if (sighting.rows.length > 0) return [`  Held, waiting for a person: ${place(sighting)}`];
  if (!isOnItsLot) return [];
  const file = `${visibleText(sighting.fileName)} (${sighting.runId})`;
  return [`  Not in the held file ${file}: releasing that one would take it off the lot`];
}

function place({ fileName, runId, finishedAt, rows }: Sighting): string {
  const rowTexts = rows.map(({ row, line, kind }) => {
    return `row ${row}, line ${line}${kind === 'rejected' ? ' (refused)' : ''}`;
  });
  return `${visibleText(fileName)}, ${rowTexts.join('; ')} (${runId}, ${finishedAt})`;
}

const KINDS: Readonly<Record<Mention['kind'], string>> = {
  refused: 'Refused',
  removal: 'Asked to take it off',
  warning: 'Odd',
};

function mentionText({ kind, fileName, row, line, code, message, remedy, finishedAt }: Mention): string {
  const advice = remedy === undefined ? '' : ` What to do: ${remedy}`;
  return `  ${KINDS[kind]} in ${visibleText(fileName)}, row ${row}, line ${line} (${finishedAt}): ${code}: ${message}.${advice}`;
}
