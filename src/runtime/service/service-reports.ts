import type { Notify } from './systemd-notify.ts';

export interface WatchedBridge {
  /** Whether calls can be answered now: both databases answer, and the bridge is not stopping. */
  readiness(): Promise<{ ready: boolean; reason?: string }>;
  /** Resolves when the bridge begins to stop. */
  readonly stopping: Promise<unknown>;
}

/** Of the interval that systemd sets: two tellings may be late or lost before it acts. */
const TELLINGS_PER_INTERVAL = 3;

/**
 * Keeps systemd informed of a bridge that serves: READY at once, STOPPING in the end, and WATCHDOG in between only
 * while the event loop turns (the timer is on it) and both databases answer. A bridge that hangs is silent, and is
 * ended and started again. Returns what ends the telling.
 */
export function startServiceReports(bridge: WatchedBridge, notify: Notify, intervalMs?: number): () => void {
  let isStopping = false;
  let timer: NodeJS.Timeout | undefined;
  let told = '';

  const end = (): void => {
    isStopping = true;
    clearTimeout(timer);
  };

  async function look(): Promise<void> {
    const { ready, reason = 'not ready' } = await bridge.readiness();
    if (isStopping) return;
    const status = `STATUS=${ready ? 'serving' : oneLine(reason)}`;
    const lines = [...(ready ? ['WATCHDOG=1'] : []), ...(status === told ? [] : [status])];
    told = status;
    if (lines.length > 0) await notify(...lines);
  }

  function schedule(everyMs: number): void {
    timer = setTimeout(() => {
      void look().finally(() => {
        if (!isStopping) schedule(everyMs);
      });
    }, everyMs);
    timer.unref();
  }

  told = 'STATUS=serving';
  void notify('READY=1', told);
  if (intervalMs !== undefined) schedule(intervalMs / TELLINGS_PER_INTERVAL);
  void bridge.stopping.then(() => {
    end();
    return notify('STOPPING=1', 'STATUS=stopping: answers what was asked, ends the delivery under way');
  });
  return end;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ');
}
