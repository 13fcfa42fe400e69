/** Whether calls can be answered now, and in a few words why not. */
export interface Readiness {
  ready: boolean;
  reason?: string;
}

/** The answers of `/health/live` and `/health/ready`, the same on both ports. */
export const LIVE = { live: true } as const;

export function readyStatus({ ready }: Readiness): number {
  return ready ? 200 : 503;
}
