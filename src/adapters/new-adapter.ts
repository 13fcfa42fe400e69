import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { failure, success, type Result } from '../model/problem.ts';
import { findCrmAdapters, findFeedReaders, isAdapterName } from './loader.ts';
import { adapterProblem } from './problems.ts';

export interface NewAdapter {
  kind: 'crm' | 'feed';
  name: string;
  /** Absolute; the adapter's own folder, which must not be there yet. */
  folder: string;
  /** Name of the template; absent: the plain one of the kind. */
  template?: string;
  language: 'ts' | 'js';
}

const TEMPLATES = fileURLToPath(new URL('../../adapters/templates/', import.meta.url));
const PROGRAM = fileURLToPath(new URL('../../', import.meta.url));
/** Steps of a relative path that a person still follows. */
const LONGEST_WAY = 5;
const PLAIN = { crm: 'my-crm', feed: 'my-reader' } as const;
const CODE = /\.[jt]s$/;
/** Names that Windows keeps for devices. */
const DEVICE = /^(con|prn|aux|nul|com\d|lpt\d)$/;

/** The templates of a kind; each is an adapter itself. */
async function templateNames(kind: NewAdapter['kind']): Promise<string[]> {
  const found = await (kind === 'crm' ? findCrmAdapters([TEMPLATES]) : findFeedReaders([TEMPLATES]));
  return found.map(({ name }) => name);
}

/** Writes a new adapter folder that passes its checks, and answers its files. Nothing that is there is touched. */
export async function writeNewAdapter(wanted: NewAdapter): Promise<Result<string[]>> {
  const { kind, name, folder, template = PLAIN[kind], language } = wanted;
  const refuse = (reason: string): Result<never> =>
    failure(adapterProblem('ADAPTER_NEW_REFUSED', folder, { reason }));
  if (!isAdapterName(name) || DEVICE.test(name)) {
    return refuse(`"${name}" is no name: lower-case letters, digits and hyphens, at most 64, no device name`);
  }
  const known = await templateNames(kind);
  if (!known.includes(template))
    return refuse(`there is no template "${template}"; known are ${known.join(', ')}`);
  const source = join(TEMPLATES, kind === 'crm' ? 'crm' : 'feeds', template);
  const files = (await readdir(source, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => relative(source, join(entry.parentPath, entry.name)));
  const unwanted = language === 'ts' ? 'adapter.js' : 'adapter.ts';
  if (!files.includes(`adapter.${language}`))
    return refuse(`the template "${template}" is not there as ${language}`);
  if (existsSync(folder)) return refuse('it is there already');
  await mkdir(join(folder, 'fixtures'), { recursive: true });
  const written = files.filter((file) => file !== unwanted || !files.includes(`adapter.${language}`)).sort();
  for (const file of written) {
    const text = await readFile(join(source, file), 'utf8');
    await writeFile(join(folder, file), renamed(file, text, { ...wanted, template }), { flag: 'wx' });
  }
  return success(written);
}

/** The template's name becomes the adapter's where it is meant, and not as part of another word or host. */
function renamed(
  file: string,
  text: string,
  { name, folder, template }: NewAdapter & { template: string },
): string {
  if (file === 'tsconfig.json') return withContractPath(text, folder);
  if (CODE.test(file) || file.startsWith(`fixtures${sep}`)) return text;
  return text.replaceAll(new RegExp(`(?<![\\w.-])${template}(?![\\w.-])`, 'g'), name);
}

/** Where an editor finds the types: relative, unless the way is long. */
function withContractPath(text: string, folder: string): string {
  const way = relative(folder, PROGRAM);
  const program = way.split(sep).length > LONGEST_WAY ? PROGRAM.replace(/[\\/]$/, '') : way;
  return text.replaceAll(/"(?:\.\.\/)+/g, JSON.stringify(`${program.replaceAll('\\', '/')}/`).slice(0, -1));
}
