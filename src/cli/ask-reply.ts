import { askAgent } from '../client/ask-agent.ts';
import type { Refusal } from '../client/refusal.ts';
import { describePlace } from '../agent/json-pointer.ts';
import type { SkillId } from '../model/skill.ts';
import { type AskOptions, type OpenedAgent, printNotes } from './ask-options.ts';
import { CommandStopped } from './command-stopped.ts';
import { EXIT_CODES } from './exit-codes.ts';
import { printableText } from './printable-text.ts';
import { oneLine } from './text-table.ts';

/** Asks, and prints the answer as `show` makes it, or as JSON. A refusal is told on stderr and ends with 1. */
export async function askAndPrint(
  { agent, call }: OpenedAgent,
  skill: SkillId,
  request: object,
  options: Pick<AskOptions, 'json'>,
  show: (data: unknown) => string,
): Promise<void> {
  const reply = await askAgent(agent, skill, { type: `${skill}.request`, ...request }, call);
  printNotes(reply.notes);
  if (reply.kind === 'refused') {
    if (options.json === true) console.log(printableJson(reply.refusal.error));
    console.error(printableText(describeRefusal(reply.refusal)));
    throw new CommandStopped(EXIT_CODES.problems);
  }
  const { payload } = reply;
  if (options.json === true) {
    console.log(printableJson(payload));
    return;
  }
  console.log(printableText(show(payload.data)));
  if (typeof payload.message === 'string') console.log(`\n${oneLine(payload.message)}`);
}

/** JSON that does nothing to a terminal: what would is written as an escape of JSON's own. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /(?!\n)[\p{Cc}\p{Bidi_Control}]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function describeRefusal({
  code,
  rpcCode,
  message,
  retryable,
  faults,
  errorId,
  retryAfterMs,
}: Refusal): string {
  return [
    `Refused: ${code === undefined ? '' : `${code} `}(${rpcCode}): ${oneLine(message)}`,
    ...faults.map(({ place, text }) => `  ${describePlace(place)} ${oneLine(text)}`),
    ...retryLine(retryable, retryAfterMs),
    ...(errorId === undefined ? [] : [`  The dealer finds this case in its log under ${oneLine(errorId)}.`]),
  ].join('\n');
}

function retryLine(retryable: boolean | undefined, retryAfterMs: number | undefined): string[] {
  if (retryable === undefined) return [];
  if (!retryable) return ['  Trying the same again does not help.'];
  const wait = retryAfterMs === undefined ? 'later' : `after ${Math.ceil(retryAfterMs / 1000)} s`;
  return [`  The same may work ${wait}.`];
}
