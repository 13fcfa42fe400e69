import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { optionsHelp, type OptionHelp } from '../../src/adapters/options-help.ts';

const SCHEMA = new URL('../../schemas/config.schema.json', import.meta.url);
export const REFERENCE = fileURLToPath(new URL('../../docs/settings.md', import.meta.url));

/** The other days of a week are written like Monday. */
const OTHER_DAYS = /\.(tuesday|wednesday|thursday|friday|saturday|sunday)\b/;

const HEAD = `# All settings of bridge.yaml

Made from \`schemas/config.schema.json\` by \`npm run docs\`; \`dealer-bridge check\` holds your file against the same
schema, with line and column of every fault. \`[]\` stands for each entry of a list. **Bold** settings must be written
where their group is. What a destination's \`options\` may hold depends on its adapter: \`dealer-bridge adapter help NAME\`.
A secret is best written as \`\${env:NAME}\` or \`\${file:PATH}\`.
`;

/** docs/settings.md: every setting with what it is for, what it may hold, and what holds without it. */
export async function settingsReference(): Promise<string> {
  const settings = optionsHelp(JSON.parse(readFileSync(SCHEMA, 'utf8')) as Record<string, unknown>);
  const groups = Map.groupBy(
    settings.filter(({ path }) => !OTHER_DAYS.test(path)),
    ({ path }) => path.split(/[.[]/, 1)[0] ?? '',
  );
  const text = [HEAD, ...Array.from(groups, ([name, group]) => section(name, group))].join('\n');
  return format(text, { ...(await resolveConfig(REFERENCE)), parser: 'markdown' });
}

function section(name: string, [group, ...members]: OptionHelp[]): string {
  if (group === undefined) return '';
  if (members.length === 0) return `## ${name}\n\n${entry(group)}\n`;
  return `## ${name}\n\n${group.description}\n\n${members.map(entry).join('\n')}\n`;
}

function entry({ path, type, isRequired, isSecret, default: fallback, description }: OptionHelp): string {
  const name = `\`${path.replace('.monday', '.monday … sunday')}\``;
  const holds = [
    type,
    ...(isSecret ? ['secret'] : []),
    ...(fallback === undefined ? [] : [`\`${fallback}\` without it`]),
  ];
  const about = description === '' ? '' : `: ${description.replaceAll('<', '&lt;')}`;
  return `- ${isRequired ? `**${name}**` : name} (${holds.join('; ')})${about}`;
}
