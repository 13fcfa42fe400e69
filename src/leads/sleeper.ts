export interface Sleeper {
  /** Resolves after so many milliseconds or on the next wake, whichever comes first. */
  sleep(milliseconds: number): Promise<void>;
  /** A wake while nobody sleeps ends the next sleep at once: no hint is lost. */
  wake(): void;
}

export function createSleeper(): Sleeper {
  let awake = false;
  let rouse: (() => void) | undefined;
  return {
    sleep: (milliseconds) =>
      new Promise((resolve) => {
        const end = () => {
          clearTimeout(timer);
          rouse = undefined;
          awake = false;
          resolve();
        };
        const timer = setTimeout(end, awake ? 0 : milliseconds);
        rouse = end;
      }),
    wake: () => {
      awake = true;
      rouse?.();
    },
  };
}
