import { randomBytes } from 'node:crypto';
import { InvalidArgumentError, type Command } from 'commander';
import { hashOfToken, type AgentToken } from '../model/agent-token.ts';
import { SKILL_IDS, type SkillId } from '../model/skill.ts';
import { stop } from './held-run.ts';
import { addToken, readTokens } from './token-file-edit.ts';
import { parseTokenName, tokenPlaces, withTokenOptions, type TokenOptions } from './token-options.ts';

interface NewOptions extends TokenOptions {
  skills?: SkillId[];
  expires?: string;
}

/** Tells people and scanners for leaked secrets what the text is. */
const PREFIX = 'dbt_';
const TOKEN_BYTES = 32;

/** `token new`: the one moment at which a token can be seen. */
export function addTokenNewCommand(token: Command): void {
  withTokenOptions(token.command('new'))
    .summary('make a token for an agent')
    .description(
      'Makes a token, prints it this one time, and writes its hash into the token file, which a running bridge reads ' +
        'again by itself. Without a token file it prints the line for access.tokens of the settings.',
    )
    .argument('<name>', 'who gets it, such as the company that runs the agent', parseTokenName)
    .option('--skills <ids>', 'the skills it opens, with commas between them (default: all)', parseSkills)
    .option('--expires <date>', 'last day on which it works, in UTC, such as 2027-06-30', parseLastDay)
    .addHelpText(
      'after',
      `
Examples:
  dealer-bridge token new acme --config bridge.yaml
  dealer-bridge token new acme --skills lead.submit --expires 2027-06-30 --config bridge.yaml`,
    )
    .action(makeToken);
}

async function makeToken(name: string, options: NewOptions): Promise<void> {
  const { file, inSettings } = await tokenPlaces(options);
  const known = [...inSettings, ...(file === undefined ? [] : await readTokens(file))];
  if (known.some((other) => other.name === name)) {
    stop(`There is a token "${name}" already. Choose another name, or revoke that one first.`);
  }
  const token = PREFIX + randomBytes(TOKEN_BYTES).toString('base64url');
  const kept: AgentToken = {
    name,
    hash: hashOfToken(token),
    ...(options.skills === undefined ? {} : { skills: options.skills }),
    ...(options.expires === undefined ? {} : { expires: options.expires }),
  };
  if (file !== undefined) await addToken(file, kept);
  // Alone on stdout, so that a program can take it.
  console.log(token);
  console.error(
    file === undefined ? lineForSettings(kept) : `Its hash is in ${file}; the bridge reads it by itself.`,
  );
  console.error('The token is shown this once. The agent sends it as "Authorization: Bearer TOKEN".');
}

function lineForSettings({ name, hash, skills, expires }: AgentToken): string {
  const members = [
    `name: ${JSON.stringify(name)}`,
    `hash: ${JSON.stringify(hash)}`,
    ...(skills === undefined ? [] : [`skills: [${skills.join(', ')}]`]),
    ...(expires === undefined ? [] : [`expires: ${JSON.stringify(expires)}`]),
  ];
  return `No token file is set (access.tokens_file). Put this under access.tokens (a running bridge takes changed settings up by itself unless watch_settings is false; with that, restart it):\n    - { ${members.join(', ')} }`;
}

function parseSkills(text: string): SkillId[] {
  const names = [...new Set(text.split(',').map((name) => name.trim()))];
  const skills = SKILL_IDS.filter((id) => names.includes(id));
  if (skills.length === names.length) return skills;
  throw new InvalidArgumentError(`Skills are ${SKILL_IDS.join(', ')}.`);
}

function parseLastDay(text: string): string {
  const time = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T23:59:59Z`) : Number.NaN;
  const isDay = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
  if (!isDay) throw new InvalidArgumentError('Write a day such as 2027-06-30.');
  if (time < Date.now()) throw new InvalidArgumentError('That day is over.');
  return text;
}
