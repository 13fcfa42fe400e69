import type { AccessConfig, Config } from '../../src/config/config.ts';
import { hashOfToken } from '../../src/model/agent-token.ts';
import type { AgentToken } from '../../src/model/agent-token.ts';

export function tokenEntry(token: string, more: Partial<AgentToken> = {}): AgentToken {
  return { name: token, hash: hashOfToken(token), ...more };
}

export function withAccess(access: Partial<AccessConfig>, more: Partial<Config> = {}) {
  return (config: Config): Config => ({ ...config, ...more, access: { ...config.access, ...access } });
}

export const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` });
