import { visibleText } from '../feeds/reporting/visible-text.ts';
import type { Mention } from '../feeds/tracing/report-mentions.ts';
import type { FeedTrace, RefusedFile, Sighting } from '../feeds/tracing/trace.ts';

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
  /** The feed that has it: only its files can miss it. */
  feedId: string;
  /** Another feed that has spoken of it last, such as a delta. */
  toldBy?: string;
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
  /** Its feed has not come for too long; hidden: buyers do not see it until the feed comes. */
  overdue?: { since: string; isHidden: boolean };
  /** The run whose file was the first to lack it, and how many files in a row lacked it while it stayed. */
  missing?: { files: number; runId: string; fileName: string };
  /** Companion feeds that add to it, and what each brings. */
  supplements?: { feedId: string; fields: string[] }[];
}

const MENTIONS_SHOWN = 10;

/** Whether the bridge has ever met it; that a feed's newest file was refused says nothing of the vehicle itself. */
export function isKnown({ vehicles, feeds }: Explanation): boolean {
  const hasMet = ({ mentions, lastSeen, held }: Explanation['feeds'][number]): boolean =>
    mentions.length > 0 || lastSeen !== undefined || held.some(({ rows }) => rows.length > 0);
  return vehicles.length > 0 || feeds.some(hasMet);
}

export function explanationText(explanation: Explanation): string {
  const { vehicles, feeds } = explanation;
  const asked = visibleText(explanation.asked);
  const isAbsent = vehicles.length === 0;
  const beginning = !isKnown(explanation)
    ? [`Nothing is known of ${asked}: not on the lot, not left, not in the last reports and files.`]
    : isAbsent
      ? [`${asked} is not on the lot, and no vehicle that left went by it.`]
      : [];
  return [...beginning, ...vehicles.map(vehicleText), ...feeds.map((feed) => feedText(feed, vehicles))].join(
    '\n\n',
  );
}

function vehicleText(vehicle: ExplainedVehicle): string {
  const { rooftopId, feedId, name, vin, stock, firstSeen, confirmedAt, leftAt, leftWith } = vehicle;
  const { overdue, missing, supplements, toldBy } = vehicle;
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
    ...(toldBy === undefined ? [] : [`  Feed ${toldBy} has spoken of it last`]),
    ...(overdue === undefined ? [] : [overdueText(feedId, overdue)]),
    ...(missing === undefined ? [] : [missingText(missing)]),
    ...(supplements ?? []).map(
      (each) => `  Feed ${each.feedId} brings for it: ${each.fields.join(', ') || 'nothing'}`,
    ),
  ];
  return lines.join('\n');
}

function overdueText(feedId: string, { since, isHidden }: NonNullable<ExplainedVehicle['overdue']>): string {
  return isHidden
    ? `  Hidden from buyers: feed ${feedId} is overdue since ${since}; it is shown again when a good file comes`
    : `  Feed ${feedId} is overdue since ${since}: what is said of it may be out of date`;
}

function missingText({ files, runId, fileName }: NonNullable<ExplainedVehicle['missing']>): string {
  const told = fileName === '' ? runId : `${visibleText(fileName)} (${runId})`;
  return `  Missing since ${told}: ${files === 1 ? '1 file' : `${files} files in a row`} lacked it while it stayed`;
}

function feedText(feed: Explanation['feeds'][number], vehicles: readonly ExplainedVehicle[]): string {
  const { feedId, mentions, lastSeen, held, refusedFile } = feed;
  const isOnItsLot = vehicles.some((vehicle) => vehicle.feedId === feedId && vehicle.leftAt === undefined);
  const lines = [
    `Feed ${feedId}`,
    ...(lastSeen === undefined ? [] : [`  Last seen in ${place(lastSeen)}`]),
    ...(refusedFile === undefined ? [] : [refusedText(refusedFile)]),
    ...held.flatMap((sighting) => heldText(sighting, isOnItsLot)),
    ...mentions.slice(0, MENTIONS_SHOWN).map(mentionText),
    ...(mentions.length > MENTIONS_SHOWN
      ? [`  … and ${mentions.length - MENTIONS_SHOWN} more (--json)`]
      : []),
  ];
  return lines.join('\n');
}

function refusedText({ fileName, runId, finishedAt, code, message, remedy }: RefusedFile): string {
  const advice = remedy === undefined ? '' : ` What to do: ${remedy}`;
  return (
    `  Its newest file, ${visibleText(fileName)} (${runId}, ${finishedAt}), was refused as a whole, so nothing of it ` +
    `counts: ${code}: ${message}.${advice}`
  );
}

function heldText(sighting: Sighting, isOnItsLot: boolean): string[] {
  if (sighting.rows.length > 0) return [`  Held, waiting for a person: ${place(sighting)}`];
  if (!isOnItsLot) return [];
  const file = `${visibleText(sighting.fileName)} (${sighting.runId})`;
  return [`  Not in the held file ${file}: releasing that one would take it off the lot`];
}

function place({ fileName, runId, finishedAt, rows }: Sighting): string {
  const rowTexts = rows.map(({ row, line, kind, code }) => {
    return `row ${row}, line ${line}${kind === 'rejected' ? ` (refused: ${code ?? 'unknown'})` : ''}`;
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
