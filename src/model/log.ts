/**
 * What every room may say to the log: one line an event, facts as fields, no customer data and no secret.
 * pino's logger fits this shape; tests pass a silent one.
 */
export interface Log {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

const ignore = (): void => undefined;

export const silentLog: Log = { debug: ignore, info: ignore, warn: ignore, error: ignore };
