/**
 * All of them mean the same: finish what is under way, then end. SIGBREAK is Ctrl+Break on Windows, which knows no
 * SIGQUIT.
 */
const STOP_SIGNALS: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  'SIGHUP',
  'SIGBREAK',
  ...(process.platform === 'win32' ? [] : (['SIGQUIT'] as const)),
];

/**
 * Calls `stop` once, on the first signal; a second signal ends the program at once, which is safe at any instant
 * and only less polite to those who wait for an answer. Returns a function that takes the handlers off again.
 */
export function onStopSignal(stop: (signal: string) => void): () => void {
  let asked = false;
  const handle = (signal: string): void => {
    if (asked) process.exit(1);
    asked = true;
    stop(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, handle);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, handle);
  };
}
