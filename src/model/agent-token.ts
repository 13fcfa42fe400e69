import { createHash } from 'node:crypto';
import type { SkillId } from './skill.ts';

/** A bearer token as it is kept: never the token itself. */
export interface AgentToken {
  /** Whose it is; unique. */
  name: string;
  /** `sha256:` and the hex digits of the token's SHA-256. */
  hash: string;
  /** The skills it opens; all when left out. */
  skills?: SkillId[];
  /** Last day on which it works, `2027-06-30`, UTC. */
  expires?: string;
}

const DAY_MS = 86_400_000;

/** Tokens hold 256 random bits, so a plain hash tells nothing of them. */
export function digestOfToken(token: string): Buffer {
  return createHash('sha256').update(token, 'utf8').digest();
}

export function hashOfToken(token: string): string {
  return `sha256:${digestOfToken(token).toString('hex')}`;
}

/** First instant, in milliseconds since 1970, at which the token no longer works. */
export function endOfToken({ expires }: AgentToken): number {
  return expires === undefined ? Infinity : Date.parse(`${expires}T00:00:00Z`) + DAY_MS;
}
