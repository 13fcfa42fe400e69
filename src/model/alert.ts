/**
 * Alerts: what a person should hear of without looking. A room tells what stands now, again and again; who is told,
 * when, and that it is told once, is up to src/runtime/alerts.ts. No text here holds customer data or a secret.
 */
export interface Alert {
  /** Names the condition for as long as it stands, such as `destination-paused:crm`. */
  key: string;
  /** What is wrong, one line. */
  text: string;
  /** What to do about it, one line. */
  remedy: string;
}

export interface StandingAlerts {
  alerts: readonly Alert[];
  /** Not everything could be looked at: what is missing here may stand all the same. */
  isPartial: boolean;
}

/** What each channel was told of and has not heard the end of; kept over restarts. */
export interface AlertMemory {
  /** Key and text of what was told. */
  told(channel: string): Promise<Pick<Alert, 'key' | 'text'>[]>;
  /** A message went out: these are told now, those are over. */
  keep(
    channel: string,
    change: { raised: readonly Alert[]; resolved: readonly string[]; now: number },
  ): Promise<void>;
}
