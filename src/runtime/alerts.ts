import type { Alert, AlertMemory, StandingAlerts } from '../model/alert.ts';
import type { Clock } from '../model/clock.ts';
import type { Log } from '../model/log.ts';

export interface AlertMessage {
  /** Nothing is wrong: somebody tries whether it arrives. */
  test?: true;
  /** Of the dealer. */
  from: string;
  raised: readonly Alert[];
  /** What is over; told as it was told when it began. */
  resolved: readonly Pick<Alert, 'key' | 'text'>[];
  /** RFC 3339. */
  sentAt: string;
}

/** One way to reach a person. `send` rejects when the message did not go out. */
export interface AlertChannel {
  /** Names it in the memory and in the log. */
  name: string;
  send(message: AlertMessage): Promise<void>;
}

interface AlertParts {
  /** What stands now. */
  look: () => Promise<StandingAlerts>;
  channels: readonly AlertChannel[];
  memory: AlertMemory;
  /** Name of the dealer. */
  from: string;
  clock: Clock;
  log: Log;
}

/** What comes sooner after a message waits and goes out with everything else that has come by then. */
const MIN_BETWEEN_MESSAGES_MS = 5 * 60_000;

/**
 * Gives a step, to be done about once a minute, that tells each channel what has begun and what is over since its last
 * message. What was told is remembered by channel and over restarts, so that nothing is told twice and a channel that
 * fails hears of it later, of what still stands then.
 */
export function alertStep(parts: AlertParts): () => Promise<void> {
  const channels = parts.channels.map((channel) => ({ channel, tell: channelTeller(channel, parts) }));
  return async () => {
    if (channels.length === 0) return;
    const standing = await parts.look();
    for (const { tell } of channels) await tell(standing);
  };
}

function channelTeller(channel: AlertChannel, { memory, from, clock, log }: AlertParts) {
  let lastSentAt: number | undefined;
  let failing = false;

  return async ({ alerts: standing, isPartial }: StandingAlerts): Promise<void> => {
    const now = clock.now();
    // A clock that was set back must not silence the channel.
    const isSoon =
      lastSentAt !== undefined && now >= lastSentAt && now - lastSentAt < MIN_BETWEEN_MESSAGES_MS;
    if (isSoon) return;
    const told = await memory.told(channel.name);
    const raised = standing.filter(({ key }) => told.every((earlier) => earlier.key !== key));
    const resolved = isPartial ? [] : told.filter(({ key }) => standing.every((alert) => alert.key !== key));
    if (raised.length === 0 && resolved.length === 0) return;
    try {
      await channel.send({ from, raised, resolved, sentAt: new Date(now).toISOString() });
    } catch (fault) {
      const reason = fault instanceof Error ? fault.message : String(fault);
      const facts = { channel: channel.name, reason };
      if (failing) log.debug(facts, 'alerts still cannot be sent');
      else log.error(facts, 'alerts cannot be sent; tried again every minute');
      failing = true;
      return;
    }
    if (failing) log.info({ channel: channel.name }, 'alerts can be sent again');
    failing = false;
    lastSentAt = now;
    await memory.keep(channel.name, { raised, resolved: resolved.map(({ key }) => key), now });
    log.info(
      {
        channel: channel.name,
        raised: raised.map(({ key }) => key),
        resolved: resolved.map(({ key }) => key),
      },
      'alerts sent',
    );
  };
}
