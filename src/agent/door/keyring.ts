import { timingSafeEqual } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { parseTokenFile } from '../../documents/token-file.ts';
import { digestOfToken, endOfToken } from '../../model/agent-token.ts';
import type { AgentToken } from '../../model/agent-token.ts';
import type { Clock } from '../../model/clock.ts';
import type { Log } from '../../model/log.ts';
import { describeProblem } from '../../model/problem.ts';
import type { SkillId } from '../../model/skill.ts';

/** A token that the dealer has handed out, without the token. */
export interface KnownToken {
  readonly name: string;
  readonly skills: ReadonlySet<SkillId> | 'all';
  readonly digest: Buffer;
  /** Milliseconds since 1970. */
  readonly endsAt: number;
}

/** What was last read of a token file. It outlives a change of the settings, as the last good state must. */
export class TokenFileMemory {
  tokens: readonly KnownToken[] = [];
  lookedAt = -Infinity;
  /** Which state of the file was read last. */
  seen = '';
  fault: string | undefined;
}

export interface KeyringParts {
  /** From the settings. */
  tokens: readonly AgentToken[];
  /** Absolute path of the token file. */
  file?: string | undefined;
  /** What an earlier keyring has read of that file. */
  memory?: TokenFileMemory | undefined;
  clock: Clock;
  log: Log;
}

/** A file is looked at once in this time at most, so a revoked token works so long at most. */
const LOOK_EVERY_MS = 1000;
const MAX_FILE_BYTES = 1024 * 1024;

/** The tokens of the settings and of the token file, which is read again when it has changed. */
export class Keyring {
  readonly #parts: KeyringParts;
  readonly #listed: KnownToken[];
  readonly #memory: TokenFileMemory;

  constructor(parts: KeyringParts) {
    this.#parts = parts;
    this.#listed = parts.tokens.map(knownToken);
    this.#memory = parts.memory ?? new TokenFileMemory();
  }

  find(token: string): KnownToken | 'unknown' | 'expired' {
    this.#look();
    const digest = digestOfToken(token);
    let found: KnownToken | undefined;
    // All of them, so that the time tells nothing of which one it was.
    for (const known of this.#known()) if (timingSafeEqual(known.digest, digest)) found = known;
    if (found === undefined) return 'unknown';
    return this.#parts.clock.now() < found.endsAt ? found : 'expired';
  }

  /** `fault`: why the file's last good state is in use instead of the file. */
  status(): { tokens: number; fault?: string } {
    this.#look();
    const { fault } = this.#memory;
    return { tokens: this.#known().length, ...(fault === undefined ? {} : { fault }) };
  }

  #known(): KnownToken[] {
    return [...this.#listed, ...this.#memory.tokens];
  }

  /** At the moment of use and not by a timer: what is answered next always rests on a look just taken. */
  #look(): void {
    const { file, clock } = this.#parts;
    const now = clock.now();
    if (file === undefined || Math.abs(now - this.#memory.lookedAt) < LOOK_EVERY_MS) return;
    this.#memory.lookedAt = now;
    let state: string;
    try {
      const { mtimeMs, ctimeMs, size, ino } = statSync(file);
      state = [mtimeMs, ctimeMs, size, ino].join(' ');
    } catch (fault) {
      const { code } = fault as NodeJS.ErrnoException;
      state = code ?? 'unreadable';
      // Not there yet is no fault: the first "token new" makes it.
      if (code === 'ENOENT' && ['', state].includes(this.#memory.seen)) return;
    }
    if (state === this.#memory.seen) return;
    this.#memory.seen = state;
    this.#read(file);
  }

  #read(file: string): void {
    try {
      const bytes = readFileSync(file);
      if (bytes.length > MAX_FILE_BYTES) throw new Error(`it is larger than ${MAX_FILE_BYTES} bytes`);
      const tokens = parseTokenFile(bytes.toString('utf8'), basename(file));
      if (!tokens.ok) throw new Error(tokens.problems.map(describeProblem).join('; '));
      this.#memory.tokens = tokens.value.map(knownToken);
      this.#memory.fault = undefined;
      this.#parts.log.info({ file, tokens: tokens.value.map(({ name }) => name) }, 'tokens read');
    } catch (fault) {
      this.#memory.fault = fault instanceof Error ? fault.message : String(fault);
      this.#parts.log.error(
        { file, reason: this.#memory.fault },
        'token file not read; its last good state stays in use',
      );
    }
  }
}

function knownToken(token: AgentToken): KnownToken {
  return {
    name: token.name,
    skills: token.skills === undefined ? 'all' : new Set(token.skills),
    digest: Buffer.from(token.hash.slice('sha256:'.length), 'hex'),
    endsAt: endOfToken(token),
  };
}
