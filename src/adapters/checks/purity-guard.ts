import { createRequire, syncBuiltinESMExports } from 'node:module';

/** What an adapter reached for that it must not: `Date.now()`, `node:fs readFileSync`. */
export interface Breach {
  /** The adapter's function: build, check, classify, place, read. */
  call: string;
  reached: string;
}

type Loose = Record<PropertyKey, unknown>;

/** Every function of these touches the world outside. */
const OUTSIDE = [
  'node:fs',
  'node:fs/promises',
  'node:net',
  'node:tls',
  'node:dgram',
  'node:dns',
  'node:dns/promises',
  'node:http',
  'node:https',
  'node:http2',
  'node:child_process',
  'node:worker_threads',
  'node:cluster',
  'node:os',
  'node:timers/promises',
];
const RANDOM_FUNCTIONS = [
  'randomBytes',
  'randomFill',
  'randomFillSync',
  'randomInt',
  'randomUUID',
  'getRandomValues',
  'generateKey',
  'generateKeySync',
  'generateKeyPair',
  'generateKeyPairSync',
];
const PROCESS_FUNCTIONS = ['hrtime', 'uptime', 'cwd', 'chdir', 'exit', 'kill', 'memoryUsage', 'cpuUsage'];
const CONSOLE_FUNCTIONS = ['log', 'info', 'warn', 'error', 'debug', 'trace', 'dir', 'table'];
/** Far enough for another date, year, weekday and time of day. */
const OTHER_DAY_MS = 400 * 86_400_000 + 12_345_678;

const require = createRequire(import.meta.url);

/**
 * Watches what an adapter's functions reach for. Installed before the adapter is imported, so that a function it
 * keeps for later is watched too; while no call is watched everything works as ever. Clock and randomness are noted
 * and work; everything else is noted and refused. It holds for the whole thread and cannot be taken off.
 *
 * It is no sandbox: it finds mistakes, not malice. The clock inside Intl (`format()` without a time) is not seen.
 */
export class PurityGuard {
  readonly #breaches = new Map<string, Breach>();
  readonly #offsetMs: number;
  #call: string | undefined;

  /** `onOtherDay`: every clock of the language stands 400 days ahead. */
  constructor({ onOtherDay }: { onOtherDay: boolean }) {
    this.#offsetMs = onOtherDay ? OTHER_DAY_MS : 0;
    this.#watchClock();
    this.#watchRandomness();
    this.#watchOutside();
    syncBuiltinESMExports();
  }

  /** Runs one call of the adapter. */
  watch<T>(call: string, action: () => T): T {
    this.#call = call;
    try {
      return action();
    } finally {
      this.#call = undefined;
    }
  }

  /** The same for a call that goes on for a while. */
  async watchOver<T>(call: string, action: () => Promise<T>): Promise<T> {
    this.#call = call;
    try {
      return await action();
    } finally {
      this.#call = undefined;
    }
  }

  /** Lets what the calls left behind for later run now, still watched. Nothing must be awaited in between. */
  async watchRest(): Promise<void> {
    await this.watchOver('work left for later', () => new Promise((resolve) => setImmediate(resolve)));
  }

  get breaches(): readonly Breach[] {
    return [...this.#breaches.values()];
  }

  #note(reached: string): boolean {
    if (this.#call === undefined) return false;
    this.#breaches.set(`${this.#call} ${reached}`, { call: this.#call, reached });
    return true;
  }

  #watchClock(): void {
    const RealDate = globalThis.Date;
    const now = (): number => {
      this.#note('the clock (Date)');
      return RealDate.now() + this.#offsetMs;
    };
    globalThis.Date = new Proxy(RealDate, {
      construct: (target, parts, newTarget) =>
        Reflect.construct(target, parts.length === 0 ? [now()] : parts, newTarget) as object,
      apply: () => new RealDate(now()).toString(),
      get: (target, key) => (key === 'now' ? now : (Reflect.get(target, key) as unknown)),
    });
    this.#noteUse(Object.getPrototypeOf(performance) as Loose, ['now'], 'the clock (performance.now)');
  }

  #watchRandomness(): void {
    this.#noteUse(Math as unknown as Loose, ['random'], 'randomness (Math.random)');
    this.#noteUse(require('node:crypto') as Loose, RANDOM_FUNCTIONS, 'randomness (node:crypto)');
    const web = Object.getPrototypeOf(globalThis.crypto) as Loose;
    this.#noteUse(web, ['randomUUID', 'getRandomValues'], 'randomness (crypto)');
  }

  #watchOutside(): void {
    for (const name of OUTSIDE) {
      const exports = require(name) as Loose;
      for (const key of Object.keys(exports)) this.#refuse(exports, key, `${name} ${key}`);
    }
    const world = globalThis as unknown as Loose;
    for (const key of ['fetch', 'WebSocket', 'EventSource', 'setTimeout', 'setInterval']) {
      this.#refuse(world, key, key);
    }
    const timers = require('node:timers') as Loose;
    for (const key of ['setTimeout', 'setInterval']) this.#refuse(timers, key, `node:timers ${key}`);
    for (const key of PROCESS_FUNCTIONS) this.#refuse(process as unknown as Loose, key, `process.${key}`);
    for (const key of CONSOLE_FUNCTIONS) this.#refuse(console as unknown as Loose, key, `console.${key}`);
    this.#watchEnvironment();
  }

  #watchEnvironment(): void {
    const note = <T>(value: T): T => {
      this.#note('process.env');
      return value;
    };
    process.env = new Proxy(process.env, {
      get: (target, key) => note(Reflect.get(target, key) as string | undefined),
      has: (target, key) => note(Reflect.has(target, key)),
      ownKeys: (target) => note(Reflect.ownKeys(target)),
    });
  }

  #noteUse(owner: Loose, keys: readonly string[], reached: string): void {
    for (const key of keys) {
      this.#replace(owner, key, () => {
        this.#note(reached);
      });
    }
  }

  #refuse(owner: Loose, key: string, reached: string): void {
    this.#replace(owner, key, () => {
      if (this.#note(reached)) throw new Error(`an adapter must not use ${reached}`);
    });
  }

  #replace(owner: Loose, key: string, beforeUse: () => void): void {
    const descriptor = Object.getOwnPropertyDescriptor(owner, key);
    const real: unknown = descriptor?.value ?? (descriptor?.get === undefined ? undefined : owner[key]);
    if (typeof real !== 'function' || descriptor?.configurable !== true) return;
    const watched = new Proxy(real, {
      apply: (target, self, words: unknown[]) => {
        beforeUse();
        return Reflect.apply(target as (...parts: unknown[]) => unknown, self, words);
      },
      construct: (target, words: unknown[], newTarget) => {
        beforeUse();
        return Reflect.construct(target, words, newTarget) as object;
      },
    });
    Object.defineProperty(owner, key, {
      configurable: true,
      enumerable: true,
      writable: true,
      value: watched,
    });
  }
}
