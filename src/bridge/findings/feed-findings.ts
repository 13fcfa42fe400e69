import type { AlertThresholds } from '../../config/config.ts';
import type { Finding } from '../../model/finding.ts';
import type { HealthFacts, SourceHealth, UntakenRunHealth } from '../../web/health-report.ts';

/** One finding a feed that is well, or as many as it has troubles. */
export function feedFindings(
  { feeds }: Pick<HealthFacts, 'feeds'>,
  { source_failing_minutes: patience }: Pick<AlertThresholds, 'source_failing_minutes'>,
  now: number,
): Finding[] {
  return feeds.last_good.flatMap(({ feed_id: feed, at }) => {
    const of = <T extends { feed_id: string }>(list: readonly T[]): T[] =>
      list.filter(({ feed_id: id }) => id === feed);
    const troubles: Finding[] = [
      ...(feeds.overdue.includes(feed) ? [overdue(feed, at)] : []),
      ...of(feeds.held).map(held),
      ...of(feeds.refused)
        .filter(({ discarded }) => discarded !== true)
        .map(refused),
      ...of(feeds.unreachable_folders).map(({ reason, since }) => unreachable(feed, reason, since)),
      ...of(feeds.sources).flatMap((source) => failing(source, now - patience * 60_000)),
    ];
    if (troubles.length > 0) return troubles;
    const last = at === undefined ? 'no file yet' : `its last good file came ${at}`;
    return { key: `feed:${feed}`, status: 'ok', text: `The feed ${feed} is well: ${last}.` };
  });
}

function overdue(feed: string, at: string | undefined): Finding {
  return {
    key: `feed-overdue:${feed}`,
    status: 'fail',
    text: `The feed ${feed} has brought no good file for longer than expected; the last came ${at ?? 'never'}.`,
    remedy: `Ask its sender, and see: dealer-bridge feed runs ${feed}`,
  };
}

function held({ run_id: run, feed_id: feed, reason }: UntakenRunHealth): Finding {
  return {
    key: `run-held:${run}`,
    status: 'fail',
    text: `A file of the feed ${feed} is held and the lot stays as it was: ${reason}`,
    remedy: `Look at its report in held/${feed}, then: dealer-bridge feed release ${run} (or feed discard ${run})`,
  };
}

/** One as long as the newest file is no good, however many there are. */
function refused({ feed_id: feed, reason }: UntakenRunHealth): Finding {
  return {
    key: `file-refused:${feed}`,
    status: 'fail',
    text: `The newest file of the feed ${feed} was refused and the lot stays as it was: ${reason}`,
    remedy: `Look at its report in failed/${feed} and have its sender send a good one.`,
  };
}

function unreachable(feed: string, reason: string, since: string): Finding {
  return {
    key: `folder-unreachable:${feed}`,
    status: 'fail',
    text: `The inbox folder of the feed ${feed} cannot be looked into since ${since}: ${reason}`,
    remedy: 'Check the network share and the rights of this account on it.',
  };
}

/** A look that fails now and then is no trouble: the next one comes soon. */
function failing({ feed_id: feed, ok, last_success, last_failure }: SourceHealth, before: number): Finding[] {
  if (ok || (last_success !== undefined && Date.parse(last_success) > before)) return [];
  return [
    {
      key: `source-failing:${feed}`,
      status: 'fail',
      text: `The files of the feed ${feed} cannot be fetched: ${last_failure?.reason ?? ''}`,
      remedy: `Check address and login of its source, then: dealer-bridge feed fetch ${feed}`,
    },
  ];
}
