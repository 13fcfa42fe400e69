import { userInfo } from 'node:os';
import { InvalidArgumentError, type Command } from 'commander';
import type { OperatorAct } from '../leads/operator-acts.ts';
import { systemClock } from '../model/clock.ts';

const MAX_REASON_CHARACTERS = 500;

/** For commands that change what becomes of a lead: whoever looks later wants to know why. */
export function withReason(command: Command): Command {
  return command.requiredOption(
    '--reason <text>',
    'why; kept with the lead, shown by "leads show". Name no customer in it',
    parseReason,
  );
}

function parseReason(text: string): string {
  if (/[\p{L}\p{N}]/u.test(text)) return text;
  throw new InvalidArgumentError('Say why, in a few words.');
}

/** Who does it (the account at this machine), why, and when. */
export function actOf({ reason }: { reason: string }): OperatorAct {
  return {
    who: operatorName(),
    reason: reason.trim().slice(0, MAX_REASON_CHARACTERS),
    now: systemClock.now(),
  };
}

function operatorName(): string {
  const account = accountName();
  const behind = process.env.SUDO_USER;
  return behind === undefined || behind === '' || behind === account ? account : `${behind} (as ${account})`;
}

function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    // An account without a name, as containers have.
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}
