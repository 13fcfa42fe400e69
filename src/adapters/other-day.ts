/** Far enough for another date, year, weekday and time of day. */
const OFFSET_MS = 400 * 86_400_000 + 12_345_678;

/** Runs `action` while every clock of the language stands 400 days ahead. `action` must not wait for anything. */
export function onAnotherDay<T>(action: () => T): T {
  const RealDate = globalThis.Date;
  const later = (): number => RealDate.now() + OFFSET_MS;
  globalThis.Date = new Proxy(RealDate, {
    construct: (target, parts, newTarget) =>
      Reflect.construct(target, parts.length === 0 ? [later()] : parts, newTarget) as object,
    apply: () => new RealDate(later()).toString(),
    get: (target, key) => (key === 'now' ? later : (Reflect.get(target, key) as unknown)),
  });
  try {
    return action();
  } finally {
    globalThis.Date = RealDate;
  }
}
