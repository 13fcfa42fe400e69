import type { Database } from 'better-sqlite3';

/**
 * Ends the pause of a destination. What waited for it and for nothing else is due at once, so that the oldest goes first;
 * a lead that waits for its own next attempt keeps its time. To be used inside a transaction.
 */
export function pauseLifting(database: Database) {
  const end = database.prepare<[string], { since: number }>(
    'DELETE FROM destination_pauses WHERE destination = ? RETURNING since',
  );
  const endOf = database.prepare<[number], { destination: string; since: number }>(
    `DELETE FROM destination_pauses
     WHERE destination = (SELECT destination FROM deliveries WHERE delivery_id = ?) RETURNING destination, since`,
  );
  const release = database.prepare<{ destination: string; now: number }>(
    `UPDATE deliveries SET next_attempt_at = @now, waits_for_pause = 0
     WHERE destination = @destination AND next_attempt_at > @now AND waits_for_pause = 1`,
  );
  return {
    /** Who sends again by hand has looked at the destination. */
    byHand(destination: string, now: number): void {
      if (end.get(destination) !== undefined) release.run({ destination, now });
    },
    /** By the CRM's word on a lead. */
    byAttempt(
      deliveryId: number,
      { startedAt, finishedAt }: { startedAt: number; finishedAt: number },
    ): void {
      const pause = endOf.get(deliveryId);
      // An attempt that was under way when the pause began proves nothing to the lead that began it: with several at a
      // time such a lead would be tried over and over.
      if (pause === undefined || startedAt < pause.since) return;
      release.run({ destination: pause.destination, now: finishedAt });
    },
  };
}
